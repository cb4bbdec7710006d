import ReactorState
import Terminal

@main
enum CounterProgram {
  static func main() async {
    let terminal = Terminal()
    let (lines, input) = AsyncStream.makeStream(of: String.self)
    let binding = ViewBinding(CounterView(terminal: terminal, lines: lines))
    await binding.bind(to: ReactorStore(Counter(pause: .milliseconds(300))))
    while let line = terminal.nextLine() { input.yield(line) }
    input.finish()
    await binding.ended()
  }
}
