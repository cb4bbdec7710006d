package import BatchRunner
internal import ReactorCore
internal import SourceDiagnostics

/// What a progress display shows of a run at one moment; small, because the run waits for it.
package struct ProgressSnapshot: Sendable, Hashable {
  /// A flow that runs.
  package struct Running: Sendable, Hashable {
    /// Printable.
    package var id: String
    /// `load`, `reach`, `request`, `parse` or `save`; nil before the first.
    package var step: String?
    /// The path that another run writes and that the flow waits for, printable; nil when it does not wait.
    package var awaitedPath: String?
    /// Received so far.
    package var bytes: Int
    /// On the run's clock.
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
  /// How many of these failed.
  package var failed = 0
  /// Flows that run.
  package var runningCount = 0
  /// The first of them, in plan order.
  package var running: [Running] = []
  /// Records of flows that ended.
  package var records = 0
  /// Received so far.
  package var bytes = 0
  /// Deferred saves that are not over; 0 while flows run.
  package var saving = 0
  /// When the run began.
  package var started: Duration?
  /// Whether it was asked to stop.
  package var isCancelled = false

  /// Nothing yet.
  package init() {}

  /// A snapshot of a run.
  ///
  /// - Parameter maximum: running flows that are listed
  package init(_ state: borrowing RunState, maximum: Int) {
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
      if flow.status == .running, running.count < maximum {
        running.append(
          Running(
            id: PrintableText.of(flow.id, limit: 100), step: flow.step?.rawValue, bytes: flow.bytes,
            started: flow.started ?? .zero, awaitedPath: flow.awaitedPath.map { PrintableText.of($0, limit: 200) }))
      }
      if state.phase == .draining, flow.save == .deferred { saving += 1 }
      if state.phase != .draining, running.count == min(maximum, runningCount) { break }
    }
  }
}
