internal import ByteCodings

/// Names whose values are credentials, by the usage of well-known APIs.
package enum CredentialName {
  /// Whether the value of a header is a credential, by the names that headers alone have.
  package static func isHeader(_ name: String) -> Bool {
    let name = name.lowercased()
    return name == "authorization" || name == "cookie" || name == "proxy-authorization" || name.contains("token")
      || name.contains("api-key") || name.contains("apikey") || name.contains("secret") || name.contains("auth-key")
  }

  /// Whether the value of a parameter, a variable or a member of a body is a credential; `key` alone does not say so.
  package static func isParameter(_ name: String) -> Bool {
    let name = plain(name)
    return parameters.contains(name) || ["apikey", "accesstoken", "refreshtoken"].contains { name.hasSuffix($0) }
  }

  private static let parameters: Set<String> = [
    "accesskey", "apitoken", "appid", "appkey", "auth", "authkey", "authorization", "authtoken", "clientsecret",
    "passwd", "password", "secret", "sessiontoken", "sig", "signature", "subscriptionkey", "token",
  ]

  /// A name in lower case and without punctuation.
  private static func plain(_ text: String) -> String {
    String(decoding: text.utf8.filter { ASCII.isLetter($0) || ASCII.isDigit($0) }.map(ASCII.lowercased), as: UTF8.self)
  }
}
