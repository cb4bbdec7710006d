/// Sends a request to a server and returns the response as a stream.
///
/// A connection follows redirects and enforces its limits. It does not judge the status; the response modifier does
/// (see `Network`).
public protocol Connection: Sendable {
  /// The URL to which resources are relative.
  ///
  /// A persisted result belongs to its base URL. Equal paths on two hosts never share a result.
  var baseURL: String { get }

  /// The check whether the host can be reached. A flow calls it before a request when its configuration requires it.
  var reachability: any Reachability { get }

  /// Sends the request and returns as soon as the head of the response is complete.
  ///
  /// Cancelling the calling task stops the transfer.
  func response(for resource: Resource) async throws(ReactorError) -> Response
}

extension Connection {
  /// A check that always succeeds, for connections without a check of their own.
  public var reachability: any Reachability { AlwaysReachable() }
}

/// Creates the connection for a base URL.
///
/// The base-URL overloads of `createFlow` need a provider, because this library does not use sockets itself.
/// `HTTPClient` is a provider.
public protocol ConnectionProvider: Sendable {
  /// Creates a connection whose resources are relative to the base URL.
  ///
  /// When the URL is malformed, each request of the connection fails.
  func connection(baseURL: String) -> any Connection
}
