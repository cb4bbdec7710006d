import FlowModel
import JSONSyntax
import SourceDiagnostics
import YAMLSyntax

extension FlowReader {
  /// Reads an `auth` mapping, or the word `none`.
  mutating func auth(_ value: FieldValue) -> Located<WrittenAuth>? {
    if value.node.isScalar {
      return choice(value, ["none"]).map { _ in Located(.none, at: value.node.range) }
    }
    guard let nodes = open(value, as: .auth) else { return nil }
    let kinds = AuthKeys.kinds
    let auth = single(
      of: kinds, in: nodes, "kind of authorization", owner: value.key,
      help: "give one of \(listed(kinds.map(\.name))), or write 'none'", missing: .authForm)
    return auth.map { Located($0, at: value.node.range) }
  }

  /// Reads a credential; reports a warning if the file contains it as plain text.
  mutating func credential(_ value: FieldValue, mayBeEmpty: Bool = false) -> Located<Template>? {
    credential(lineTemplate(value), of: value, mayBeEmpty: mayBeEmpty)
  }

  /// Reads a key, which may have several lines; reports a warning if the file contains it as plain text.
  mutating func key(_ value: FieldValue) -> Located<Template>? {
    credential(template(value), of: value, mayBeEmpty: false)
  }

  private mutating func credential(
    _ template: Located<Template>?, of value: FieldValue, mayBeEmpty: Bool
  ) -> Located<Template>? {
    guard let template else { return nil }
    switch template.value.constantText {
    case nil: break
    case "":
      guard !mayBeEmpty else { break }
      return fail(.missingValue, "'\(value.spec.name)' is empty", at: value.node.range)
    default:
      report(
        .plainCredential, "the credential '\(value.spec.name)' is written in the file", at: value.node.range,
        help: "declare a secret and write {{ secrets.NAME }}")
    }
    return template
  }

  /// Reads the name of the header in which `auth` sends a credential.
  mutating func authHeader(_ value: FieldValue) -> String? {
    guard let name = name(value, role: .header) else { return nil }
    guard !["host", "content-length", "transfer-encoding", "connection"].contains(name.value.lowercased()) else {
      return fail(.reservedHeader, "header '\(name.value)' is set by the transport", at: name.range)
    }
    return name.value
  }

  mutating func apiKey(_ value: FieldValue) -> WrittenAuth? {
    guard let nodes = open(value, as: .apiKey) else { return nil }
    let key = read(APIKeyKeys.value, of: nodes)
    let location = single(
      of: [APIKeyKeys.header, APIKeyKeys.query, APIKeyKeys.body], in: nodes, "location for the key", owner: value.key,
      help: "give one of 'header', 'query' and 'body'", missing: .authForm)
    guard let location, let key else { return nil }
    return .apiKey(location, key)
  }
}

extension FlowReader {
  /// Finds the authorization of a flow and checks it against the flow's request.
  ///
  /// The authorization is the flow's `auth`, else the `auth` in the flow's `http`, else the file's.
  mutating func auth(
    _ reading: Reading<Located<WrittenAuth>>, _ ownHTTP: HTTPSettings, _ fileHTTP: HTTPSettings,
    for request: RequestDeclaration, flow: Located<String>
  ) -> Located<WrittenAuth>? {
    guard !reading.isBroken, !ownHTTP.hasInvalidAuth else { return nil }
    let own = reading.value
    if let own, let other = ownHTTP.auth {
      return fail(
        .authConflict, "flow '\(flow.value)' declares its authorization twice", at: own.range,
        notes: [Diagnostic.Note("the 'http' of the flow also declares an 'auth' here", at: other.range)],
        help: "keep one of the two")
    }
    guard let auth = own ?? ownHTTP.auth ?? fileHTTP.auth else { return nil }
    if own == nil, ownHTTP.auth == nil, let base = ownHTTP.baseURL, !auth.value.locations.isEmpty,
      !Self.isSameServer(base.value, fileHTTP.baseURL?.value)
    {
      return fail(
        .authConflict, "flow '\(flow.value)' would send the file's credentials to another server", at: base.range,
        notes: [Diagnostic.Note("the credentials of the file are declared here", at: auth.range)],
        help: "give the flow its own 'auth', or 'auth: none'")
    }
    for location in auth.value.locations where !isFree(location, auth, request, flow) { return nil }
    return auth
  }

