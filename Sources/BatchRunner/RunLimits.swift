/// How much of a run goes on at once, and how long a flow may hold its place.
public struct RunLimits: Sendable, Hashable {
  /// Flows that run at once, at least 1.
  public var jobs: Int
  /// Flows of one host that run at once, at least 1.
  public var perHost: Int
  /// What a flow may take beyond its request's timeout, for the load, the probe and the save; then it is cancelled.
  public var overrun: Duration

  /// Sets limits; numbers below 1 count as 1.
  public init(jobs: Int = 8, perHost: Int = 4, overrun: Duration = .seconds(300)) {
    self.jobs = max(jobs, 1)
    self.perHost = max(perHost, 1)
    self.overrun = overrun
  }
}
