internal import ByteCodings
internal import WebSyntax

extension DraftAuth {
  /// The parts of a draft into which the headers and the query of a request are converted.
  struct Found {
    var auth: DraftAuth?
    var headers: [DraftParameter] = []
    var query: [DraftParameter] = []
    var notes: [String] = []
    /// The values of the secrets by name, as far as the request contains them.
    var values: [String: String] = [:]

    /// Returns the name of a credential's secret: that of a variable of the shell, or else another one with its value.
    mutating func secret(_ value: String, named name: @autoclosure () -> String) -> String {
      if let variable = DraftAuth.variable(value) { return variable }
      let name = name()
      // Two credentials may have one name; the first value stays with it.
      if values[name] == nil { values[name] = value }
      return name
    }
  }

  /// Extracts the credentials of a request: one becomes `auth`, every other becomes a secret.
  static func taken(from headers: [RecordedRequest.Field], query: [RecordedRequest.Field]) -> Found {
    var found = Found()
    for field in headers where field.name.lowercased() == "authorization" && found.auth == nil {
      authorization(field.value, &found)
    }
    for (location, fields) in [(KeyLocation.header, headers), (.query, query)] {
      for field in fields {
        let name = field.name.lowercased()
        if location == .header, name == "authorization" { continue }
        var value = DraftText(field.value)
        if location == .header ? CredentialName.isHeader(name) : isCredentialParameter(field) {
          value = .secret(found.secret(field.value, named: secretName(field.name)))
          if found.auth == nil, location == .query || isKey(name) {
            found.auth = .apiKey(location, field.name, value)
            continue
          }
        }
        let parameter = DraftParameter(field.name, value)
        if location == .header { found.headers.append(parameter) } else { found.query.append(parameter) }
      }
    }
    return found
  }

  /// Reads the header `Authorization` (RFC 9110, section 11.6.2).
  private static func authorization(_ value: String, _ found: inout Found) {
    let scheme = value.prefix { $0 != " " }
    let rest = String(value[scheme.endIndex...].drop { $0 == " " })
    switch scheme.lowercased() {
    case "bearer" where !rest.isEmpty: found.auth = .bearer(found.secret(rest, named: "API_TOKEN"))
    case "basic" where !rest.isEmpty: found.auth = basic(rest, &found)
    case "digest", "negotiate", "ntlm", "hawk", "signature", "oauth", "aws4-hmac-sha256":
      found.notes.append("The request has a signature of its own ('\(scheme)'), which no flow can reuse: write 'auth'.")
    default:
      let secret = rest.isEmpty ? DraftText("") : DraftText("\(scheme) ")
      let name = found.secret(rest.isEmpty ? value : rest, named: "API_TOKEN")
      found.auth = .apiKey(.header, "Authorization", secret + .secret(name))
    }
  }

  private static func basic(_ credentials: String, _ found: inout Found) -> DraftAuth {
    guard let bytes = Base64.decode(Array(credentials.utf8), allowing: [.padding, .spareBits]) else {
      return .apiKey(
        .header, "Authorization", DraftText("Basic ") + .secret(found.secret(credentials, named: "API_TOKEN")))
    }
    let text = String(decoding: bytes, as: UTF8.self)
    let username = text.prefix { $0 != ":" }
    let password = text[username.endIndex...].dropFirst()
    // Servers often expect a key as the user name, with an empty password.
    if username.endIndex < text.endIndex, password.isEmpty {
      return .basic(username: found.secret(String(username), named: "API_KEY"), password: nil)
    }
    return .basic(
      username: found.secret(String(username), named: "API_USERNAME"),
      password: found.secret(String(password), named: "API_PASSWORD"))
  }

  /// Returns `TOKEN` for `$TOKEN` or `${TOKEN}`, as command lines in documentation write it; nil for any other text.
  fileprivate static func variable(_ text: String) -> String? {
    guard text.hasPrefix("$") else { return nil }
    var name = text.dropFirst()
    if name.hasPrefix("{"), name.hasSuffix("}") { name = name.dropFirst().dropLast() }
    return DraftText.isWord(String(name)) ? String(name) : nil
  }

  /// Whether a header with this name identifies the client. A cookie or CSRF token only shows an earlier page visit.
  private static func isKey(_ name: String) -> Bool {
    name != "cookie" && name != "proxy-authorization" && !name.contains("csrf") && !name.contains("xsrf")
  }

  private static func isCredentialParameter(_ field: RecordedRequest.Field) -> Bool {
    CredentialName.isQuery(field.name, value: field.value)
      || DraftText.plain(field.name) == "key" && variable(field.value) != nil
  }
}
