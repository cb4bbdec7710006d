public import ReactorCore

/// Where a token goes, and in what words.
public struct TokenWording: Sendable {
  /// Where it goes.
  public var location: Credential.Location
  /// The text that is sent, made of the names known so far, `token` among them; nil is the usual one: the token, after
  /// `Bearer` in the header Authorization.
  public var text: (@Sendable (_ captures: [String: String]) throws(ReactorError) -> String)?

  /// Builds a wording.
  public init(
    _ location: Credential.Location, text: (@Sendable ([String: String]) throws(ReactorError) -> String)? = nil
  ) {
    self.location = location
    self.text = text
  }

  /// Whether only a bearer token fits.
  var isUsual: Bool { text == nil }

  func credential(_ token: String, _ captures: [String: String] = [:]) throws(ReactorError) -> Credential {
    guard let text else {
      if case .header(let name) = location, Headers.matches(name, "Authorization") {
        return Credential(location, "Bearer \(token)")
      }
      return Credential(location, token)
    }
    var captures = captures
    captures["token"] = token
    return Credential(location, try text(captures))
  }
}
