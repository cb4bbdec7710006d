import Foundation
import TestSupport
import Testing

/// Flows against a real Kinto with basic authentication: records, and what was changed and deleted since a time.
@Suite(.timeLimit(.minutes(3)))
struct KintoTests {
  private static let flow = """
    reactor: 1
    vars: { kinto: http://127.0.0.1:9 }
    secrets: [KINTO_LOGIN]
    http:
      base_url: "{{ vars.kinto }}/v1/buckets/shop/collections"
      headers: { Authorization: "Basic {{ secrets.KINTO_LOGIN }}" }
    flows:
      orders:
        resource: { path: /orders/records, query: { _limit: 100, _sort: last_modified } }
        records: $.data[*]
        pages: none
        schema:
          key: id
          fields:
            id: string
            number: integer
            customer: string
            amount: decimal
            paid: boolean
            changed: { from: $.last_modified, type: timestamp, format: epoch_ms }
        persistence: out/orders.jsonl
        expect: { min: 100, max: 100 }
      changes:
        resource: { path: /orders/records, query: { _since: '"1704068305000"', _sort: last_modified } }
        records: $.data[*]
        schema: { key: id, fields: { id: string, deleted: { type: boolean, default: false } } }
        persistence: out/changes.jsonl
      customers:
        resource: { path: /customers/records, query: { _sort: id } }
        records: $.data[*]
        schema: { key: id, fields: { id: string, name: string } }
        persistence: out/customers.jsonl
    """

  private func login(_ environment: [String: String], password: String? = nil) throws -> [String: String] {
    let user = try #require(environment["KINTO_USER"])
    let password = try password ?? #require(environment["KINTO_PASSWORD"])
    return environment.merging(["KINTO_LOGIN": Data("\(user):\(password)".utf8).base64EncodedString()]) { $1 }
  }

  @Test func `a page of records and the tombstones since a time are the seeded ones`() async throws {
    guard let environment = try await RealServers.environment(for: "kinto") else { return }
    let workspace = try Workspace()
    try workspace.write(Self.flow, to: "flows/kinto.yaml")
    let outcome = try await workspace.reactor("run", "--format", "json", environment: login(environment))
    #expect(outcome.status == 0, "\(outcome.stdout)\(outcome.stderr)")
    #expect(try Summary(outcome).flows.map(\.records) == [100, 9, 12])

    // Those that end in 5 below 200 were deleted.
    let live = (1...270).filter { !($0 % 10 == 5 && $0 < 200) }
    #expect(live.count == 250)
    let expected = try live.prefix(100).map { number in
      let text = String(1000 + number).dropFirst()
      let customer = String(101 + number % 12).dropFirst()
      return try Records.value(
        """
        {"id":"order-\(text)","number":\(number),"customer":"customer-\(customer)","amount":"\(number).\(number % 10)0",
         "paid":\(number % 3 == 0),"changed":\(1_704_067_200_000 + number * 1000)}
        """)
    }
    let orders = try Records.withInstants(["changed"], in: Records.lines(workspace.text("out/orders.jsonl")))
    #expect(orders == expected)
    // The deletions of 115, 125, … 195 and nothing else: 105's is at the bound itself, which is open.
    let changes = try Records.lines(workspace.text("out/changes.jsonl"))
    #expect(
      changes
        == (try stride(from: 115, through: 195, by: 10).map {
          try Records.value(#"{"id":"order-\#($0)","deleted":true}"#)
        }))
    let customers = try (1...12).map {
      try Records.value(#"{"id":"customer-\#(String(100 + $0).dropFirst())","name":"Customer \#($0)"}"#)
    }
    #expect(try Records.lines(workspace.text("out/customers.jsonl")) == customers)
    #expect(!outcome.stderr.contains(try #require(login(environment)["KINTO_LOGIN"])))
  }

  @Test func `another user is refused and nothing is stored`() async throws {
    guard let environment = try await RealServers.environment(for: "kinto") else { return }
    let workspace = try Workspace()
    try workspace.write(Self.flow, to: "flows/kinto.yaml")
    let outcome = try await workspace.reactor("run", environment: login(environment, password: "guessed"))
    #expect(outcome.status == 5)
    #expect(outcome.stderr.contains("403"), "\(outcome.stderr)")
    #expect(workspace.files() == ["flows/kinto.yaml"])
  }
}