  /// Checks that the request itself does not use the header, parameter or member in which `auth` sends a credential.
  private mutating func isFree(
    _ location: CredentialLocation, _ auth: Located<WrittenAuth>, _ request: RequestDeclaration,
    _ flow: Located<String>
  ) -> Bool {
    let taken: (words: String, range: SourceRange)?
    switch location {
    case .header(let name):
      let header = request.headers.first { $0.name.value.lowercased() == name.lowercased() }
      taken = header.map { ("header '\($0.name.value)' is", $0.name.range) }
    case .query(let name):
      taken = request.query.first { $0.name.value == name }.map { ("query parameter '\(name)' is", $0.name.range) }
    case .body(let name):
      guard request.isWhole else { return true }
      guard let isMember = request.body?.holds(name) else {
        report(
          .authBody, "flow '\(flow.value)' has no body that can contain the key '\(name)'", at: flow.range,
          notes: [Diagnostic.Note("'auth' is declared here", at: auth.range)],
          help: "add a JSON object or a form as 'body' to the 'resource' of the flow, or give the flow its own 'auth'")
        return false
      }
      taken = isMember ? ("'\(name)' is in the body of flow '\(flow.value)' and is", flow.range) : nil
    }
    guard let taken else { return true }
    report(
      .authConflict, "\(taken.words) also set by 'auth'", at: taken.range,
      notes: [Diagnostic.Note("'auth' is declared here", at: auth.range)], help: "remove one of the two")
    return false
  }

  /// Whether two base URLs certainly have the same scheme, host and port.
  static func isSameServer(_ left: Template, _ right: Template?) -> Bool {
    guard let right else { return false }
    if left == right { return true }
    guard let left = origin(of: left), let right = origin(of: right) else { return false }
    return left == right
  }

  /// The scheme, host and port of a base URL in lower case; nil if one of them contains a template.
  private static func origin(of template: Template) -> String? {
    let text = template.sourceText
    guard let scheme = text.firstRange(of: "://") else { return nil }
    let rest = text[scheme.upperBound...]
    let end = rest.firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex
    // The value of a template may be part of a path or a whole host.
    let authority = rest[..<end]
    guard !authority.contains("{{") else { return nil }
    var origin = text[..<end].lowercased()
    for (scheme, port) in [("http://", ":80"), ("https://", ":443")] where origin.hasPrefix(scheme) {
      if origin.hasSuffix(port) { origin.removeLast(port.count) }
    }
    return origin
  }
}

extension BodyDeclaration {
  /// Whether the body has a member or a form field of this name; nil if it is neither a JSON object nor a form.
  fileprivate func holds(_ name: String) -> Bool? {
    switch self {
    case .json(let document), .graphql(let document): document.value.holds(name)
    case .form(let pairs): pairs.contains { $0.name.value == name }
    case .text: nil
    case .records(let records):
      // The members of the record are known only when it is sent.
      records.format == .json && !records.location.isEmpty
        ? records.location.first == .name(name) || records.envelope?.value.holds(name) ?? false : nil
    }
  }
}

extension TemplatedJSON {
  /// Whether an object has a member of this name; nil if the value is not an object.
  func holds(_ name: String) -> Bool? {
    switch self {
    case .object(let members): members.contains { $0.name == name }
    case .constant(.object(let object)): object[name] != nil
    default: nil
    }
  }
}

extension FlowReader {
  /// Reads several kinds of authorization; an expression chooses one of them.
  mutating func choose(_ value: FieldValue) -> WrittenAuth? {
    guard let nodes = open(value, as: .choose) else { return nil }
    let errors = errorCount
    // The kind is chosen before the first request, when there is no parent, page or response.
    let by = read(ChooseKeys.by, of: nodes, in: Scope(file: value.scope.file))
    var cases: [Named<Located<WrittenAuth>>] = []
    let declared = nodes.value(ChooseKeys.cases)
    let members = declared.flatMap { self.members(of: $0, role: .choice) } ?? []
    for member in members {
      guard !member.value.isNull else {
        report(
          .missingValue, "the case '\(member.name)' has no value", at: member.key.range,
          help: "give it a kind of authorization, or write 'none'")
        continue
      }
      let part = FieldValue(spec: HTTPKeys.auth, node: member.value, key: member.key.range, scope: nodes.scope)
      if let auth = auth(part) { cases.append(Named(Located(member.name, at: member.key.range), auth)) }
    }
    let otherwise = read(ChooseKeys.otherwise, of: nodes)
    if let declared, members.isEmpty, errorCount == errors {
      report(
        .missingValue, "'cases' has no case", at: declared.key,
        help: "add one, for example 'token: { bearer: \"{{ secrets.NAME }}\" }'")
    }
    guard let by, errors == errorCount, !nodes.hasError else { return nil }
    return .choose(WrittenAuth.Choice(by: by, cases: cases, otherwise: otherwise))
  }
}
