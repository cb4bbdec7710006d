import ReactorState
import Terminal

/// Shows the counter and sends its actions: the newest state on a terminal, every state in a pipe.
struct CounterView: View {
  let terminal: Terminal
  /// What the user enters.
  let lines: AsyncStream<String>

  func bind(to store: ReactorStore<Counter>) async {
    // The states are read from before the first action on, so the view misses none.
    let states: any AsyncSequence<String, Never> & Sendable =
      terminal.isInteractive ? store.states(of: { Self.line($0) }) : store.allStates(of: { Self.line($0) })
    async let shown: Void = show(states)
    for await line in lines {
      switch line {
      case "+": await store.dispatch(.increase)
      case "-": await store.dispatch(.decrease)
      default: break
      }
    }
    await store.finish()
    await shown
  }

  private func show(_ states: any AsyncSequence<String, Never> & Sendable) async {
    for await state in states {
      if terminal.isInteractive {
        terminal.show([state, "", "+ or - and Return; q ends"])
      } else {
        terminal.print(state)
      }
    }
  }

  private static func line(_ state: Counter.State) -> String {
    if state.isLoading { return "\(state.value) …" }
    guard let message = state.alertMessage else { return "\(state.value)" }
    return "\(state.value) (\(message))"
  }
}
