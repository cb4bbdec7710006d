package import BatchRunner
internal import ReactorCore
internal import SourceDiagnostics

/// What a progress display shows of a run at one moment; taken while the run waits, so it holds no more than it needs.
package struct ProgressSnapshot: Sendable, Hashable {
  /// A flow that runs.
  package struct Running: Sendable, Hashable {
    /// Fit to be shown.
    package var id: String
    /// `load`, `reach`, `request`, `parse` or `save`; nil before the first.
    package var step: String?
    /// The path that another run writes and that it waits for, fit to be shown; nil when it waits for none.
    package var awaitedPath: String?
    /// Received so far.
    package var bytes: Int
    /// Since the run's clock began.
    package var started: Duration

    /// Describes a flow.
    package init(id: String, step: String?, bytes: Int, started: Duration, awaitedPath: String? = nil) {
      self.id = id
      self.step = step
      self.bytes = bytes
      self.started = started
      self.awaitedPath = awaitedPath
    }
  }

  /// Flows of the run.
  package var selected = 0
  /// Flows whose work is over.
  package var ended = 0
  /// Of these, those that failed.
  package var failed = 0
  /// Flows that run.
  package var runningCount = 0
  /// The first of them, in plan order.
  package var running: [Running] = []
  /// Records of flows that ended.
  package var records = 0
  /// Received so far.
  package var bytes = 0
  /// Deferred saves that are still going on; told once no flow runs any more.
  package var saving = 0
  /// When the run began.
  package var started: Duration?
  /// Whether it was asked to stop.
  package var isCancelled = false

  /// Nothing yet.
  package init() {}

  /// Looks at a run.
  ///
  /// - Parameter most: running flows that are told.
  package init(_ state: borrowing RunState, most: Int) {
    let counters = state.counters
    selected = counters.selected
    ended = counters.ended
    failed = counters[.failed] + counters[.error]
    runningCount = counters[.running]
    records = counters.records
    bytes = counters.bytes
    started = state.started
    isCancelled = state.isCancelled
    for flow in state.flows {
      if flow.status == .running, running.count < most {
        running.append(
          Running(
            id: PrintableText.of(flow.id, limit: 100), step: flow.step?.rawValue, bytes: flow.bytes,
            started: flow.started ?? .zero, awaitedPath: flow.awaitedPath.map { PrintableText.of($0, limit: 200) }))
      }
      if state.phase == .draining, flow.save == .deferred { saving += 1 }
      if state.phase != .draining, running.count == min(most, runningCount) { break }
    }
  }
}
