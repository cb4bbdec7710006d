import ReactorState
import Terminal

/// Shows the counter: the newest state on a terminal, every state in a pipe.
struct CounterView: View {
  private struct Content: Equatable {
    let value: Int
    let isLoading: Bool
    let message: String?

    init(_ state: Counter.State) {
      value = state.value
      isLoading = state.isLoading
      message = state.alertMessage
    }

    var lines: [String] { ["\(value)\(isLoading ? " …" : message.map { " (\($0))" } ?? "")"] }
  }

  let terminal: Terminal

  func bind(to store: ReactorStore<Counter>) async {
    if terminal.isInteractive {
      for await content in store.states(of: { Content($0) }) {
        terminal.show(content.lines + ["", "+ or - and Return; q ends"])
      }
    } else {
      for await content in store.allStates(of: { Content($0) }) { terminal.show(content.lines) }
    }
  }
}
