import Foundation
import TestSupport
import Testing

/// A recording is one of a first run: it does not depend on what earlier runs have reached.
@Suite struct FirstRunFixtureTests {
  private static func shop() throws -> FixtureShop {
    try FixtureShop { request in
      if request.target.hasPrefix("/orders") {
        return (
          [], #"{"data":[{"id":1,"updated_at":"2024-01-01T09:00:00Z"},{"id":2,"updated_at":"2024-01-02T09:00:00Z"}]}"#
        )
      }
      guard request.target.hasPrefix("/events") else { return nil }
      return ([], #"[{"order":{"id":2,"updated_at":"2024-01-05T09:00:00Z"}}]"#)
    }
  }

  private static func workspace(_ shop: FixtureShop) throws -> Workspace {
    let workspace = try Workspace()
    try workspace.write(
      """
      reactor: 1
      http: { base_url: \(shop.server.url) }
      flows:
        orders:
          resource: /events
          reshape: { each: .order }
          schema: { key: id, fields: { id: integer, updated_at: timestamp } }
          cursor: { field: updated_at, query: since }
          persistence: { path: out/orders.jsonl, mode: merge }
          first_run:
            resource: { path: /orders, query: { size: 100 } }
            records: $.data

      """, to: "flows/shop.yaml")
    return workspace
  }

  private static func targets(_ shop: FixtureShop) -> [String] { shop.server.requests.map(\.target) }

  @Test func `the requests of the first run are recorded and replayed`() async throws {
    let shop = try Self.shop()
    let workspace = try Self.workspace(shop)
    let recorded = try await workspace.reactor("record")
    shop.server.stop()
    #expect(recorded.status == 0, "\(recorded.stdout)\(recorded.stderr)")
    #expect(Self.targets(shop) == ["/orders?size=100"])
    let decisions = workspace.text("fixtures/shop.orders/flow.json") ?? ""
    #expect(decisions.contains("GET {{base}}/orders?size=100"), "\(decisions)")
    #expect(decisions.contains("2024-01-02T09:00:00Z"), "\(decisions)")
    let outcome = try await workspace.reactor("test", environment: ["CI": "1"])
    #expect(outcome.status == 0, "\(outcome.stdout)\(outcome.stderr)")
    // The request of the first run is compared like any other.
    let text = try #require(workspace.text("flows/shop.yaml"))
    try workspace.write(text.replacing("size: 100", with: "size: 200"), to: "flows/shop.yaml")
    let changed = try await workspace.reactor("test", environment: ["CI": "1"])
    #expect(changed.status == 5, "\(changed.stdout)\(changed.stderr)")
    #expect((changed.stdout + changed.stderr).contains("size=200"), "\(changed.stdout)\(changed.stderr)")
  }

  @Test func `a recording after other runs is one of a first run too, and leaves their results`() async throws {
    let shop = try Self.shop()
    defer { shop.server.stop() }
    let workspace = try Self.workspace(shop)
    for _ in 1...2 {
      let run = try await workspace.reactor("run")
      #expect(run.status == 0, "\(run.stdout)\(run.stderr)")
    }
    let before = workspace.text("out/orders.jsonl")
    for said in ["golden written", "nothing changed"] {
      let recorded = try await workspace.reactor("record")
      #expect(recorded.status == 0, "\(recorded.stdout)\(recorded.stderr)")
      #expect((recorded.stdout + recorded.stderr).contains(said), "\(recorded.stdout)\(recorded.stderr)")
    }
    #expect(
      Self.targets(shop) == [
        "/orders?size=100", "/events?since=2024-01-02T09%3A00%3A00Z", "/orders?size=100", "/orders?size=100",
      ])
    #expect(workspace.text("out/orders.jsonl") == before)
    // A test after other runs replays the first run, too.
    let outcome = try await workspace.reactor("test", environment: ["CI": "1"])
    #expect(outcome.status == 0, "\(outcome.stdout)\(outcome.stderr)")
  }

  @Test func `a recording has no position to begin at`() async throws {
    let shop = try Self.shop()
    defer { shop.server.stop() }
    let workspace = try Self.workspace(shop)
    let outcome = try await workspace.reactor("record", "--since", "2024-01-01")
    #expect(outcome.status == 2, "\(outcome.stdout)\(outcome.stderr)")
    #expect(outcome.stderr.contains("--since"), "\(outcome.stderr)")
    #expect(Self.targets(shop).isEmpty)
    #expect(!workspace.files().contains { $0.hasPrefix("fixtures/") })
  }
}
