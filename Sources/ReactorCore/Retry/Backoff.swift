/// How long to wait before a request is sent again, when the server does not say.
public struct Backoff: Sendable, Hashable {
  /// Whether each wait is twice the one before it, or all are equal.
  public var isExponential: Bool
  /// The wait before the first retry.
  public var first: Duration
  /// No wait is longer, not even one that a server asks for.
  public var longest: Duration

  /// A rule for waits.
  public init(isExponential: Bool = true, first: Duration = .seconds(1), longest: Duration = .seconds(60)) {
    self.isExponential = isExponential
    self.first = first
    self.longest = longest
  }

  /// The wait before a retry.
  ///
  /// Exponential waits are spread over their second half, so that clients that failed together do not come back together;
  /// constant ones are exact.
  ///
  /// - Parameters:
  ///   - retry: its number, from 1
  ///   - random: at least 0 and below 1
  public func wait(beforeRetry retry: Int, random: Double) -> Duration {
    guard isExponential else { return min(first, longest) }
    var wait = min(first, longest)
    for _ in 1..<max(retry, 1) where wait < longest { wait = min(wait * 2, longest) }
    return wait * (0.5 + min(max(random, 0), 1) / 2)
  }
}
