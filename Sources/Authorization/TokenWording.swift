public import ReactorCore

/// The location of a token in a request, and the text that is sent.
public struct TokenWording: Sendable {
  /// The location of the token in a request.
  public var location: Credential.Location
  /// Builds the text to send from the captured values, which include `token`.
  ///
  /// nil sends the usual text: the token, preceded by `Bearer` in the header `Authorization`.
  public var text: (@Sendable (_ captures: [String: String]) throws(ReactorError) -> String)?

  /// Stores the location, and the closure that builds the text.
  public init(
    _ location: Credential.Location, text: (@Sendable ([String: String]) throws(ReactorError) -> String)? = nil
  ) {
    self.location = location
    self.text = text
  }

  /// Whether the token itself is sent, preceded by `Bearer` in the header `Authorization`: true when `text` is nil.
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
