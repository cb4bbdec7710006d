/// A whole run at one moment: the only thing that views read. Changed by `reduce` alone.
public struct RunState: Sendable, Hashable {
  /// What the run does.
  public enum Phase: String, Sendable, Hashable, CaseIterable {
    /// It was not started.
    case idle
    /// Flows run.
    case running
    /// No flow runs any more; deferred saves do.
    case draining
    /// It is over.
    case finished
  }

  /// What the run does.
  public internal(set) var phase = Phase.idle
  /// The flows in plan order.
  public internal(set) var flows: [FlowState]
  /// Sums over the flows.
  public internal(set) var counters: RunCounters
  /// Why it begins no more flows although some waited; nil while it does, and when none waited.
  public internal(set) var stop: RunStop?
  /// When it was started, since its clock began.
  public internal(set) var started: Duration?
  /// When it was over.
  public internal(set) var ended: Duration?

  /// So many flows that did not pass, and it begins no more.
  public let maxFailures: Int?

  /// Whether it stops, or has stopped, early.
  public var isCancelled: Bool { stop != nil }

  /// The state before the start.
  public init(_ plan: RunPlan) {
    flows = plan.flows.map(FlowState.init)
    counters = RunCounters(selected: plan.flows.count)
    maxFailures = plan.limits.maxFailures
  }
}
