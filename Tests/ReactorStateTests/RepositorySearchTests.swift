import Foundation
import ReactorState
import TestSupport
import Testing

#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif

/// The search against a server on loopback, which never responds to a query that ends in `slow`.
@Suite(.timeLimit(.minutes(1))) struct RepositorySearchTests {
  private struct Body: Decodable {
    let names: [String]
    let next: Int?
  }

  private struct Refused: Error {
    let status: Int
  }

  private let clock = SteppedClock()
  private let server: ScriptedServer

  init() throws {
    server = try ScriptedServer { request in
      let items = URLComponents(string: request.target)?.queryItems ?? []
      let query = items.first { $0.name == "q" }?.value ?? ""
      let page = items.first { $0.name == "page" }.flatMap { $0.value }.flatMap { Int($0) } ?? 1
      if query.hasSuffix("slow") { return [.hold] }
      if query == "broken" {
        return [.send(Array("HTTP/1.1 500 No\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".utf8)), .close]
      }
      let body =
        #"{"names":["\#(query)-\#(page)a","\#(query)-\#(page)b"],"next":\#(page < 3 ? "\(page + 1)" : "null")}"#
      let head = "HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n"
      return [.send(Array((head + body).utf8)), .close]
    }
  }

  private func store() -> ReactorStore<RepositorySearch> {
    let (base, clock) = (server.url, clock)
    return ReactorStore(
      RepositorySearch(
        search: { query, page in
          guard let url = URL(string: "\(base)/search?q=\(query)&page=\(page)") else { throw Refused(status: 0) }
          let (data, response) = try await URLSession.shared.data(from: url)
          let status = (response as? HTTPURLResponse)?.statusCode ?? 0
          guard status == 200 else { throw Refused(status: status) }
          let body = try JSONDecoder().decode(Body.self, from: data)
          return RepositorySearch.Page(names: body.names, next: body.next)
        }, sleep: { try await clock.sleep($0) }))
  }

  @Test func `only what stands when typing pauses is asked`() async {
    defer { server.stop() }
    let store = store()
    for query in ["s", "sw", "swi", "swift"] {
      store.send(.type(query))
      #expect(await store.state.query == query)
      await clock.waitForSleepers(1)
      clock.advance(by: .milliseconds(299))
    }
    #expect(server.requests.isEmpty)
    clock.advance(by: .milliseconds(1))
    await store.idle()
    #expect(server.requests.map(\.target) == ["/search?q=swift&page=1"])
    let state = await store.state
    #expect(state.names == ["swift-1a", "swift-1b"])
    #expect(state.nextPage == 2)
    #expect(!state.isLoading)
  }

  @Test func `a new query drops the request that is under way`() async {
    defer { server.stop() }
    let store = store()
    store.send(.type("slow"))
    await clock.waitForSleepers(1)
    clock.advance(by: .seconds(1))
    #expect(await server.wait { $0.requests.count == 1 })
    #expect(await store.state.isLoading)
    store.send(.type("quick"))
    #expect(await store.state.isLoading == false)
    await clock.waitForSleepers(1)
    clock.advance(by: .seconds(1))
    await store.idle()
    #expect(await server.wait { $0.openConnections == 0 })
    #expect(await store.state.names == ["quick-1a", "quick-1b"])
    #expect(await store.state.error == nil)
  }

  @Test func `pages are appended until there is none`() async {
    defer { server.stop() }
    let store = store()
    store.send(.type("a"))
    await clock.waitForSleepers(1)
    clock.advance(by: .seconds(1))
    await store.idle()
    store.send(.loadNextPage)
    // Asked for again while it loads: asked for once.
    await store.dispatch(.loadNextPage)
    await store.idle()
    for _ in 0..<3 { await store.dispatch(.loadNextPage) }
    #expect(await store.state.names == ["a-1a", "a-1b", "a-2a", "a-2b", "a-3a", "a-3b"])
    #expect(server.requests.map(\.target) == (1...3).map { "/search?q=a&page=\($0)" })
  }

  @Test func `an empty query empties the list and an error is an alert`() async {
    defer { server.stop() }
    let store = store()
    store.send(.type("broken"))
    await clock.waitForSleepers(1)
    clock.advance(by: .seconds(1))
    await store.idle()
    var state = await store.state
    #expect(state.error == "Refused(status: 500)")
    #expect(!state.isLoading)
    store.send(.type("b"))
    await clock.waitForSleepers(1)
    await store.dispatch(.type(""))
    state = await store.state
    await clock.waitForSleepers(0)
    #expect(state.names.isEmpty && state.query.isEmpty && !state.isLoading)
  }
}
