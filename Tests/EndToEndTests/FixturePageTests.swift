import Foundation
import TestSupport
import Testing

/// Flows of several requests: pages and parents are built on the replayed connection as on the real one.
@Suite struct FixturePageTests {
  private static func shop() throws -> FixtureShop {
    try FixtureShop { request in
      let host = request["host"] ?? ""
      switch request.target {
      case "/customers": return ([], #"{"data":[{"id":1},{"id":2}],"next":"http://\#(host)/customers?page=2"}"#)
      case "/customers?page=2": return ([], #"{"data":[{"id":3}],"next":"http://\#(host)/customers?page=3"}"#)
      case "/customers?page=3": return ([], #"{"data":[{"id":4}],"next":null}"#)
      default:
        guard request.target.hasPrefix("/customers/") else { return nil }
        return ([], #"[{"no":"\#(request.target.split(separator: "/")[1])-a","total":"1.50"}]"#)
      }
    }
  }

  private static func flows(_ base: String) -> String {
    """
    reactor: 1
    http: { base_url: \(base) }
    flows:
      customers:
        resource: /customers
        records: $.data[*]
        pages:
          by: next_url
          from: $.next
        schema: { key: id, fields: { id: integer } }
      orders:
        each: { flow: customers, as: customer }
        resource: "/customers/{{ customer.id }}/orders"
        records: $[*]
        schema:
          key: no
          fields:
            no: string
            total: decimal

    """
  }

  private static func recorded() async throws -> Workspace {
    let workspace = try Workspace()
    let shop = try shop()
    defer { shop.server.stop() }
    try workspace.write(flows(shop.server.url), to: "flows/shop.yaml")
    let outcome = try await workspace.reactor("record")
    #expect(outcome.status == 0, "\(outcome.stdout)\(outcome.stderr)")
    return workspace
  }

  /// The number of customers and a name of the second page stand on the first page too.
  @Test func `a difference names the page that its record came from`() async throws {
    let shop = try FixtureShop { request in
      request.target == "/customers"
        ? ([], #"{"count":3,"data":[{"id":1,"name":"Cy"}],"next":"http://\#(request["host"] ?? "")/customers?page=2"}"#)
        : ([], #"{"count":3,"data":[{"id":2,"name":"Al"},{"id":3,"name":"Cy"}],"next":null}"#)
    }
    defer { shop.server.stop() }
    let workspace = try Workspace()
    try workspace.write(
      """
      reactor: 1
      http: { base_url: \(shop.server.url) }
      flows:
        customers:
          resource: /customers
          records: $.data[*]
          pages: { by: next_url, from: $.next }
          schema: { key: id, fields: { id: integer, name: string } }

      """, to: "flows/shop.yaml")
    #expect(try await workspace.reactor("record").status == 0)
    let golden = try #require(workspace.text("fixtures/shop.customers/records.jsonl"))
    try workspace.write(
      golden.replacingOccurrences(of: "Cy", with: "Cyd"), to: "fixtures/shop.customers/records.jsonl")
    let outcome = try await workspace.reactor("test", environment: ["CI": "1"])
    #expect(outcome.status != 0)
    for line in ["id=1  from entry 1 (GET {{base}}/customers)", "id=3  from entry 2 (GET {{base}}/customers?page=2)"] {
      #expect(outcome.stdout.contains(line) || outcome.stderr.contains(line), "\(outcome.stdout)\(outcome.stderr)")
    }
  }

  @Test func `pages and parents are replayed`() async throws {
    let workspace = try await Self.recorded()
    let outcome = try await workspace.reactor("test", environment: ["CI": "1"])
    #expect(outcome.status == 0, "\(outcome.stdout)\(outcome.stderr)")
    let decisions = workspace.text("fixtures/shop.customers/flow.json") ?? ""
    #expect(decisions.contains(#""pages": 3"#), "\(decisions)")
    #expect(decisions.contains("GET {{base}}/customers?page=3 -> 200"))
    let orders = workspace.text("fixtures/shop.orders/records.jsonl") ?? ""
    #expect(orders.split(separator: "\n").count == 4, "\(orders)")
    let alone = try await workspace.reactor("test", "-s", "shop.orders", environment: ["CI": "1"])
    #expect(alone.status == 0, "\(alone.stdout)\(alone.stderr)")
  }

  @Test(arguments: [
    ("{{base}}/customers?page=3\"}", "{{base}}/customers?page=4\"}", "flows/shop.yaml:5", Int32(5)),
    (#""next":"{{base}}/customers?page=3""#, #""next":null"#, "flows/shop.yaml:7", 1),
    (#""next":null"#, #""next":"{{base}}/customers?page=2""#, "flows/shop.yaml:4", 5),
    (#"{"id":3}"#, #"{"id":30}"#, "flows/shop.yaml:6", 1),
  ])
  func `a page link that changes is seen`(_ from: String, _ to: String, _ location: String, _ code: Int32) async throws
  {
    let workspace = try await Self.recorded()
    let path = "fixtures/shop.customers/cassette.yaml"
    let text = try #require(workspace.text(path))
    let range = try #require(text.range(of: from), "\(text)")
    try workspace.write(text.replacingCharacters(in: range, with: to), to: path)
    let outcome = try await workspace.reactor("test", "-s", "shop.customers", environment: ["CI": "1"])
    #expect(outcome.status == code, "\(outcome.stdout)\(outcome.stderr)")
    #expect(outcome.stderr.contains(location), "\(location) in \(outcome.stderr)")
    #expect(outcome.stderr.split(separator: "\n").count <= 15, "\(outcome.stderr)")
  }
}
