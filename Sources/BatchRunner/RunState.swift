/// The state of a whole run at one moment, for views. Only `reduce` changes it.
public struct RunState: Sendable, Hashable {
  /// The phase of a run.
  public enum Phase: String, Sendable, Hashable, CaseIterable {
    /// The run has not started.
    case idle
    /// Flows wait or run.
    case running
    /// No flow waits or runs; deferred saves may still run.
    case draining
    /// The run has ended.
    case finished
  }

  /// The current phase of the run.
  public internal(set) var phase = Phase.idle
  /// The flows, in the order of the plan.
  public internal(set) var flows: [FlowState]
  /// Counts and sums over all flows.
  public internal(set) var counters: RunCounters
  /// Why the run starts no more flows although some waited; nil otherwise.
  public internal(set) var stop: RunStop?
  /// The time of the start, as a reading of the run's clock.
  public internal(set) var started: Duration?
  /// The time of the end, as a reading of the run's clock.
  public internal(set) var ended: Duration?

  /// The number of flows with status `failed` or `error` after which no more flows start; nil for no limit.
  public let maxFailures: Int?

  /// Whether other processes take part in the run.
  public let isShared: Bool

  /// Whether the run is stopping or has stopped early.
  public var isCancelled: Bool { stop != nil }

  /// Creates the state before the start of the run.
  public init(_ plan: RunPlan) {
    flows = plan.flows.map(FlowState.init)
    counters = RunCounters(selected: plan.flows.count)
    maxFailures = plan.limits.maxFailures
    isShared = plan.claims != nil
  }
}
