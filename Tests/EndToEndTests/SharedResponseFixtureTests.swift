import Foundation
import TestSupport
import Testing

/// A recording has each shared response once, and each flow has its own.
@Suite struct SharedResponseFixtureTests {
  private static func flows(_ url: String, cache: String = "run") -> String {
    """
    reactor: 1
    http: { base_url: \(url), cache: \(cache) }
    schemas: { customer: { key: id, fields: { id: integer, name: string } } }
    flows:
      first: { resource: /customers, records: $.data, schema: customer }
      second: { resource: /customers, records: $.data, schema: customer, persistence: out/second.jsonl }
      sales:
        resource: /sales
        schema: { key: id, fields: { id: integer, customer: integer } }
      named:
        each: { flow: sales, as: sale }
        resource: "/customers/{{ sale.customer }}"
        schema: { fields: { id: { type: integer, value: "{{ sale.id }}" }, customer: { from: $.name, type: string } } }
        persistence: out/named.jsonl

    """
  }

  private static func shop() throws -> FixtureShop {
    try FixtureShop { request in
      switch request.target {
      case "/customers": ([], #"{"data":[{"id":1,"name":"Al"},{"id":2,"name":"Bo"}]}"#)
      case "/customers/1": ([], #"{"name":"Al"}"#)
      case "/customers/2": ([], #"{"name":"Bo"}"#)
      case "/sales": ([], #"[{"id":10,"customer":1},{"id":11,"customer":2},{"id":12,"customer":1}]"#)
      default: nil
      }
    }
  }

  private static func recorded() async throws -> Workspace {
    let shop = try shop()
    defer { shop.server.stop() }
    let workspace = try Workspace()
    try workspace.write(flows(shop.server.url), to: "flows/shop.yaml")
    let outcome = try await workspace.reactor("record")
    #expect(outcome.status == 0, "\(outcome.stdout)\(outcome.stderr)")
    let asked = Dictionary(grouping: shop.server.requests.map(\.target)) { $0 }.mapValues(\.count)
    #expect(asked == ["/customers": 2, "/customers/1": 1, "/customers/2": 1, "/sales": 1])
    return workspace
  }

  private static func requests(_ workspace: Workspace, _ flow: String) -> [String] {
    (workspace.text("fixtures/shop.\(flow)/cassette.yaml") ?? "").split(separator: "\n")
      .filter { $0.contains("- request:") }.map { String($0.split(separator: " ").last ?? "") }
  }

  @Test func `equal requests of one flow are recorded once, and replayed as one`() async throws {
    let workspace = try await Self.recorded()
    #expect(Self.requests(workspace, "named").count == 2, "\(Self.requests(workspace, "named"))")
    let records = workspace.text("fixtures/shop.named/records.jsonl") ?? ""
    for id in 10...12 {
      #expect(records.contains(#"{"id":\#(id),"customer":"\#(id == 11 ? "Bo" : "Al")"}"#), "\(records)")
    }
    let outcome = try await workspace.reactor("test", environment: ["CI": "1"])
    #expect(outcome.status == 0, "\(outcome.stdout)\(outcome.stderr)")
  }

  @Test func `each of two flows with equal requests has them in its own recording`() async throws {
    let workspace = try await Self.recorded()
    for flow in ["first", "second"] {
      #expect(Self.requests(workspace, flow).count == 1)
      // Alone, in both orders: neither needs what the other has received.
      let outcome = try await workspace.reactor("test", "-s", "shop.\(flow)", environment: ["CI": "1"])
      #expect(outcome.status == 0, "\(outcome.stdout)\(outcome.stderr)")
    }
    try FileManager.default.removeItem(at: workspace.folder.appendingPathComponent("fixtures/shop.first"))
    let outcome = try await workspace.reactor("test", "-s", "shop.second", environment: ["CI": "1"])
    #expect(outcome.status == 0, "\(outcome.stdout)\(outcome.stderr)")
  }

  @Test func `without the cache the recording lacks the second request`() async throws {
    let workspace = try await Self.recorded()
    let text = try #require(workspace.text("flows/shop.yaml"))
    try workspace.write(text.replacing("cache: run", with: "cache: none"), to: "flows/shop.yaml")
    let outcome = try await workspace.reactor("test", "-s", "shop.named", environment: ["CI": "1"])
    #expect(outcome.status == 5, "\(outcome.stdout)\(outcome.stderr)")
    #expect(
      (outcome.stdout + outcome.stderr).contains("asked twice, recorded once: GET {{base}}/customers/1"),
      "\(outcome.stdout)\(outcome.stderr)")
  }
}
