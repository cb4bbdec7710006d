import Foundation
import TestSupport
import Testing

/// The shipped Datasette flows against a real Datasette over a SQLite file with known rows.
@Suite(.timeLimit(.minutes(3)))
struct DatasetteTests {
  @Test func `rows are those of the table in every shape`() async throws {
    guard let environment = try await RealServers.environment(for: "datasette") else { return }
    let workspace = try Workspace()
    let outcome = try await workspace.start(
      ["run", Repository.flows.appendingPathComponent("datasette.yaml").path, "--format", "json"],
      environment: environment
    ).end()
    #expect(outcome.status == 0, "\(outcome.stdout)\(outcome.stderr)")
    #expect(try Summary(outcome).flows.map(\.records) == [6, 6, 750, 1200, 40, 120, 76, 17])

    let text = workspace.text("out/datasette/products.jsonl")
    let expected = try Records.expected(
      #"{"id":1,"name":"Teapot","price":24.5,"stock":12,"note":null,"added":"2024-01-01T08:00:00Z"}"#,
      #"{"id":2,"name":"Käsereibe","price":7.25,"stock":0,"note":"two \"quoted\" words","added":"2024-01-02T08:30:00Z"}"#,
      #"{"id":3,"name":"茶碗","price":null,"stock":3,"note":"line one\nline two","added":"2024-02-29T23:59:59Z"}"#,
      #"{"id":4,"name":"Spoon 🥄","price":0.1,"stock":null,"note":"","added":"2024-03-01T00:00:00.250Z"}"#,
      #"{"id":5,"name":"Back\\slash, comma","price":1e-7,"stock":-1,"note":"tab\tend","added":"2025-01-01T07:59:59Z"}"#,
      """
      {"id":9007199254740993,"name":"Above 2^53","price":1234567.875,"stock":9223372036854775807,"note":null,
       "added":"2025-01-01T00:00:00Z"}
      """)
    #expect(
      try Records.withInstants(["added"], in: Records.lines(text)) == Records.withInstants(["added"], in: expected))
    #expect(text?.contains("9007199254740993") == true)
    #expect(text?.contains("9223372036854775807") == true)

    let rows = try Records.rows(workspace.text("out/datasette/product-rows.csv"))
    #expect(rows.first == ["id", "name", "price"])
    #expect(rows.dropFirst().map { $0[0] } == ["1", "2", "3", "4", "5", "9007199254740993"])
    #expect(
      rows.dropFirst().map { $0[1] }
        == ["Teapot", "Käsereibe", "茶碗", "Spoon 🥄", "Back\\slash, comma", "Above 2^53"])
    #expect(rows.dropFirst().map { Double($0[2]) } == [24.5, 7.25, nil, 0.1, 1e-7, 1_234_567.875])

    let visits = try Records.lines(workspace.text("out/datasette/visits.jsonl"))
    let all = try (1...750).map {
      try Records.value("{\"id\":\($0),\"product\":\(1 + $0 % 5),\"seconds\":\(Double($0) / 8)}")
    }
    #expect(visits == all)
  }

  @Test func `a response with fewer rows than it declares is an error and is not stored`() async throws {
    guard let environment = try await RealServers.environment(for: "datasette") else { return }
    let workspace = try Workspace()
    try workspace.write(
      """
      reactor: 1
      vars: { datasette: http://127.0.0.1:9 }
      http: { base_url: "{{ vars.datasette }}/shop" }
      flows:
        short:
          resource: { path: /visits.json, query: { _shape: objects, _size: 100 } }
          records: $.rows[*]
          expect: { total: $.filtered_table_rows_count }
          persistence: out/short.jsonl
      """, to: "flows/short.yaml")
    let outcome = try await workspace.reactor("run", environment: environment)
    #expect(outcome.status == 1, "\(outcome.stderr)")
    #expect(outcome.stderr.contains("750") && outcome.stderr.contains("100"), "\(outcome.stderr)")
    #expect(workspace.files() == ["flows/short.yaml"])
  }

  @Test func `a page of many and the children of one parent are the seeded ones`() async throws {
    guard let environment = try await RealServers.environment(for: "datasette") else { return }
    let workspace = try Workspace()
    try workspace.write(
      """
      reactor: 1
      vars: { datasette: http://127.0.0.1:9 }
      http: { base_url: "{{ vars.datasette }}/shop" }
      flows:
        page:
          resource: { path: /readings.json, query: { _shape: objects, _size: 100, _next: 1100 } }
          records: $.rows[*]
          schema: { key: id, fields: { id: integer, sensor: string, celsius: number, at: timestamp } }
          pages: none
          persistence: out/page.jsonl
        counted:
          resource: { path: /readings.json, query: { _shape: objects, _size: 1 } }
          schema: { fields: { total: { from: $.filtered_table_rows_count, type: integer }, next: { from: $.next_url, type: url } } }
          persistence: out/counted.json
        children:
          resource: { path: /orders.json, query: { _shape: objects, customer: 13 } }
          records: $.rows[*]
          schema: { key: id, fields: { id: integer, customer: integer, amount: number } }
          persistence: out/children.jsonl
          expect: { total: $.filtered_table_rows_count }
      """, to: "flows/pages.yaml")
    let outcome = try await workspace.reactor("run", "--format", "json", environment: environment)
    #expect(outcome.status == 0, "\(outcome.stdout)\(outcome.stderr)")
    let page = try Records.lines(workspace.text("out/page.jsonl")).compactMap { $0 as? [String: NSObject] }
    #expect(page.compactMap { $0["id"] as? Int } == Array(1101...1200))
    #expect(page.last?["celsius"] as? Double == 90)
    #expect(page.last?["sensor"] as? String == "sensor-1")
    let base = try #require(environment["REACTOR_VAR_DATASETTE"])
    let counted = try Records.array(workspace.text("out/counted.json"))
    let next = "\(base)/shop/readings.json?_shape=objects&_size=1&_next=1"
    #expect(try counted == Records.expected(#"{"total":1200,"next":"\#(next)"}"#))
    let children = try (0..<6).map {
      try Records.value("{\"id\":\(1300 + $0),\"customer\":13,\"amount\":\(13 + Double($0) / 4)}")
    }
    #expect(try Records.lines(workspace.text("out/children.jsonl")) == children)
  }
}
