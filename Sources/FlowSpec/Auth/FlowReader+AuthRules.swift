import JSONSyntax
import SourceDiagnostics
import YAMLSyntax

extension FlowReader {
  /// What holds for a flow: its own `auth`, else that of its `http`, else the file's; checked against its request.
  mutating func auth(
    _ reading: Reading<Located<AuthDeclaration>>, _ ownHTTP: HTTPSettings, _ fileHTTP: HTTPSettings,
    for resource: ResourceReading, headers: [NamedTemplate], flow: Located<String>
  ) -> Located<AuthDeclaration>? {
    guard !reading.isBroken, !ownHTTP.hasInvalidAuth else { return nil }
    let own = reading.value
    if let own, let other = ownHTTP.auth {
      report(
        .authConflict, "flow '\(flow.value)' says twice how it is authorized", at: own.range,
        notes: [Diagnostic.Note("its 'http' says it here", at: other.range)], help: "keep one of the two")
      return nil
    }
    guard let auth = own ?? ownHTTP.auth ?? fileHTTP.auth else { return nil }
    if own == nil, ownHTTP.auth == nil, let base = ownHTTP.baseURL, auth.value.place != nil,
      !Self.isSameServer(base.value, fileHTTP.baseURL?.value)
    {
      report(
        .authConflict, "flow '\(flow.value)' would send the file's credentials to another server", at: base.range,
        notes: [Diagnostic.Note("they are declared here", at: auth.range)],
        help: "give the flow an 'auth' of its own, or 'auth: none'")
      return nil
    }
    switch auth.value.place {
    case .header(let name)?:
      guard let header = headers.first(where: { $0.name.value.lowercased() == name.lowercased() }) else { return auth }
      report(
        .authConflict, "header '\(header.name.value)' is set by 'auth' too", at: header.name.range,
        notes: [Diagnostic.Note("'auth' stands here", at: auth.range)], help: "leave out one of the two")
      return nil
    case .query(let name)?:
      guard let item = resource.query.first(where: { $0.name.value == name }) else { return auth }
      report(
        .authConflict, "query parameter '\(name)' is set by 'auth' too", at: item.name.range,
        notes: [Diagnostic.Note("'auth' stands here", at: auth.range)], help: "leave out one of the two")
      return nil
    case .body(let name)?:
      return !resource.isWhole || hasRoom(for: name, in: resource.body, auth, flow) ? auth : nil
    case nil:
      return auth
    }
  }

  private mutating func hasRoom(
    for name: String, in body: BodyDeclaration?, _ auth: Located<AuthDeclaration>, _ flow: Located<String>
  ) -> Bool {
    let isThere: Bool
    switch body {
    case .json(let json)?, .graphql(let json)?:
      guard let isMember = json.value.holds(name) else { return refuseBody(name, auth, flow) }
      isThere = isMember
    case .records(let records)?:
      // What stands in it is known when it is sent.
      guard records.format == .json, !records.place.isEmpty else { return refuseBody(name, auth, flow) }
      isThere = records.place.first == .name(name) || records.envelope?.value.holds(name) ?? false
    case .form(let pairs)?: isThere = pairs.contains { $0.name.value == name }
    case .text?, nil: return refuseBody(name, auth, flow)
    }
    if isThere {
      report(
        .authConflict, "'\(name)' is in the body of flow '\(flow.value)' and set by 'auth' too", at: flow.range,
        notes: [Diagnostic.Note("'auth' stands here", at: auth.range)], help: "leave out one of the two")
    }
    return !isThere
  }

  private mutating func refuseBody(
    _ name: String, _ auth: Located<AuthDeclaration>, _ flow: Located<String>
  ) -> Bool {
    report(
      .authBody, "flow '\(flow.value)' has no JSON object and no form for the key '\(name)'", at: flow.range,
      notes: [Diagnostic.Note("'auth' stands here", at: auth.range)],
      help: "give its resource a body, or the flow an 'auth' of its own")
    return false
  }

  /// Whether two base URLs certainly have the same scheme, host and port.
  static func isSameServer(_ left: Template, _ right: Template?) -> Bool {
    guard let right else { return false }
    if left == right { return true }
    guard let left = origin(of: left), let right = origin(of: right) else { return false }
    return left == right
  }

  /// Scheme, host and port of a base URL in lower case, with the names of templates in it; nil when a template could
  /// hold more than a part of them.
  private static func origin(of template: Template) -> String? {
    let text = template.sourceText
    guard let scheme = text.firstRange(of: "://") else { return nil }
    let rest = text[scheme.upperBound...]
    let end = rest.firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex
    // A template up to the end may bring a path along, and one in the middle of a host a whole host.
    let authority = rest[..<end]
    guard !authority.contains("{{") else { return nil }
    var origin = text[..<end].lowercased()
    for (scheme, port) in [("http://", ":80"), ("https://", ":443")] where origin.hasPrefix(scheme) {
      if origin.hasSuffix(port) { origin.removeLast(port.count) }
    }
    return origin
  }
}

extension TemplatedJSON {
  /// Whether an object has a member; nil when this is no object.
  fileprivate func holds(_ name: String) -> Bool? {
    switch self {
    case .object(let members): members.contains { $0.name == name }
    case .constant(.object(let object)): object[name] != nil
    default: nil
    }
  }
}
