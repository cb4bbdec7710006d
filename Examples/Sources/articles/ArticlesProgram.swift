import HTTPTransport
import ReactorCore
import Storage
import Terminal

/// Reactor's first example: fetches articles, from a file when an earlier run has persisted them.
@main
enum ArticlesProgram {
  static func main() async throws {
    let terminal = Terminal()
    let arguments = Array(CommandLine.arguments.dropFirst())
    guard arguments.count == 2 else { return terminal.print("usage: articles BASE_URL FILE") }
    let flow: ReactorFlow<[Article]> = createFlow(
      baseURL: arguments[0],
      configuration: FlowConfiguration(persistence: .enabled(path: arguments[1], expiresAfter: .seconds(3600))))

    let fetched = try await Reactor(flow: flow).fetch(Resource(path: "/articles", method: .GET))

    terminal.print(fetched.source == .persistence ? "from persistence" : "from the network")
    for rejection in fetched.report.rejections { terminal.print("left out: \(rejection)") }
    for article in fetched.model {
      terminal.print("\(article.title), by \(article.authors.map(\.name).joined(separator: " and "))")
    }
  }
}
