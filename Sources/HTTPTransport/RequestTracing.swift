public import ReactorCore

/// Watches the requests that a connection sends, for example to record a trace.
public protocol RequestTracing: Sendable {
  /// Returns what receives the times of a request; nil if it is not watched.
  ///
  /// Called once for each request, before it is sent; each redirect and each repetition is a request of its own. The
  /// thread that drives all transfers may call it, so it must not block. A request for which it was called may remain
  /// unsent.
  func span(for request: TracedRequest) -> (any RequestSpan)?

  /// Returns the value of the field `traceparent` of the request (W3C Trace Context); nil to send none.
  ///
  /// Called after `span(for:)`, and only for requests to the connection's own origin. A field of that name in the
  /// resource has priority.
  ///
  /// - Parameter span: what `span(for:)` has returned for the request
  func traceparent(of span: (any RequestSpan)?) -> String?
}

/// A request as a trace has it.
public struct TracedRequest: Sendable, Hashable {
  /// The request method, such as `GET`.
  public var method: String
  /// The absolute URL with its query, without user information. Secrets in it are not masked.
  public var url: String
  /// The host without the brackets of an IPv6 address.
  public var host: String
  /// The port, from 1 to 65535.
  public var port: Int
  /// How often the request was sent before: because it failed, because it lacked a credential, or with the URL that
  /// redirected here.
  public var resends: Int

  /// Describes a request.
  public init(method: String, url: String, host: String, port: Int, resends: Int = 0) {
    self.method = method
    self.url = url
    self.host = host
    self.port = port
    self.resends = resends
  }
}

/// Receives the beginning and the end of one request. Both are called on the thread that drives all transfers, so they
/// must not block.
public protocol RequestSpan: Sendable {
  /// The id of the span to which the server's spans belong, 16 hexadecimal digits.
  var id: String { get }

  /// The request is sent now. A request that is never sent has no beginning, but may have an end.
  func begin()

  /// The last byte of the response was received, or the transfer has failed.
  ///
  /// - Parameters:
  ///   - status: the status of the response; nil without a response
  ///   - failure: why the response is not complete; `.cancelled` when nobody reads the rest of it
  func end(status: Int?, _ failure: ReactorError?)
}
