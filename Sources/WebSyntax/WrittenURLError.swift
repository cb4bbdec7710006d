/// The reason why a URL that a user wrote cannot be used.
///
/// The error contains no part of the text except one byte, because the text may contain a password.
public struct WrittenURLError: Error, Hashable, Sendable {
  /// The kind of the error.
  public enum Reason: Hashable, Sendable {
    /// The text contains a space or a control character.
    case blank
    case backslash
    /// The text has no `://`.
    case noScheme
    /// The scheme is not one of the allowed schemes.
    case scheme
    /// The text has a user or a password, which is not allowed here.
    case user
    case fragment
    /// The host or the port is not valid.
    case server(WebURLError)
  }

  /// The kind of the error.
  public let reason: Reason
  /// The offset of the error in UTF-8 bytes from the start of the text.
  public let offset: Int

  init(_ reason: Reason, at offset: Int = 0) {
    self.reason = reason
    self.offset = offset
  }
}

extension WrittenURLError: CustomStringConvertible {
  /// The text that completes "the base URL …".
  public var description: String {
    switch reason {
    case .blank: "contains white space or a control character"
    case .backslash: "contains a backslash"
    case .noScheme: "needs a scheme and a host, for example http://host/path"
    case .scheme: "has a scheme that is not http or https"
    case .user: "contains user information ('@'); send credentials in a header"
    case .fragment: "contains a fragment ('#')"
    case .server(let error): "\(error)"
    }
  }
}
