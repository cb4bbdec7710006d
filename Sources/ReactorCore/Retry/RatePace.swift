/// The maximum rate at which one flow sends requests to its host.
public struct RatePace: Sendable, Hashable {
  /// A maximum number of requests that start within any time window of a given length.
  public struct Limit: Sendable, Hashable {
    /// The maximum number of requests, at least 1.
    public var requests: Int
    /// The length of the window.
    public var window: Duration

    /// Creates a limit; a number below 1 counts as 1.
    public init(_ requests: Int, per window: Duration) {
      self.requests = max(requests, 1)
      self.window = window
    }
  }

  /// The maximum number of requests in a time window; nil for no limit.
  public var limit: Limit?
  /// The maximum number of requests that wait for their response at the same time; nil for no limit.
  public var concurrency: Int?
  /// Whether the rate-limit header fields of responses delay the next requests to the host.
  public var followsHeaders: Bool

  /// Creates a pace; by default only the server's header fields limit it.
  public init(limit: Limit? = nil, concurrency: Int? = nil, followsHeaders: Bool = true) {
    self.limit = limit
    self.concurrency = concurrency
    self.followsHeaders = followsHeaders
  }
}
