import SourceDiagnostics
import YAMLSyntax

extension FlowReader {
  /// How requests are authorized; nil after reporting an error.
  mutating func auth(_ value: FieldValue) -> Located<AuthDeclaration>? {
    if value.node.isScalar {
      return choice(value, ["none"]).map { _ in Located(.none, at: value.node.range) }
    }
    guard let nodes = open(value, as: .auth) else { return nil }
    let kinds = AuthKeys.kinds
    let auth = single(
      of: kinds, in: nodes, "kind of authorization", owner: value.key,
      help: "give one of \(listed(kinds.map(\.name))), or write 'none'")
    return auth.map { Located($0, at: value.node.range) }
  }

  /// What the only one of some keys says; reported when there are none or several.
  mutating func single<Value>(
    of fields: [Field<Value>], in nodes: FieldNodes, _ what: String, owner: SourceRange, help: String
  ) -> Value? {
    switch nodes.written(of: fields) {
    case .one(let field): return read(field, of: nodes)
    case .none: if !nodes.hasError { report(.authForm, "there is no \(what)", at: owner, help: help) }
    case .several(let names, let last):
      report(
        .authForm, "there is one \(what), not \(names.count)", at: last, help: "keep one of \(listed(names))")
    }
    return nil
  }

  /// A text that is a credential: what stands in the file itself is warned of.
  mutating func credential(_ value: FieldValue, mayBeEmpty: Bool = false) -> Located<Template>? {
    guard let template = lineTemplate(value) else { return nil }
    switch template.value.constantText {
    case nil: break
    case "":
      guard !mayBeEmpty else { break }
      report(.missingValue, "'\(value.spec.name)' is empty", at: value.node.range)
      return nil
    default:
      report(
        .plainCredential, "the credential '\(value.spec.name)' is written in the file", at: value.node.range,
        help: "declare a secret and write {{ secrets.NAME }}")
    }
    return template
  }

  /// A name of a header that `auth` sets.
  mutating func authHeader(_ value: FieldValue) -> String? {
    guard let name = name(value, role: .header) else { return nil }
    guard !["host", "content-length", "transfer-encoding", "connection"].contains(name.value.lowercased()) else {
      report(.reservedHeader, "header '\(name.value)' is set by the transport", at: name.range)
      return nil
    }
    return name.value
  }

  mutating func basic(_ value: FieldValue) -> AuthDeclaration? {
    guard let nodes = open(value, as: .basic) else { return nil }
    let password = read(BasicKeys.password, of: nodes)
    guard let username = read(BasicKeys.username, of: nodes), let password else { return nil }
    for case .text(let text) in username.value.segments where text.contains(":") {
      report(
        .authValue, "a user name holds no colon", at: username.range,
        help: "what follows the first colon would be taken for the password")
      return nil
    }
    return .basic(username: username, password: password)
  }

  mutating func apiKey(_ value: FieldValue) -> AuthDeclaration? {
    guard let nodes = open(value, as: .apiKey) else { return nil }
    let key = read(APIKeyKeys.value, of: nodes)
    let place = single(
      of: [APIKeyKeys.header, APIKeyKeys.query, APIKeyKeys.body], in: nodes, "place for the key", owner: value.key,
      help: "give one of 'header', 'query' and 'body'")
    guard let place, let key else { return nil }
    return .apiKey(place: place, value: key)
  }
}
