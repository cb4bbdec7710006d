internal import JSONSyntax

extension OpenAPIReader {
  /// Adds the credentials that an operation requires to a flow, or a comment that names the missing credentials.
  func authorize(_ flow: inout DraftFlow, _ operation: JSONValue) {
    let alternatives = security(operation).compactMap { alternative -> [JSONObject.Member]? in
      if case .object(let schemes) = alternative { schemes.members } else { nil }
    }
    let asking = alternatives.filter { !$0.isEmpty }
    for schemes in asking {
      let found = schemes.map { credential($0.name, scopes: $0.value.array ?? []) }
      guard found.allSatisfy({ $0.auth != nil }), found.dropFirst().allSatisfy({ $0.header != nil }) else { continue }
      flow.auth = found.first?.auth
      flow.headers += found.dropFirst().compactMap(\.header)
      flow.notes += found.compactMap(\.note)
      return
    }
    guard let first = asking.first, asking.count == alternatives.count else { return }
    let names = first.map { "'\($0.name)' (\(words($0.name)))" }.joined(separator: " with ")
    flow.notes.append("AUTH MISSING: the document asks for \(names), which this draft does not hold: write 'auth'.")
  }

  /// The parts of a draft for one security scheme.
  private struct Credential {
    var auth: DraftAuth?
    /// The header for the credential when it is needed in addition to another credential.
    var header: DraftParameter?
    var note: String?
  }

  private func credential(_ name: String, scopes: [JSONValue]) -> Credential {
    guard let scheme = scheme(name) else { return Credential() }
    let secret = DraftAuth.secretName(name)
    switch (scheme["type"]?.string, scheme["scheme"]?.string?.lowercased()) {
    case ("http", "bearer"):
      let header = DraftParameter("Authorization", DraftText("Bearer ") + .secret(secret))
      return Credential(auth: .bearer(secret), header: header)
    case ("http", "basic"):
      return Credential(auth: .basic(username: secret + "_USERNAME", password: secret + "_PASSWORD"))
    case ("apiKey", _): return key(scheme, secret)
    case ("oauth2", _):
      guard let grant = scheme["flows"]?["clientCredentials"], let url = tokenURL(grant) else { return Credential() }
      return Credential(
        auth: .clientCredentials(
          tokenURL: url, clientID: secret + "_CLIENT_ID", clientSecret: secret + "_CLIENT_SECRET",
          scopes: scopes.compactMap(\.string).flatMap { $0.split(separator: " ").map(String.init) }))
    default: return Credential()
    }
  }

  private func key(_ scheme: JSONValue, _ secret: String) -> Credential {
    guard let name = scheme["name"]?.string else { return Credential() }
    switch scheme["in"]?.string {
    case "header":
      var found = Credential(auth: .apiKey(.header, name, .secret(secret)))
      found.header = DraftParameter(name, .secret(secret))
      if name.lowercased() == "authorization" {
        found.note = "The secret '\(secret)' is the whole header, with its first word (\"Bearer …\") where it has one."
      }
      return found
    case "query": return Credential(auth: .apiKey(.query, name, .secret(secret)))
    case "cookie":
      let value = DraftText("\(name)=") + .secret(secret)
      return Credential(auth: .apiKey(.header, "Cookie", value), header: DraftParameter("Cookie", value))
    default: return Credential()
    }
  }

  /// Returns the URL of the token endpoint. A relative URL belongs to the server's origin.
  private func tokenURL(_ grant: JSONValue) -> String? {
    guard let url = grant["tokenUrl"]?.string else { return nil }
    if RequestURL(url) != nil { return url }
    guard url.hasPrefix("/"), let server = server.flatMap({ RequestURL($0) }) else { return nil }
    return server.origin + url
  }

  /// Returns the kind of a security scheme in words, for a comment in the draft.
  private func words(_ name: String) -> String {
    guard let scheme = scheme(name), let type = scheme["type"]?.string else { return "not described" }
    if type == "http" { return "http \(scheme["scheme"]?.string ?? "")" }
    guard case .object(let flows)? = scheme["flows"] else { return type }
    return "\(type) \(flows.members.map(\.name).joined(separator: ", "))"
  }
}
