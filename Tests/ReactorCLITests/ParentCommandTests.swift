import Foundation
import JSONSyntax
import ReactorCLI
import ReactorCore
import Testing

/// Flows that take the records of others, on the command line.
@Suite(.timeLimit(.minutes(1))) struct ParentCommandTests {
  private static let files = [
    "flows/a.yaml": """
    reactor: 1
    http: { base_url: "http://127.0.0.1:1" }
    flows:
      items: { resource: /items, each: orders, tags: [deep] }
      orders: { resource: /orders, each: b.customers, persistence: out/orders.json }
      alone: { resource: /alone }
    """,
    "flows/b.yaml": """
    reactor: 1
    http: { base_url: "http://127.0.0.1:1" }
    flows:
      customers: { resource: /customers }
      regions: { resource: /regions }
    """,
  ]

  @Test func `selecting a flow brings its parents along, parents first, and says so`() async throws {
    let bench = try Workbench(Self.files)
    let outcome = try await bench.run([
      "run", bench.path("flows"), "--root", bench.path("r"), "-s", "items", "--no-timing",
    ])
    #expect(outcome.code == 0, "\(outcome.err)")
    let lines = outcome.out.split(separator: "\n").map(String.init)
    #expect(lines.first?.hasPrefix("ok     b.customers") == true, "\(outcome.out)")
    #expect(lines.first?.hasSuffix("(as a parent)") == true, "\(outcome.out)")
    #expect(lines[1].contains("a.orders") && lines[1].hasSuffix("(as a parent)"))
    #expect(lines[2].contains("a.items") && !lines[2].contains("parent"))
    let json = try await bench.run(
      ["run", bench.path("flows"), "--root", bench.path("r"), "-s", "tag:deep", "--format", "json"])
    let flows = try #require(try JSONValue(parsing: json.out)["flows"]?.array)
    #expect(flows.map { $0["id"]?.string } == ["b.customers", "a.orders", "a.items"])
    #expect(flows.map { $0["added"]?.bool } == [true, true, nil])
  }

  @Test func `a dry run shows the order and who takes whose records`() async throws {
    let bench = try Workbench(Self.files)
    let outcome = try await bench.run(["run", "-n", bench.path("flows"), "-s", "a.orders"])
    #expect(
      outcome.out == """
        b.customers  ask     ()  -> out/customers.json  (as a parent)
        a.orders     ask     ()  -> out/orders.json  <- b.customers
        dry run: 2 flows: 2 with requests  8 at once, 4 to one host

        """)
    let json = try await bench.run(["run", "-n", bench.path("flows"), "--format", "json"])
    let flows = try #require(try JSONValue(parsing: json.out)["flows"]?.array)
    #expect(
      flows.map { $0["id"]?.string } == ["b.customers", "a.orders", "a.items", "a.alone", "b.regions"])
    #expect(flows[2]["after"] == .array([.string("a.orders")]))
    #expect(flows.allSatisfy { $0["added"]?.bool == false })
  }

  @Test func `shards count selected flows, and their parents come along`() async throws {
    let bench = try Workbench(Self.files)
    var selected: [String] = []
    var parts: [String] = []
    for number in 1...3 {
      let report = bench.path("part-\(number).json")
      let outcome = try await bench.run([
        "run", bench.path("flows"), "--root", bench.path("r"), "--shard", "\(number)/3", "--fail-on", "!no-flows",
        "--report", "json=\(report)",
      ])
      #expect(outcome.code == 0, "\(outcome.err)")
      parts.append(report)
      let whole = try JSONValue(parsing: [UInt8](Data(contentsOf: URL(fileURLWithPath: report))))
      let flows = whole["flows"]?.array ?? []
      let ids = flows.compactMap { $0["id"]?.string }
      selected += flows.filter { $0["added"] == nil }.compactMap { $0["id"]?.string }
      if ids.contains("a.items") { #expect(ids.contains("b.customers") && ids.contains("a.orders")) }
    }
    #expect(selected.sorted() == ["a.alone", "a.items", "a.orders", "b.customers", "b.regions"])
    // A flow that several machines have run is told once, by the one that selected it.
    let joined = try await bench.run(["report", "merge", "--format", "json"] + parts)
    let flows = try #require(try JSONValue(parsing: joined.out)["flows"]?.array)
    #expect(flows.compactMap { $0["id"]?.string } == ["a.items", "a.orders", "a.alone", "b.customers", "b.regions"])
    #expect(flows.allSatisfy { $0["added"] == nil })
  }

  @Test func `a parent that fails fails its children by name`() async throws {
    let bench = try Workbench(Self.files)
    var assembly = FakeAssembly()
    assembly.results = ["customers": .failure(.server("answered 500", status: 500))]
    let outcome = try await bench.run(
      ["run", bench.path("flows"), "--root", bench.path("r"), "-s", "items", "--jobs", "1"], assembly)
    #expect(outcome.code == 5)
    #expect((outcome.out + outcome.err).contains("its parent 'b.customers' failed: answered 500"))
  }

  @Test func `explain draws who takes the records of whom`() async throws {
    let bench = try Workbench(Self.files)
    let graph = try await bench.run(["explain", "graph", bench.path("flows")])
    #expect(graph.code == 0)
    #expect(
      graph.out == """
        b.customers
        └─> a.orders
            └─> a.items
        5 flows, 3 linked by 'each'

        """)
    let flow = try await bench.run(["explain", "orders", bench.path("flows")])
    #expect(
      flow.out.hasSuffix(
        """
          graph
            b.customers
            └─> a.orders  (this flow)
                └─> a.items

        """), "\(flow.out)")
    #expect(!(try await bench.run(["explain", "alone", bench.path("flows")])).out.contains("graph"))
    let none = try await bench.run(["explain", "graph", bench.path("flows/b.yaml")])
    #expect(none.out == "2 flows, none takes the records of another\n")
  }

  @Test func `a circle is an error before anything runs`() async throws {
    let bench = try Workbench([
      "flows/a.yaml": """
      reactor: 1
      http: { base_url: "http://127.0.0.1:1" }
      flows:
        one: { resource: /1, each: two }
        two: { resource: /2, each: one }
      """
    ])
    let outcome = try await bench.run(["check", bench.path("flows")])
    #expect(outcome.code == 3)
    #expect(outcome.err.contains("flows take their records from each other: a.one <- a.two <- a.one"))
  }
}
