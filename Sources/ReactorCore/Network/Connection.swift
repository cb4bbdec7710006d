/// Sends a request to a server and returns the response as a stream.
///
/// A connection follows redirects and keeps its limits. It does not judge the status: the response modifier does
/// (see `Network`).
public protocol Connection: Sendable {
  /// The URL that resources are relative to. Persisted results belong to it: equal paths of two hosts never share one.
  var baseURL: String { get }

  /// Says before a request whether the host can be reached. A flow asks it when its configuration checks reachability.
  var reachability: any Reachability { get }

  /// Sends the request; returns as soon as the response's head is complete.
  ///
  /// Cancelling the calling task stops the transfer.
  func response(for resource: Resource) async throws(ReactorError) -> Response
}

extension Connection {
  /// Always reachable, for connections that have no check of their own.
  public var reachability: any Reachability { AlwaysReachable() }
}

/// Makes the connection of a base URL.
///
/// The base-URL overloads of `createFlow` need one, because this library knows no sockets. `HTTPClient` is one.
public protocol ConnectionProvider: Sendable {
  /// A connection whose resources are relative to the base URL; a malformed URL fails each of its requests.
  func connection(baseURL: String) -> any Connection
}
