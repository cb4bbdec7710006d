/// Why a text cannot be used as a URL that people write. It holds no part of the text, which may contain a password.
public struct WrittenURLError: Error, Hashable, Sendable {
  /// What is wrong.
  public enum Reason: Hashable, Sendable {
    /// A blank or a control character.
    case blank
    case backslash
    /// There is no `://`.
    case noScheme
    /// The scheme is none of those allowed.
    case scheme
    /// A user or a password where none is allowed.
    case user
    case fragment
    /// The host or the port.
    case server(WebURLError)
  }

  /// What is wrong.
  public let reason: Reason
  /// UTF-8 bytes from the start of the text.
  public let offset: Int

  init(_ reason: Reason, at offset: Int = 0) {
    self.reason = reason
    self.offset = offset
  }
}

extension WrittenURLError: CustomStringConvertible {
  /// Completes "the base URL …".
  public var description: String {
    switch reason {
    case .blank: "holds white space or a control character"
    case .backslash: "holds a backslash"
    case .noScheme: "needs a scheme and a host, as in http://host/path"
    case .scheme: "has a scheme that is not http or https"
    case .user: "holds user information ('@'); send credentials in a header"
    case .fragment: "holds a fragment ('#')"
    case .server(let error): "\(error)"
    }
  }
}
