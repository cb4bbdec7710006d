internal import JSONSyntax
internal import ReactorCore

/// The access token of a response (RFC 6749, section 5.1).
struct AccessToken: Mappable {
  let text: String
  let type: String?
  let lifetime: Duration?

  static func mapToModel(_ json: JSONValue) throws(MappedError) -> AccessToken {
    guard json["access_token"] ?? .null != .null else { throw MappedError("the response contains no 'access_token'") }
    let text = try json.stringField("access_token")
    guard !text.isEmpty else { throw MappedError("expected a token, found an empty string").inside("access_token") }
    return AccessToken(
      text: text, type: json["token_type"]?.string, lifetime: TokenLifetime.seconds(json["expires_in"]))
  }

  /// Returns nil: the token is used only in the run that obtained it, and is not persisted.
  func mapToJSON() -> JSONValue? { nil }
}

/// The refresh token of a response; its `text` is nil when the response has none.
struct NextRefreshToken: Mappable {
  let text: String?

  static func mapToModel(_ json: JSONValue) throws(MappedError) -> NextRefreshToken {
    let text = json["refresh_token"]?.string
    return NextRefreshToken(text: text?.isEmpty == true ? nil : text)
  }

  func mapToJSON() -> JSONValue? { nil }
}
