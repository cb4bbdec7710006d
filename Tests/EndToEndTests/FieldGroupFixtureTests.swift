import Foundation
import TestSupport
import Testing

/// A recording has one request for each group of fields, and a replay joins them as a run does.
@Suite struct FieldGroupFixtureTests {
  private static func recorded() async throws -> Workspace {
    let shop = try FixtureShop { request in
      let isLast = request.target.contains("page=2")
      let next = isLast ? "null" : "2"
      let id = isLast ? 3 : 1
      return request.target.contains("name")
        ? ([], #"{"data":[{"id":\#(id),"name":"Al"}],"next":\#(next)}"#)
        : ([], #"{"data":[{"id":\#(id),"city":"Rome"}],"next":null}"#)
    }
    defer { shop.server.stop() }
    let workspace = try Workspace()
    try workspace.write(
      """
      reactor: 1
      http: { base_url: \(shop.server.url) }
      flows:
        customers:
          resource: { path: /customers, query: { fields: "{{ join(field_group, '.') }}" } }
          field_groups: { max: 2 }
          records: $.data
          pages: { by: cursor, from: $.next, query: page }
          schema: { key: id, fields: { id: integer, name: string, city: string } }
          persistence: out/customers.jsonl

      """, to: "flows/shop.yaml")
    let outcome = try await workspace.reactor("record")
    #expect(outcome.status == 0, "\(outcome.stdout)\(outcome.stderr)")
    return workspace
  }

  @Test func `each request of a page is recorded and replayed`() async throws {
    let workspace = try await Self.recorded()
    let decisions = workspace.text("fixtures/shop.customers/flow.json") ?? ""
    for target in ["?fields=id.name -", "?fields=id.city -", "?fields=id.name&page=2 -", "?fields=id.city&page=2 -"] {
      #expect(decisions.contains("GET {{base}}/customers\(target)> 200"), "\(decisions)")
    }
    let records = workspace.text("fixtures/shop.customers/records.jsonl") ?? ""
    #expect(records.contains(#"{"id":3,"name":"Al","city":"Rome"}"#), "\(records)")
    let outcome = try await workspace.reactor("test", environment: ["CI": "1"])
    #expect(outcome.status == 0, "\(outcome.stdout)\(outcome.stderr)")
  }

  @Test func `a record that one response of a recording does not have fails the replay`() async throws {
    let workspace = try await Self.recorded()
    let path = "fixtures/shop.customers/cassette.yaml"
    let text = try #require(workspace.text(path))
    let range = try #require(text.range(of: #"{"id":3,"city""#), "\(text)")
    try workspace.write(text.replacingCharacters(in: range, with: #"{"id":4,"city""#), to: path)
    let outcome = try await workspace.reactor("test", environment: ["CI": "1"])
    #expect(outcome.status == 1, "\(outcome.stdout)\(outcome.stderr)")
    #expect(
      (outcome.stdout + outcome.stderr).contains(
        "page 2: field group 2 of 2: record 0, in which $.id is 4, is not in the response to group 1"),
      "\(outcome.stdout)\(outcome.stderr)")
  }
}
