internal import BatchRunner
internal import ReactorCore
internal import ReactorState
internal import RunViews
internal import SharedState

/// Stores the end of each flow of this process in the shared state, and prints its line.
///
/// In a run of several processes lines are printed in the order of the ends, because flows between them are elsewhere.
struct SharedRecorder: Sendable {
  private let run: SharedRun
  private let ending: RunEnding
  /// The time from the beginning of the whole run to the beginning of this process.
  private let offset: Duration

  init(_ run: SharedRun, _ ending: RunEnding, since offset: Duration) {
    self.run = run
    self.ending = ending
    self.offset = offset
  }

  /// Whether a change begins or perhaps ends a flow. All others are not kept for the recorder.
  static let isOfInterest: @Sendable (RunMutation) -> Bool = { change in
    switch change {
    case .flowStarted, .flowFinished, .flowFailed, .flowCancelled, .saveEnded: true
    case .flowProgressed(_, let event): event.isEndOfSave
    case .started, .flowQueued, .cancelled, .stopped, .leftToOthers, .draining, .finished: false
    }
  }

  /// Stores ends until the run of this process has ended.
  func record(_ batch: BatchRun, _ changes: Transitions<RunMutation>, _ progress: TerminalProgress?) async {
    async let _: Void = cancelLosses(batch)
    let line = ending.line(batch.plan.flows.map(\.id))
    // A change may be read after a later one of the same flow, so both see a flow that has ended.
    var attempts: [Int: Int] = [:]
    for await change in changes {
      if case .flowStarted(let index, _) = change.mutation { await run.begin(batch.plan.flows[index].id) }
      guard let index = change.mutation.flow else { continue }
      let (flow, start) = batch.read { state in
        (state.flows[index].isSettled ? state.flows[index] : nil, state.started ?? .zero)
      }
      guard let flow else { continue }
      // Nobody would run a flow that was cancelled here while this process has its unit.
      if flow.status == .cancelled, !(flow.error?.isOtherRun ?? false) { await run.giveUp(flow.id) }
      // Without the database nobody knows how the flow would have ended.
      if flow.error?.isOfSharedState ?? false { await run.giveUp(flow.id) }
      guard hasEnded(flow, change.mutation), attempts.updateValue(flow.attempt, forKey: index) != flow.attempt
      else { continue }
      // The process that has taken the flow over prints its line.
      guard await !run.lost.contains(flow.id) else { continue }
      await run.end(end(of: flow, start))
      await show(line.text(flow), of: flow.status, progress)
    }
    await run.leave()
  }

  /// Whether a change has settled a flow. A flow that was cancelled with this process remains for the others.
  private func hasEnded(_ flow: FlowState, _ mutation: RunMutation) -> Bool {
    switch flow.status {
    case .elsewhere: return false
    case .cancelled: return flow.error?.isOtherRun ?? false
    default: return mutation.settles(flow)
    }
  }

  private func cancelLosses(_ batch: BatchRun) async {
    let indices = Dictionary(
      batch.plan.flows.indices.map { (batch.plan.flows[$0].id, $0) }, uniquingKeysWith: { first, _ in first })
    for await flows in run.losses {
      let lost = await run.lost
      for index in flows.filter(lost.contains).compactMap({ indices[$0] }) { batch.store.send(.cancel(index)) }
      let console = ending.console
      for flow in flows { console.warn("'\(flow)' is left to the other processes of the run") }
    }
  }

  private func end(of flow: FlowState, _ start: Duration) -> FlowEnd {
    let out = ending.console.out
    let mask: @Sendable (String) -> String = { out.masked($0) }
    var exits = ExitCode.codes(of: [flow], isOffline: ending.isOffline, isInterrupted: false)
    if ending.failsPartial, flow.isPartial { exits.insert(.policy) }
    let exit = ExitCode.worst(of: exits)
    let part = RunReport.flow(
      flow, isOffline: ending.isOffline, start: ending.hasTiming ? start - offset : nil, mask: mask)
    let report = RunReport(
      tool: ToolVersion.text, isComplete: true, exit: exit.rawValue, hasTiming: ending.hasTiming, flows: [part])
    let entry = ending.entry(of: flow, start: start, mask)
    var end = FlowEnd(
      flow: flow.id, status: part.status.rawValue, exit: exit.rawValue,
      report: String(decoding: report.jsonLine, as: UTF8.self),
      line: String(decoding: entry.line.dropLast(), as: UTF8.self),
      duration: flow.status == .passed && flow.source == .network ? entry.duration : nil)
    end.took = entry.duration
    return end
  }

  private func show(_ text: String, of status: FlowStatus, _ progress: TerminalProgress?) async {
    guard ending.printsLines, !ending.console.isQuiet || status != .passed else { return }
    let out = ending.console.out
    let write: @Sendable () -> Void = {
      out.write(text)
      out.flush()
    }
    if let progress { await progress.print(write) } else { write() }
  }
}

extension RunMutation {
  /// The flow that the change concerns.
  fileprivate var flow: Int? {
    switch self {
    case .flowFinished(let index, _, _), .flowFailed(let index, _, _), .flowProgressed(let index, _),
      .saveEnded(let index, _), .flowCancelled(let index):
      index
    case .started, .flowStarted, .flowQueued, .cancelled, .stopped, .leftToOthers, .draining, .finished: nil
    }
  }

  /// Whether the change is the one with which a settled flow has ended: its own end, or that of a deferred save.
  fileprivate func settles(_ flow: FlowState) -> Bool {
    switch self {
    case .flowFinished, .flowFailed, .saveEnded: return true
    case .flowProgressed(_, let event): return event.isEndOfSave
    default: return false
    }
  }
}

extension FlowEvent {
  /// Whether a result was saved, or could not be.
  fileprivate var isEndOfSave: Bool {
    switch self {
    case .finished(.save, _), .failed(.save, _): true
    default: false
    }
  }
}
