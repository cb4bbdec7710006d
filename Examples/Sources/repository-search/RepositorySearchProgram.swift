import HTTPTransport
import ReactorCore
import ReactorState
import Terminal

@main
enum RepositorySearchProgram {
  static func main() async throws {
    let baseURL = CommandLine.arguments.dropFirst().first ?? "https://api.github.com"
    let client = HTTPClient()
    let flow: ReactorFlow<[Repository]> = createFlow(
      elements: ModelMapping<Repository>(), under: "items",
      connection: try HTTPConnection(baseURL: baseURL, client: client),
      configuration: FlowConfiguration(persistence: .disabled))
    let terminal = Terminal()
    let (lines, input) = AsyncStream.makeStream(of: String.self)
    let binding = ViewBinding(RepositorySearchView(terminal: terminal, lines: lines))
    await binding.bind(to: ReactorStore(RepositorySearch(flow: flow)))
    while let line = terminal.nextLine() { input.yield(line) }
    input.finish()
    await binding.ended()
    client.shutdown()
  }
}
