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
    let store = ReactorStore(RepositorySearch(flow: flow))
    let binding = ViewBinding(RepositorySearchView(terminal: terminal))
    await binding.bind(to: store)
    while let line = terminal.nextLine() {
      await store.dispatch(line == "n" ? .loadNextPage : .updateQuery(line))
    }
    await store.finish()
    await binding.ended()
    client.shutdown()
  }
}
