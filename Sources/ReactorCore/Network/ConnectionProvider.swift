/// Makes the connection of a base URL.
///
/// The base-URL overloads of `createFlow` need one, because this library knows no sockets. `HTTPClient` is one.
public protocol ConnectionProvider: Sendable {
  /// A connection whose resources are relative to the base URL; a malformed URL fails each of its requests.
  func connection(baseURL: String) -> any Connection
}
