import SourceDiagnostics
import YAMLSyntax

extension FlowReader {
  /// How requests are authorized; nil after reporting an error.
  mutating func auth(_ value: FieldValue) -> Located<AuthDeclaration>? {
    guard !value.node.isNull else { return nil }
    if value.node.isScalar {
      return choice(value, ["none"]).map { _ in Located(.none, at: value.node.range) }
    }
    guard let fields = open(value.node, as: .auth, owner: value.key) else { return nil }
    let given = fields.construct.fields.compactMap { fields.value($0.name) }
    guard let kind = single(given, of: "kind of authorization", owner: value.key, isFaulty: fields.isFaulty) else {
      return nil
    }
    let auth: AuthDeclaration? =
      switch kind.spec.name {
      case "bearer": credential(kind).map { .bearer($0) }
      case "basic": basic(kind)
      case "api_key": apiKey(kind)
      case "oauth2": oauth2(kind).map { .oauth2($0) }
      default: login(kind).map { .login($0) }
      }
    return auth.map { Located($0, at: value.node.range) }
  }

  /// The only one of some values; reported when there are none or several.
  mutating func single(
    _ given: [FieldValue], of what: String, owner: SourceRange, isFaulty: Bool, words: String? = nil
  ) -> FieldValue? {
    guard given.count != 1 else { return given[0] }
    if given.isEmpty {
      if !isFaulty {
        report(
          .authForm, "there is no \(what)", at: owner,
          help: words ?? "give one of \(listed(Construct.auth.fields.map(\.name))), or write 'none'")
      }
      return nil
    }
    // In the order written, so that the later one is marked.
    let later = given.max { $0.key.offsets.lowerBound < $1.key.offsets.lowerBound }
    report(
      .authForm, "there is one \(what), not \(given.count)", at: later?.key,
      help: "keep one of \(listed(given.map(\.spec.name)))")
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

  /// A text that may not be empty.
  mutating func filled(_ value: FieldValue) -> Located<Template>? {
    guard let template = lineTemplate(value) else { return nil }
    guard template.value.constantText != "" else {
      report(.missingValue, "'\(value.spec.name)' is empty", at: value.node.range)
      return nil
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

  private mutating func basic(_ value: FieldValue) -> AuthDeclaration? {
    guard let fields = open(value.node, as: .basic, owner: value.key) else { return nil }
    let password = fields.value("password").flatMap { credential($0, mayBeEmpty: true) }
    guard let name = fields.value("username"), let username = lineTemplate(name), let password else { return nil }
    for case .text(let text) in username.value.segments where text.contains(":") {
      report(
        .authValue, "a user name holds no colon", at: name.node.range,
        help: "what follows the first colon would be taken for the password")
      return nil
    }
    return .basic(username: username, password: password)
  }

  private mutating func apiKey(_ value: FieldValue) -> AuthDeclaration? {
    guard let fields = open(value.node, as: .apiKey, owner: value.key) else { return nil }
    let key = fields.value("value").flatMap { credential($0) }
    let places = ["header", "query", "body"].compactMap { fields.value($0) }
    let chosen = single(
      places, of: "place for the key", owner: value.key, isFaulty: fields.isFaulty,
      words: "give one of 'header', 'query' and 'body'")
    guard let chosen, let place = place(chosen), let key else { return nil }
    return .apiKey(place: place, value: key)
  }

  /// Where a credential goes, by the key that says it.
  mutating func place(_ value: FieldValue) -> AuthPlaceDeclaration? {
    switch value.spec.name {
    case "header": authHeader(value).map { .header($0) }
    case "query": name(value, role: .parameter).map { .query($0.value) }
    default: name(value, role: .parameter).map { .body($0.value) }
    }
  }
}
