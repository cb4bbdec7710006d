internal import BatchRunner
internal import RunViews

/// Prints a line for each flow in plan order, as soon as all flows before it are over.
struct LineView {
  let run: BatchRun
  let console: Console
  let line: FlowLine
  /// The progress display, which lines are printed above.
  let progress: TerminalProgress?

  /// Prints until the run is over.
  ///
  /// - Parameter changeSignals: has an element after changes, and ends with the run
  func show(_ changeSignals: AsyncStream<Void>) async {
    var next = 0
    for await _ in changeSignals { await printLines(from: &next) }
    // The last changes may have come without a signal.
    await printLines(from: &next)
  }

  private func printLines(from next: inout Int) async {
    let settled = settled(from: next)
    next = settled.next
    // Lines that come together are written together.
    let text = settled.shown.map(line.text).joined()
    guard !text.isEmpty else { return }
    let out = console.out
    let write: @Sendable () -> Void = {
      out.write(text)
      out.flush()
    }
    // The reader of the lines may be slow, and no flow waits for it.
    await withTaskExecutorPreference(globalConcurrentExecutor) {
      if let progress { await progress.print(write) } else { write() }
    }
  }

  /// The flows up to the first that is not over, without those that --quiet hides.
  private func settled(from first: Int) -> (shown: [FlowState], next: Int) {
    run.read { [isQuiet = console.isQuiet] state in
      var shown: [FlowState] = []
      var index = first
      while index < state.flows.count, state.flows[index].isSettled {
        if !isQuiet || state.flows[index].status != .passed { shown.append(state.flows[index]) }
        index += 1
      }
      return (shown, index)
    }
  }
}
