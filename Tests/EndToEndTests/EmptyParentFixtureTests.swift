import Foundation
import TestSupport
import Testing

/// A replay gives parents without records their own record, as `each.empty: keep` says.
@Suite struct EmptyParentFixtureTests {
  private static func recorded(cache: String = "none") async throws -> Workspace {
    let shop = try FixtureShop { request in
      switch request.target {
      case "/customers/1": ([], #"{"data":[{"name":"Al"}]}"#)
      case "/customers/2": ([], #"{"data":[]}"#)
      case "/sales":
        ([], #"[{"id":10,"customer":1},{"id":11,"customer":2},{"id":12,"customer":3},{"id":13,"customer":2}]"#)
      default: nil
      }
    }
    defer { shop.server.stop() }
    let workspace = try Workspace()
    try workspace.write(
      """
      reactor: 1
      http: { base_url: \(shop.server.url), cache: \(cache) }
      flows:
        sales:
          resource: /sales
          schema: { key: id, fields: { id: integer, customer: integer } }
        named:
          each: { flow: sales, as: sale, empty: keep }
          resource: "/customers/{{ sale.customer }}"
          records: $.data
          errors: [{ when: status == 404, do: skip }]
          schema:
            key: id
            fields:
              id: { type: integer, value: "{{ sale.id }}" }
              customer: { from: $.name, type: string? }
          persistence: out/named.jsonl

      """, to: "flows/shop.yaml")
    let outcome = try await workspace.reactor("record")
    #expect(outcome.status == 0, "\(outcome.stdout)\(outcome.stderr)")
    return workspace
  }

  @Test(arguments: ["none", "run"])
  func `a parent without records, and one that is skipped, have a record in the recording`(_ cache: String) async throws
  {
    let workspace = try await Self.recorded(cache: cache)
    let records = workspace.text("fixtures/shop.named/records.jsonl") ?? ""
    for (id, name) in [(10, #""Al""#), (11, "null"), (12, "null"), (13, "null")] {
      #expect(records.contains(#"{"id":\#(id),"customer":\#(name)}"#), "\(records)")
    }
    let outcome = try await workspace.reactor("test", environment: ["CI": "1"])
    #expect(outcome.status == 0, "\(outcome.stdout)\(outcome.stderr)")
    // The child alone: its parents come from the parent's recording.
    let alone = try await workspace.reactor("test", "-s", "shop.named", environment: ["CI": "1"])
    #expect(alone.status == 0, "\(alone.stdout)\(alone.stderr)")
  }

  @Test func `a parent that is left out, or that has another record, differs from the golden`() async throws {
    let workspace = try await Self.recorded(cache: "run")
    let flows = try #require(workspace.text("flows/shop.yaml"))
    try workspace.write(flows.replacing(", empty: keep", with: ""), to: "flows/shop.yaml")
    let without = try await workspace.reactor("test", environment: ["CI": "1"])
    #expect(without.status == 1, "\(without.stdout)\(without.stderr)")
    try workspace.write(flows, to: "flows/shop.yaml")
    let path = "fixtures/shop.named/cassette.yaml"
    let text = try #require(workspace.text(path))
    #expect(text.contains(#"{"data":[]}"#), "\(text)")
    try workspace.write(text.replacing(#"{"data":[]}"#, with: #"{"data":[{"name":"Bo"}]}"#), to: path)
    let other = try await workspace.reactor("test", environment: ["CI": "1"])
    #expect(other.status == 1, "\(other.stdout)\(other.stderr)")
    #expect((other.stdout + other.stderr).contains("Bo"), "\(other.stdout)\(other.stderr)")
  }
}
