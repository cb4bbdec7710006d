/// How fast a host may be asked.
public struct RateDeclaration: Sendable, Hashable {
  /// So many requests may begin within any window of so many seconds.
  public struct Limit: Sendable, Hashable {
    /// Requests, at least 1.
    public var requests: Int
    /// The window, in seconds.
    public var seconds: Double

    /// Builds a limit.
    public init(requests: Int, seconds: Double) {
      self.requests = requests
      self.seconds = seconds
    }
  }

  /// The most requests in a window; nil for as many as come.
  public var max: Limit?
  /// The most requests that wait for their response at once; nil for as many as come.
  public var concurrency: Int?
  /// Whether what answers tell of the server's own limit is followed.
  public var followsHeaders = true

  /// No limit but the server's.
  public init() {}
}
