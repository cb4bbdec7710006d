import ReactorState
import Terminal

@main
enum CounterProgram {
  static func main() async {
    let terminal = Terminal()
    let store = ReactorStore(Counter(pause: .milliseconds(300)))
    let binding = ViewBinding(CounterView(terminal: terminal))
    await binding.bind(to: store)
    while let line = terminal.nextLine() {
      switch line {
      case "+": await store.dispatch(.increase)
      case "-": await store.dispatch(.decrease)
      default: break
      }
    }
    await store.finish()
    await binding.ended()
  }
}
