package import BatchRunner
internal import ReactorCore
internal import SourceDiagnostics

/// The state of a run at one moment, for a progress display.
///
/// It is small, because the run waits while the snapshot is taken.
package struct ProgressSnapshot: Sendable, Hashable {
  /// A running flow.
  package struct Running: Sendable, Hashable {
    /// The id, safe to print.
    package var id: String
    /// The current step: `load`, `reach`, `request`, `parse` or `save`; nil before the first step.
    package var step: String?
    /// The path for which the flow waits because another run writes it, safe to print; nil when it does not wait.
    package var awaitedPath: String?
    /// The number of bytes received so far.
    package var bytes: Int
    /// The time at which the flow started, on the run's clock.
    package var started: Duration
    /// The time that the flow usually takes; nil when it is not known.
    package var usual: Duration?

    /// Creates the state of a running flow.
    package init(
      id: String, step: String?, bytes: Int, started: Duration, awaitedPath: String? = nil, usual: Duration? = nil
    ) {
      self.id = id
      self.step = step
      self.bytes = bytes
      self.started = started
      self.awaitedPath = awaitedPath
      self.usual = usual
    }
  }

  /// The number of flows of the run.
  package var selected = 0
  /// The number of flows that have ended.
  package var ended = 0
  /// The number of ended flows that failed.
  package var failed = 0
  /// The number of running flows.
  package var runningCount = 0
  /// The flows that have run longest, the longest first.
  package var running: [Running] = []
  /// The number of records of ended flows.
  package var records = 0
  /// The number of bytes received so far.
  package var bytes = 0
  /// The number of deferred saves that have not ended; 0 while flows run.
  package var saving = 0
  /// The time at which the run began.
  package var started: Duration?
  /// Whether the run is stopping on request.
  package var isCancelled = false
  /// The time to the end of the run; nil when it is not known.
  package var left: Duration?
  /// Records a second, over the last seconds.
  package var recordRate = 0
  /// Received bytes a second, over the last seconds.
  package var byteRate = 0

  /// Creates an empty snapshot.
  package init() {}

  /// Creates a snapshot of a run.
  ///
  /// - Parameters:
  ///   - maximum: the maximum number of running flows that are listed
  ///   - time: estimates the time to the end; nil without an estimate
  package init(_ state: borrowing RunState, maximum: Int, now: Duration = .zero, time: TimeLeft? = nil) {
    let counters = state.counters
    selected = counters.selected
    ended = counters.ended
    failed = counters[.failed] + counters[.error]
    runningCount = counters[.running]
    records = counters.records
    bytes = counters.bytes
    started = state.started
    isCancelled = state.isCancelled
    if !isCancelled { left = time?.estimate(state, now: now) }
    // Indices are used because a loop over the elements copies every flow.
    var found: [(started: Duration, index: Int)] = []
    for index in state.flows.indices {
      if found.count == runningCount, state.phase != .draining { break }
      if state.flows[index].status == .running { found.append((state.flows[index].started ?? .zero, index)) }
      if state.phase == .draining, state.flows[index].save == .deferred { saving += 1 }
    }
    found.sort { ($0.started, $0.index) < ($1.started, $1.index) }
    running = found.prefix(maximum).map { started, index in
      let flow = state.flows[index]
      return Running(
        id: PrintableText.of(flow.id, limit: 100), step: flow.step?.rawValue, bytes: flow.bytes, started: started,
        awaitedPath: flow.awaitedPath.map { PrintableText.of($0, limit: 200) }, usual: time?.usual(index))
    }
  }
}
