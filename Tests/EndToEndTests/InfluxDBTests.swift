import Foundation
import TestSupport
import Testing

/// Flows against a real InfluxDB, which asks for a login: series whose rows are arrays below their columns' names.
@Suite(.timeLimit(.minutes(3)))
struct InfluxDBTests {
  @Test func `series and times beyond a double's integers are the seeded ones`() async throws {
    guard let environment = try await RealServers.environment(for: "influxdb") else { return }
    let password = try #require(environment["INFLUXDB_PASSWORD"])
    let workspace = try Workspace()
    try workspace.write(
      """
      reactor: 1
      vars: { influxdb: http://127.0.0.1:9 }
      secrets: [INFLUXDB_LOGIN]
      http:
        base_url: "{{ vars.influxdb }}"
        headers: { Authorization: "Basic {{ secrets.INFLUXDB_LOGIN }}" }
      flows:
        cellar:
          resource:
            path: /query
            query: { db: shop, q: "SELECT celsius FROM temperature WHERE room = 'cellar' LIMIT 100 OFFSET 100" }
          records: $.results[0].series[0].values[*]
          schema: { fields: { at: { from: "$[0]", type: timestamp }, celsius: { from: "$[1]", type: number } } }
          persistence: out/cellar.jsonl
        sales:
          resource: { path: /query, query: { db: shop, epoch: ns, q: "SELECT amount, count, note FROM sales" } }
          records: $.results[0].series[0].values[*]
          schema:
            key: at
            fields:
              at: { from: "$[0]", type: integer }
              amount: { from: "$[1]", type: decimal }
              count: { from: "$[2]", type: integer }
              note: { from: "$[3]", type: string }
          persistence: out/sales.jsonl
      """, to: "flows/series.yaml")
    let login = Data("reader:\(password)".utf8).base64EncodedString()
    let outcome = try await workspace.reactor(
      "run", "--format", "json", environment: environment.merging(["INFLUXDB_LOGIN": login]) { $1 })
    #expect(outcome.status == 0, "\(outcome.stdout)\(outcome.stderr)")

    let cellar = try Records.withInstants(["at"], in: Records.lines(workspace.text("out/cellar.jsonl")))
    let minutes = try (100..<200).map {
      try Records.value("{\"at\":\(1_704_067_200_000 + $0 * 60_000),\"celsius\":\(11 + Double($0) / 8)}")
    }
    #expect(cellar == minutes)
    // Compared as text: other readers of JSON may round the times.
    let sales = (1...300).map { number in
      let quarters = [".25", ".5", ".75", ""][(number - 1) % 4]
      return "{\"at\":\(1_704_067_200_000_000_000 + number * 1_000_000_001),\"amount\":\"\(number / 4)\(quarters)\","
        + "\"count\":\(number % 7),\"note\":\"sale \\\"\(number)\\\"\"}"
    }
    #expect(workspace.text("out/sales.jsonl")?.split(separator: "\n").map(String.init) == sales)
  }

  @Test func `a query that fails within a good response is an error and nothing is stored`() async throws {
    guard let environment = try await RealServers.environment(for: "influxdb") else { return }
    let password = try #require(environment["INFLUXDB_PASSWORD"])
    let workspace = try Workspace()
    try workspace.write(
      """
      reactor: 1
      vars: { influxdb: http://127.0.0.1:9 }
      secrets: [INFLUXDB_LOGIN]
      http: { base_url: "{{ vars.influxdb }}", headers: { Authorization: "Basic {{ secrets.INFLUXDB_LOGIN }}" } }
      flows:
        nowhere:
          resource: { path: /query, query: { db: elsewhere, q: "SELECT celsius FROM temperature" } }
          records: $.results[0].series[0].values[*]
          persistence: out/nowhere.jsonl
      """, to: "flows/nowhere.yaml")
    let login = Data("admin:\(password)".utf8).base64EncodedString()
    let outcome = try await workspace.reactor(
      "run", environment: environment.merging(["INFLUXDB_LOGIN": login]) { $1 })
    #expect(outcome.status == 1, "\(outcome.stderr)")
    #expect(outcome.stderr.contains("series"), "\(outcome.stderr)")
    #expect(workspace.files() == ["flows/nowhere.yaml"])
  }
}
