/// A user name and a password that are sent only as digests.
public struct DigestCredentials: Sendable {
  let username: String
  let password: String

  /// Creates credentials.
  public init(username: String, password: String) {
    self.username = username
    self.password = password
  }
}

extension DigestCredentials: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
  /// The kind; never the password.
  public var description: String { "digest credentials" }
  /// The same text as `description`.
  public var debugDescription: String { description }
  /// No children, so that a dump shows no secret.
  public var customMirror: Mirror { Mirror(self, children: [:]) }
}
