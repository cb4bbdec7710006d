/// A whole run at one moment: what views read. Only `reduce` changes it.
public struct RunState: Sendable, Hashable {
  /// The phase of a run.
  public enum Phase: String, Sendable, Hashable, CaseIterable {
    /// It was not started.
    case idle
    /// Flows run.
    case running
    /// No flow runs; deferred saves do.
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
  /// Why it starts no more flows although some waited; nil otherwise.
  public internal(set) var stop: RunStop?
  /// When it was started, since its clock began.
  public internal(set) var started: Duration?
  /// When it was over.
  public internal(set) var ended: Duration?

  /// After so many flows that did not pass it starts no more.
  public let maxFailures: Int?

  /// Whether it stops or stopped early.
  public var isCancelled: Bool { stop != nil }

  /// The state before the start.
  public init(_ plan: RunPlan) {
    flows = plan.flows.map(FlowState.init)
    counters = RunCounters(selected: plan.flows.count)
    maxFailures = plan.limits.maxFailures
  }
}
