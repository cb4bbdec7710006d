internal import ByteCodings

/// Recognizes the names of headers and parameters that contain credentials in well-known APIs.
package enum CredentialName {
  /// Whether a header with this name contains a credential. Some names, such as `Cookie`, mean a credential only in
  /// headers.
  package static func isHeader(_ name: String) -> Bool {
    let name = name.lowercased()
    if headers.contains(name) || ["token", "secret"].contains(where: { name.contains($0) }) { return true }
    let plain = plain(name)
    return plain.contains("apikey") || plain.contains("authkey") || endings.contains { plain.hasSuffix($0) }
      || name.hasPrefix("x-") && ownHeaders.contains { plain.hasSuffix($0) }
  }

  /// Whether a parameter, a variable or a member of a body with this name contains a credential; the name `key` alone
  /// does not mean a credential.
  package static func isParameter(_ name: String) -> Bool {
    let name = plain(name)
    return parameters.contains(name) || endings.contains { name.hasSuffix($0) }
  }

  /// Whether the value of a query parameter is a credential; this includes a long value of `key` or `code`, but never
  /// an empty value.
  package static func isQuery(_ name: String, value: String) -> Bool {
    switch plain(name) {
    // A short value of `key` is usually a name, and a short value of `code` usually a country or a coupon.
    case "key": value.utf8.count >= 12
    case "code": value.utf8.count >= 32
    default: !value.isEmpty && isParameter(name)
    }
  }

  private static let headers: Set<String> = [
    "authorization", "cookie", "proxy-authorization", "session-id", "user-key",
  ]

  /// The endings of `X-` header names that mean credentials. Parameters with such names are usually not credentials.
  private static let ownHeaders = [
    "auth", "authorization", "consumerkey", "functionskey", "session", "sessionid", "signature", "userkey",
  ]

  private static let endings = [
    "accesskey", "accesstoken", "apikey", "applicationkey", "passphrase", "password", "privatekey", "refreshtoken",
    "secretkey", "subscriptionkey",
  ]

  private static let parameters: Set<String> = [
    "apitoken", "appid", "appkey", "auth", "authkey", "authorization", "authtoken", "clientsecret", "credentials",
    "creds", "jwt", "pass", "passwd", "pwd", "secret", "sessiontoken", "sig", "signature", "token", "xamzsignature",
    "xgoogsignature",
  ]

  /// A name in lower case and without punctuation.
  private static func plain(_ text: String) -> String {
    String(decoding: text.utf8.filter { ASCII.isLetter($0) || ASCII.isDigit($0) }.map(ASCII.lowercased), as: UTF8.self)
  }
}
