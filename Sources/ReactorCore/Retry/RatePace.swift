package import WebSyntax

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

  /// Limits for some of the requests, which are counted separately.
  public struct Budget: Sendable, Hashable {
    /// The requests that count.
    public var requests: RequestPattern
    /// The limits; all of them apply.
    public var limits: [Limit]

    /// Creates a budget.
    public init(_ requests: RequestPattern, limits: [Limit]) {
      self.requests = requests
      self.limits = limits
    }
  }

  /// The limits for all requests; all of them apply.
  public var limits: [Limit]
  /// Further limits for some of the requests. A request must keep the limits of each budget that it matches.
  public var budgets: [Budget]
  /// The maximum number of requests that wait for their response at the same time; nil for no limit.
  public var concurrency: Int?
  /// Whether the rate-limit header fields of responses delay the next requests to the host.
  public var followsHeaders: Bool
  /// The rate-limit header fields that are followed; nil for the fields with the usual names.
  package var limitFields: LimitFields?

  /// Creates a pace; by default only the server's header fields limit it.
  public init(
    limits: [Limit] = [], budgets: [Budget] = [], concurrency: Int? = nil, followsHeaders: Bool = true
  ) {
    self.limits = limits
    self.budgets = budgets
    self.concurrency = concurrency
    self.followsHeaders = followsHeaders
  }

  /// Whether a request never waits for another request of its flow, unless the usual rate-limit header fields require a
  /// wait.
  package var isUnlimited: Bool { limits.isEmpty && budgets.isEmpty && concurrency == nil && limitFields == nil }
}
