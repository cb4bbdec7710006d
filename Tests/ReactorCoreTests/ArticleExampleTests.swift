import JSONSyntax
import ReactorCore
import Storage
import TestSupport
import Testing

/// The seed's example, in Swift and without YAML: declare models, make a flow, fetch.
@Suite struct ArticleExampleTests {
  @Test func `articles are fetched, persisted, and loaded again`() async throws {
    let folder = try TemporaryFolder()
    let server = StubConnection(bodies: [
      "/articles": """
      [{"title": "Hello", "body": "World", "authors": [{"name": "Ada"}], "numberOfLikes": 42},
       {"title": "No likes yet", "body": "…", "authors": []}]
      """
    ])

    let flow: ReactorFlow<[Article]> = createFlow(
      connection: server,
      configuration: FlowConfiguration(
        persistence: .enabled(path: folder.file("articles.json"), expiresAfter: .seconds(3600))))
    let reactor = Reactor(flow: flow)
    let resource = Resource(
      path: "/articles", method: .GET, headers: ["Accept": "application/json"], query: [.init("page", "1")])

    let fetched = try await reactor.fetch(resource)
    #expect(
      fetched.model == [
        Article(title: "Hello", body: "World", authors: [Author(name: "Ada")], numberOfLikes: 42)
      ])
    #expect(fetched.report.rejections.map(\.description) == ["record 1 at /numberOfLikes: missing"])

    let again = try await reactor.fetch(resource)
    #expect(again.source == .persistence)
    #expect(again.model == fetched.model)
    #expect(server.requests == [resource])

    let fresh = try await reactor.fetchFromNetwork(resource)
    #expect(fresh.source == .network)
    #expect(server.requests == [resource, resource])
  }
}
