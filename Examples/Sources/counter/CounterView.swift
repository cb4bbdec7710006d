import ReactorState
import Terminal

/// Shows the counter: the newest state on a terminal, every state in a pipe.
struct CounterView: View {
  let terminal: Terminal

  func bind(to store: ReactorStore<Counter>) async {
    if terminal.isInteractive {
      for await line in store.states(of: { Self.line($0) }) {
        terminal.show([line, "", "+ or - and Return; q ends"])
      }
    } else {
      for await line in store.allStates(of: { Self.line($0) }) { terminal.print(line) }
    }
  }

  private static func line(_ state: Counter.State) -> String {
    if state.isLoading { return "\(state.value) …" }
    guard let message = state.alertMessage else { return "\(state.value)" }
    return "\(state.value) (\(message))"
  }
}
