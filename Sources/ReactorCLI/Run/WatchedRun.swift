internal import BatchRunner
internal import ReactorCore
internal import ReactorState
internal import RunViews

/// A run with its views: lines, progress and event logs. No view can change or delay the run.
struct WatchedRun: Sendable {
  private let run: BatchRun
  private let clock: RunClock
  private let ending: RunEnding
  private let progress: TerminalProgress?
  /// Stores the ends of flows, when several processes take part in the run.
  private let recorder: SharedRecorder?

  /// Prepares the views; starts nothing.
  private init(_ run: BatchRun, clock: RunClock, _ ending: RunEnding, _ recorder: SharedRecorder?) {
    self.run = run
    self.recorder = recorder
    self.clock = clock
    self.ending = ending
    let console = ending.console
    let root = ending.root
    progress =
      console.hasProgress
      ? TerminalProgress(err: console.err, style: console.errStyle) { RunHistory.expectedDurations(root: root) } : nil
  }

  /// Runs assembled flows to the end, handles signals, and closes the flows.
  ///
  /// - Returns: the final state, and messages about event logs that were not written
  static func execute(
    _ assembled: AssembledFlows, _ limits: RunLimits, _ signals: SignalWatch?, grace: Duration, _ ending: RunEnding
  ) async -> (state: RunState, lost: [String]) {
    let plan = RunPlan(assembled.flows, limits: limits, end: assembled.end)
    return await execute(plan, close: assembled.close, signals, grace: grace, ending)
  }

  /// Runs a plan to the end, handles signals, and closes its flows.
  ///
  /// - Parameter recorder: stores the ends of flows, when several processes take part in the run
  /// - Returns: the final state, and messages about event logs that were not written
  static func execute(
    _ plan: RunPlan, close: @Sendable () async -> Void, _ signals: SignalWatch?, grace: Duration, _ ending: RunEnding,
    _ recorder: SharedRecorder? = nil
  ) async -> (state: RunState, lost: [String]) {
    let clock = RunClock.continuous
    let run = BatchRun(plan, clock: clock)
    let watched = WatchedRun(run, clock: clock, ending, recorder)
    signals?.act(watched.actions(signals, grace: grace))
    let result = await watched.execute()
    await close()
    return result
  }

  /// Runs the flows to the end.
  private func execute() async -> (state: RunState, lost: [String]) {
    // Views are attached before the run starts, so that they miss no event.
    let recorder = EventRecorder(run.plan, ending)
    let changes = recorder.map { _ in run.transitions() }
    let traced = TraceRecorder.follow(run, clock, ending.trace)
    async let lost = record(recorder, changes)
    let state = await show()
    await traced?.value
    return (state, await lost)
  }

  /// The actions for signals. The first signal ends the run within the grace time; a forced end reports the state so
  /// far.
  private func actions(_ signals: SignalWatch?, grace: Duration) -> SignalWatch.Actions {
    let (run, ending, progress) = (run, ending, progress)
    return SignalWatch.Actions(grace: grace) {
      run.drain(grace: grace)
      let err = ending.console.err
      let say: @Sendable () -> Void = {
        err.write(SignalWatch.note(grace))
        err.flush()
      }
      if let progress { progress.note(say) } else { say() }
    } report: {
      _ = ending.finish(run.state.own(), signal: signals?.exitCode)
      ending.console.out.flush()
      ending.console.err.flush()
    }
  }

  private func show() async -> RunState {
    let view =
      ending.printsLines && recorder == nil
      ? LineView(
        run: run, console: ending.console, line: ending.line(run.plan.flows.map(\.id)), progress: progress) : nil
    let changeSignals = view.map { _ in run.changeSignals }
    let waits = ending.console.isVerbose ? run.transitions { $0.awaitedPath != nil } : nil
    async let lines: Void = show(view, changeSignals)
    async let notes: Void = note(waits)
    let ends = recorder.map { _ in run.transitions(matching: SharedRecorder.isOfInterest) }
    async let stored: Void = store(ends)
    async let _: Void = draw()
    let state = await run.execute()
    await lines
    await notes
    await stored
    await progress?.close()
    // At the end of this scope, the drawing task is cancelled and awaited.
    return state
  }

  private func show(_ view: LineView?, _ changeSignals: AsyncStream<Void>?) async {
    if let view, let changeSignals { await view.show(changeSignals) }
  }

  /// Prints immediately which flows wait for another run.
  private func note(_ waits: Transitions<RunMutation>?) async {
    guard let waits else { return }
    let (console, flows) = (ending.console, run.plan.flows)
    for await transition in waits {
      guard case .flowProgressed(let index, _) = transition.mutation, flows.indices.contains(index),
        let path = transition.mutation.awaitedPath
      else { continue }
      let say: @Sendable () -> Void = {
        console.note("'\(flows[index].id)' waits for another run, which is writing '\(path)'")
        console.err.flush()
      }
      if let progress { progress.note(say) } else { say() }
    }
  }

  private func store(_ changes: Transitions<RunMutation>?) async {
    guard let recorder, let changes else { return }
    await recorder.record(run, changes, progress)
  }

  private func draw() async { await progress?.show(run, clock: clock) }

  private func record(_ recorder: EventRecorder?, _ changes: Transitions<RunMutation>?) async -> [String] {
    guard let recorder, let changes else { return [] }
    return await recorder.record(changes)
  }
}

extension RunMutation {
  /// The output path for which a flow begins to wait; nil for every other change.
  fileprivate var awaitedPath: String? {
    guard case .flowProgressed(_, .waitingForRun(let path)) = self else { return nil }
    return path
  }
}
