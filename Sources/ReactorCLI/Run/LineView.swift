internal import BatchRunner
internal import RunViews

/// Prints a line for each flow in plan order, each as soon as those before it are over.
struct LineView {
  let run: BatchRun
  let console: Console
  let line: FlowLine
  /// The display that lines are printed above, if there is one.
  let progress: TerminalProgress?

  /// Prints until the run is over.
  ///
  /// - Parameter changeSignals: has an element whenever something may have changed, and ends with the run.
  func show(_ changeSignals: AsyncStream<Void>) async {
    var next = 0
    for await _ in changeSignals { await printLines(from: &next) }
    // What came before the end is looked for once more.
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
    // Whoever reads the lines may be slow, and no flow waits for that.
    await withTaskExecutorPreference(globalConcurrentExecutor) {
      if let progress { await progress.print(write) } else { write() }
    }
  }

  /// The flows that are over, up to the first that is not, without those that nobody wants to see.
  private func settled(from first: Int) -> (shown: [FlowState], next: Int) {
    run.read { [isQuiet = console.isQuiet] state in
      var shown: [FlowState] = []
      var place = first
      while place < state.flows.count, state.flows[place].isSettled {
        if !isQuiet || state.flows[place].status != .passed { shown.append(state.flows[place]) }
        place += 1
      }
      return (shown, place)
    }
  }
}
