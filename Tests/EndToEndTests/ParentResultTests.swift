import Foundation
import Synchronization
import TestSupport
import Testing

/// What children see of their parents, and what becomes of those of failed ones, through the program.
@Suite(.timeLimit(.minutes(3))) struct ParentResultTests {
  private typealias Step = ScriptedServer.Step

  /// Three orders and their items; changed and broken while it runs.
  private final class Shop: Sendable {
    let broken = Mutex<Set<String>>([])
    let notes = Mutex<[Int: String]>([:])

    func answer(_ request: ScriptedServer.Request) -> [Step] {
      let path = request.target.split(separator: "?")[0]
      if broken.withLock({ $0.contains(String(path)) }) { return Self.steps("{}", status: "404 Not Found") }
      let parts = path.split(separator: "/")
      guard parts.count > 1 else {
        let notes = notes.withLock { $0 }
        return Self.steps(
          "[" + (1...3).map { "{\"id\":\($0),\"note\":\"\(notes[$0] ?? "")\"}" }.joined(separator: ",") + "]")
      }
      return Self.steps("[{\"id\":\(parts[1])0}]")
    }

    private static func steps(_ body: String, status: String = "200 OK") -> [Step] {
      [.send(Array("HTTP/1.1 \(status)\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)".utf8))]
    }
  }

  private static func flows(_ server: ScriptedServer, orders: String, items: String, each: String = "orders") -> String
  {
    """
    reactor: 1
    http: { base_url: "\(server.url)" }
    flows:
      orders:
        resource: /orders
        schema: { key: id, fields: { id: integer, note: string } }
        persistence: { path: out/orders.jsonl, expires_after: 1ms, \(orders) }
      items:
        each: { flow: \(each) }
        resource: "/orders/{{ parent.id }}/items"
        schema: { key: id, fields: { id: integer } }
        persistence: { path: out/items.jsonl, \(items) }

    """
  }

  private static func with(_ body: (Shop, ScriptedServer, Workspace) async throws -> Void) async throws {
    let shop = Shop()
    let server = try ScriptedServer { shop.answer($0) }
    defer { server.stop() }
    try await body(shop, server, try Workspace())
  }

  @Test func `records of a parent that failed are retained, and the run says so`() async throws {
    try await Self.with { shop, server, workspace in
      try workspace.write(Self.flows(server, orders: "mode: merge", items: "expires_after: 1ms"), to: "flows/shop.yaml")
      #expect(try await workspace.reactor("run", "--fail-on", "partial").status == 0)
      shop.broken.withLock { $0 = ["/orders/2/items"] }
      for arguments in [["run"], ["run", "--fail-on", "partial"]] {
        let outcome = try await workspace.start(arguments).end()
        #expect(outcome.status == (arguments.count > 1 ? 6 : 0), "\(outcome.stderr)")
        let text = outcome.stdout + outcome.stderr
        #expect(text.contains("these are not all records: 1 of 3 partitions failed"), "\(text)")
        #expect(text.contains("; 1 earlier record is retained, from 20"), "\(text)")
        #expect(workspace.text("out/items.jsonl") == "{\"id\":10}\n{\"id\":20}\n{\"id\":30}\n")
      }
      shop.broken.withLock { $0 = ["/orders/2/items", "/orders/1/items"] }
      let failed = try await workspace.reactor("run")
      #expect(failed.status == 5)
      #expect(
        (failed.stdout + failed.stderr).contains(
          "2 of 3 partitions failed, and at most 50 % of them may fail ('each.max_rejected'); the first: "))
      #expect(workspace.text("out/items.jsonl") == "{\"id\":10}\n{\"id\":20}\n{\"id\":30}\n")
    }
  }

  @Test func `changed parents are explained, shown and forgotten`() async throws {
    try await Self.with { shop, server, workspace in
      try workspace.write(
        Self.flows(server, orders: "mode: merge", items: "mode: merge", each: "orders, only: changed"),
        to: "flows/shop.yaml")
      func asked() -> [String] { server.requests.map(\.target).filter { $0.hasSuffix("/items") }.sorted() }
      let early = try await workspace.reactor("state", "show")
      #expect(early.stdout == "shop.items  only changed  nothing remembered\n", "\(early.stderr)")
      for _ in 0..<2 { #expect(try await workspace.reactor("run").status == 0) }
      #expect(asked() == (1...3).map { "/orders/\($0)/items" })
      let shown = try await workspace.reactor("state", "show")
      #expect(shown.stdout == "shop.items  only changed  3 parents\n  1\n  2\n  3\n", "\(shown.stderr)")
      let dry = try await workspace.reactor("run", "--dry-run")
      #expect(dry.stdout.contains("/items new and changed parents, 3 are known"), "\(dry.stdout)")
      let explained = try await workspace.reactor("explain", "shop.items")
      #expect(explained.stdout.contains("parent.id, and requested only when changed"), "\(explained.stdout)")
      #expect(explained.stdout.contains("at most 50 % of them may fail"), "\(explained.stdout)")
      let set = try await workspace.reactor("state", "set", "7", "-s", "items")
      #expect(set.status == 2 && set.stderr.contains("has no cursor"), "\(set.stderr)")
      #expect(try await workspace.reactor("state", "reset", "--parent", "2", "-s", "items").status == 0)
      shop.notes.withLock { $0[3] = "b" }
      #expect(try await workspace.reactor("run").status == 0)
      #expect(asked() == [1, 2, 2, 3, 3].map { "/orders/\($0)/items" })
      let json = try await workspace.reactor("state", "show", "--format", "json")
      #expect(json.stdout.contains("\"asked\":[\"1\",\"2\",\"3\"]"), "\(json.stdout)")
    }
  }

  @Test(arguments: [
    ("mode: merge", "expires_after: 1ms", "orders"), ("mode: append", "expires_after: 1ms", "orders"),
    ("mode: merge", "mode: merge", "orders, only: changed"), ("mode: replace", "mode: merge", "orders, only: changed"),
  ])
  func `recordings of parents that grow are replayed with their children`(
    _ orders: String, _ items: String, _ each: String
  ) async throws {
    try await Self.with { shop, server, workspace in
      try workspace.write(Self.flows(server, orders: orders, items: items, each: each), to: "flows/shop.yaml")
      let recorded = try await workspace.reactor("record")
      #expect(recorded.status == 0, "\(recorded.stdout)\(recorded.stderr)")
      server.stop()
      for _ in 0..<2 {
        let tested = try await workspace.reactor("test", environment: ["CI": "1"])
        #expect(tested.status == 0, "\(tested.stdout)\(tested.stderr)")
      }
      #expect(workspace.text("fixtures/shop.items/records.jsonl")?.split(separator: "\n").count == 3)
    }
  }
}
