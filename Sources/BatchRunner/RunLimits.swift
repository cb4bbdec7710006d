/// The limits of a run: how many flows run at the same time, and when the run stops.
public struct RunLimits: Sendable, Hashable {
  /// The maximum number of flows that run at the same time, at least 1.
  public var jobs: Int
  /// The maximum number of flows of one host that run at the same time, at least 1.
  public var perHost: Int
  /// The time that a flow may take in addition to the timeout of its request: for the load, the reachability check and
  /// the save.
  ///
  /// After this time the flow is cancelled.
  public var overrun: Duration
  /// The time limit of the run; nil for no limit.
  ///
  /// After this time, the run starts no more flows and cancels the running flows. Deferred saves continue.
  public var totalTimeout: Duration?
  /// The number of flows with status `failed` or `error` after which no more flows start; nil for no limit.
  ///
  /// It is at least 1. The running flows may end.
  public var maxFailures: Int?

  /// Creates limits; a number below 1 counts as 1.
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
