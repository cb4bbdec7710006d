/// Makes the transport for a base URL: what the base-URL overloads of `createFlow` need, since this library knows no
/// sockets. The HTTP transport is one.
public protocol ConnectionProvider: Sendable {
  /// A connection whose resources are relative to the base URL; a bad URL fails its requests.
  func connection(baseURL: String) -> any Connection
  /// The reachability check of the base URL's host.
  func reachability(baseURL: String) -> any Reachability
}
