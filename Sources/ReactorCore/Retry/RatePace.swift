/// How fast one flow may ask its host.
public struct RatePace: Sendable, Hashable {
  /// A maximum of requests that begin within any window of a length.
  public struct Limit: Sendable, Hashable {
    /// Requests, at least 1.
    public var requests: Int
    /// The window's length.
    public var window: Duration

    /// A limit; fewer than 1 request count as 1.
    public init(_ requests: Int, per window: Duration) {
      self.requests = max(requests, 1)
      self.window = window
    }
  }

  /// The maximum of requests in a window; nil for no limit.
  public var limit: Limit?
  /// The maximum of requests that wait for their response at once; nil for no limit.
  public var concurrency: Int?
  /// Whether rate limit fields of responses delay the host's next requests.
  public var followsHeaders: Bool

  /// A pace; without arguments only the server sets it.
  public init(limit: Limit? = nil, concurrency: Int? = nil, followsHeaders: Bool = true) {
    self.limit = limit
    self.concurrency = concurrency
    self.followsHeaders = followsHeaders
  }
}
