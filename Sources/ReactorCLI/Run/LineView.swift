internal import BatchRunner
internal import ReactorCore
internal import RunViews

/// Prints a line for each flow in plan order, each as soon as those before it are over.
struct LineView {
  let run: BatchRun
  let console: Console
  let line: FlowLine
  /// The display that lines are printed above, if there is one.
  let progress: TerminalProgress?

  /// Prints until the run is over.
  func show(_ transitions: AsyncStream<RunTransition>) async {
    var next = 0
    for await _ in transitions {
      let settled = settled(from: next)
      guard !settled.isEmpty else { continue }
      next += settled.count
      // Lines that come together are written together.
      let text = settled.filter { !console.isQuiet || $0.status != .passed }.map(line.text).joined()
      guard !text.isEmpty else { continue }
      let out = console.out
      let write: @Sendable () -> Void = {
        out.write(text)
        out.flush()
      }
      if let progress { await progress.print(write) } else { write() }
    }
  }

  /// The changes after which a line may be ready.
  static func matters(_ mutation: RunMutation) -> Bool {
    switch mutation {
    case .flowFinished, .flowFailed, .saveEnded, .cancelled: return true
    case .flowProgressed(_, let event):
      switch event {
      case .finished(.save, _), .failed(.save, _): return true
      default: return false
      }
    default: return false
    }
  }

  private func settled(from first: Int) -> [FlowState] {
    run.read { state in
      var settled: [FlowState] = []
      var place = first
      while place < state.flows.count, state.flows[place].isSettled {
        settled.append(state.flows[place])
        place += 1
      }
      return settled
    }
  }
}
