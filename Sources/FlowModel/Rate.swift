public import WebSyntax

/// The limit on the rate of requests to a host.
public struct Rate: Sendable {
  /// The number of requests that may start within any window of a given length.
  public struct Limit: Sendable, Hashable {
    /// The number of requests, at least 1.
    public var requests: Int
    /// The length of the window, in seconds.
    public var seconds: Double

    /// Creates a limit.
    public init(requests: Int, seconds: Double) {
      self.requests = requests
      self.seconds = seconds
    }
  }

  /// Limits for the requests with certain paths and methods.
  public struct Budget: Sendable {
    /// Patterns of paths; one of them must match. Empty for all paths.
    public var paths: [String]
    /// The methods; empty for all.
    public var methods: [String]
    /// The limits, at least one; all of them apply.
    public var max: [Setting<Limit>]

    /// Creates a budget.
    public init(paths: [String], methods: [String], max: [Setting<Limit>]) {
      self.paths = paths
      self.methods = methods
      self.max = max
    }
  }

  /// Which header fields of responses, in which the server reports its limit, are obeyed.
  public enum Follow: Sendable {
    case usual, nothing
    case fields(Located<LimitFields>)
  }

  /// The limits for all requests; all of them apply.
  public var max: [Setting<Limit>] = []
  /// The limits for some of the requests.
  public var budgets: [Budget] = []
  /// The maximum number of requests that wait for a response at the same time; nil means no limit.
  public var concurrency: Int?
  /// Which rate limits in response headers are obeyed.
  public var follow = Follow.usual

  /// Creates a rate without declared limits. Limits that response headers report are obeyed.
  public init() {}
}
