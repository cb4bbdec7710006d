/// The rule for waits before retries, when the server does not set the wait.
public struct Backoff: Sendable, Hashable {
  /// Whether each wait is twice the previous wait; otherwise all waits are equal.
  public var isExponential: Bool
  /// The wait before the first retry.
  public var first: Duration
  /// The maximum wait. It also limits the waits that a server requests.
  public var longest: Duration

  /// Creates a rule for waits.
  public init(isExponential: Bool = true, first: Duration = .seconds(1), longest: Duration = .seconds(60)) {
    self.isExponential = isExponential
    self.first = first
    self.longest = longest
  }

  /// Returns the wait before a retry.
  ///
  /// An exponential wait is random, between half of its full length and its full length. Clients that failed at the same
  /// time therefore do not retry at the same time. Constant waits are exact.
  ///
  /// - Parameters:
  ///   - retry: the number of the retry, from 1
  ///   - random: a random number, at least 0 and below 1
  public func wait(beforeRetry retry: Int, random: Double) -> Duration {
    guard isExponential else { return min(first, longest) }
    var wait = min(first, longest)
    for _ in 1..<max(retry, 1) where wait < longest { wait = min(wait * 2, longest) }
    return wait * (0.5 + min(max(random, 0), 1) / 2)
  }
}
