/// How much of a run goes on at once, and when it stops.
public struct RunLimits: Sendable, Hashable {
  /// Flows that run at once, at least 1.
  public var jobs: Int
  /// Flows of one host that run at once, at least 1.
  public var perHost: Int
  /// The time that a flow may take beyond the timeout of its request: for load, probe and save. Then it is cancelled.
  public var overrun: Duration
  /// The time limit of the run. Then it starts no more flows and cancels those that run; deferred saves go on.
  public var totalTimeout: Duration?
  /// After so many flows that did not pass, at least 1, the run starts no more; those that run may end.
  public var maxFailures: Int?

  /// Sets limits; numbers below 1 count as 1.
  public init(
    jobs: Int = 8, perHost: Int = 4, overrun: Duration = .seconds(300), totalTimeout: Duration? = nil,
    maxFailures: Int? = nil
  ) {
    self.jobs = max(jobs, 1)
    self.perHost = max(perHost, 1)
    self.overrun = overrun
    self.totalTimeout = totalTimeout
    self.maxFailures = maxFailures.map { max($0, 1) }
  }
}
