internal import BatchRunner
internal import RunViews

/// Prints one line for each flow, in plan order.
///
/// The line of a flow is printed as soon as this flow and all flows before it have ended.
struct LineView {
  let run: BatchRun
  let console: Console
  let line: FlowLine
  /// The progress display. Lines are printed above it.
  let progress: TerminalProgress?

  /// Prints lines until the run has ended.
  ///
  /// - Parameter changeSignals: yields an element after changes, and finishes with the run
  func show(_ changeSignals: AsyncStream<Void>) async {
    var next = 0
    for await _ in changeSignals { await printLines(from: &next) }
    // The last changes may have happened without a signal.
    await printLines(from: &next)
  }

  private func printLines(from next: inout Int) async {
    let settled = settled(from: next)
    next = settled.next
    // Lines that are ready at the same time are written together.
    let text = settled.shown.map(line.text).joined()
    guard !text.isEmpty else { return }
    let out = console.out
    let write: @Sendable () -> Void = {
      out.write(text)
      out.flush()
    }
    // The reader of the lines may be slow. On this executor, no flow waits for the reader.
    await withTaskExecutorPreference(globalConcurrentExecutor) {
      if let progress { await progress.print(write) } else { write() }
    }
  }

  /// The flows before the first flow that has not ended, without the flows that `--quiet` hides.
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
