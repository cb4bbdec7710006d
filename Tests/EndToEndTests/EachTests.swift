import Foundation
import JSONSyntax
import TestSupport
import Testing

/// One request for each record of another flow, through the program.
@Suite(.timeLimit(.minutes(3))) struct EachTests {
  private typealias Step = ScriptedServer.Step

  private static func answer(_ body: String, status: String = "200 OK") -> [Step] {
    [.send(Array("HTTP/1.1 \(status)\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)".utf8))]
  }

  private static func chunk(_ text: String) -> Step {
    .send(Array((String(text.utf8.count, radix: 16) + "\r\n\(text)\r\n").utf8))
  }

  /// `[{"id":0},…]`
  private static func records(_ ids: Range<Int>) -> String {
    "[" + ids.map { "{\"id\":\($0)}" }.joined(separator: ",") + "]"
  }

  /// The number in `/customers/NUMBER/…`.
  private static func number(in target: String) -> Int? {
    target.split(separator: "/").dropFirst().first.flatMap { Int($0) }
  }

  private static func file(_ server: ScriptedServer, _ flows: String) -> String {
    "reactor: 1\nhttp: { base_url: \"\(server.url)\" }\nflows:\n"
      + flows.split(separator: "\n", omittingEmptySubsequences: false).map { "  \($0)\n" }.joined()
  }

  private static func with(
    _ script: @escaping @Sendable (ScriptedServer.Request) -> [Step],
    _ body: (ScriptedServer, Workspace) async throws -> Void
  ) async throws {
    let server = try ScriptedServer(script)
    defer { server.stop() }
    try await body(server, try Workspace())
  }

  /// Two orders for each of so many customers; some customers are answered with 404, and each response takes its own
  /// time.
  private static func shop(_ customers: Int, missing: Set<Int> = []) -> @Sendable (ScriptedServer.Request) -> [Step] {
    { request in
      if request.target == "/customers" { return answer(records(0..<customers)) }
      guard let number = number(in: request.target) else { return answer("[]") }
      if missing.contains(number) { return answer("{}", status: "404 Not Found") }
      return [.pause(milliseconds: number * 7 % 23)]
        + answer("[{\"id\":\(number * 10)},{\"id\":\(number * 10 + 1)}]")
    }
  }

  private static let shopFlows = """
    customers: { resource: /customers }
    orders:
      resource: "/customers/{{ parent.id }}/orders"
      each: { flow: customers, concurrency: CONCURRENCY }
      persistence: out/orders.jsonl
    """

  @Test(arguments: [1, 4, 16])
  func `one of fifty parents fails: the rest comes in order, and the report tells`(_ concurrency: Int) async throws {
    try await Self.with(Self.shop(50, missing: [17])) { server, workspace in
      try workspace.write(
        Self.file(server, Self.shopFlows.replacing("CONCURRENCY", with: "\(concurrency)")), to: "flows/shop.yaml")
      let outcome = try await workspace.reactor("run", "--report", "json=report.json")
      #expect(outcome.status == 0, "\(outcome.stdout)\(outcome.stderr)")
      let expected = (0..<50).filter { $0 != 17 }.map { "{\"id\":\($0 * 10)}\n{\"id\":\($0 * 10 + 1)}\n" }.joined()
      #expect(workspace.text("out/orders.jsonl") == expected)
      let requests = server.requests.map(\.target).filter { $0.hasSuffix("/orders") }
      #expect(Set(requests) == Set((0..<50).map { "/customers/\($0)/orders" }) && requests.count == 50)
      let report = try JSONValue(parsing: [UInt8](try #require(workspace.bytes("report.json"))))
      let flow = try #require(report["flows"]?.array?.last)
      #expect(flow["records"]?.int64 == 98)
      #expect(flow["rejected"]?.int64 == 1)
      let reason = flow["rejections"]?.array?.first?["reason"]?.string ?? ""
      #expect(reason.contains("{\"id\":17}") && reason.contains("/customers/17/orders") && reason.contains("404"))
      #expect("\(flow)".contains("1 of 50 partitions failed"), "\(flow)")
    }
  }

  @Test(arguments: ["", "\n  persistence: out/c.jsonl", "\n  persistence: out/c.json", "\n  persistence: out/c.csv"])
  func `children start while the parent's response still arrives`(_ persistence: String) async throws {
    try await Self.with({ request in
      guard request.target == "/customers" else { return Self.answer("[{\"id\":1}]") }
      return [
        .send(Array("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n".utf8)), Self.chunk("[{\"id\":7},"),
        .until { server in server.requests.contains { $0.target == "/customers/7/orders" } }, Self.chunk("{\"id\":8}]"),
        .send(Array("0\r\n\r\n".utf8)),
      ]
    }) { server, workspace in
      try workspace.write(
        Self.file(
          server,
          """
          customers:
            resource: /customers
            schema: { fields: { id: integer } }\(persistence.replacing("\n  ", with: "\n  "))
          orders: { resource: "/customers/{{ parent.id }}/orders", each: customers, persistence: out/o.jsonl }
          """), to: "flows/shop.yaml")
      let outcome = try await workspace.reactor("run")
      #expect(outcome.status == 0, "\(outcome.stdout)\(outcome.stderr)")
      #expect(workspace.text("out/o.jsonl") == "{\"id\":1}\n{\"id\":1}\n")
    }
  }

  @Test func `with one job the child runs behind its parent`() async throws {
    try await Self.with(Self.shop(5)) { server, workspace in
      try workspace.write(
        Self.file(server, Self.shopFlows.replacing("CONCURRENCY", with: "2")), to: "flows/shop.yaml")
      #expect(try await workspace.reactor("run", "--jobs", "1").status == 0)
      #expect(workspace.text("out/orders.jsonl")?.split(separator: "\n").count == 10)
    }
  }

  @Test func `parents of parents, and products, in order`() async throws {
    try await Self.with({ request in
      switch request.target {
      case "/regions": return Self.answer("[{\"name\":\"eu\"},{\"name\":\"us\"}]")
      case "/regions/eu/shops": return Self.answer("[{\"id\":1,\"region\":\"eu\"},{\"id\":2,\"region\":\"eu\"}]")
      case "/regions/us/shops": return Self.answer("[{\"id\":3,\"region\":\"us\"}]")
      default: return Self.answer("[{\"seen\":\"\(request.target)\"}]")
      }
    }) { server, workspace in
      try workspace.write(
        Self.file(
          server,
          """
          stock:
            resource: { path: "/shops/{{ parent.region }}-{{ parent.id }}", query: { year: "{{ year }}" } }
            each: [shops, { values: [2023, 2024], as: year }]
            persistence: out/stock.jsonl
          shops:
            resource: "/regions/{{ region.name }}/shops"
            each: { flow: regions, as: region }
          regions: { resource: /regions }
          """), to: "flows/shop.yaml")
      let outcome = try await workspace.reactor("run", "-s", "stock")
      #expect(outcome.status == 0, "\(outcome.stdout)\(outcome.stderr)")
      let expected = ["eu-1", "eu-2", "us-3"].flatMap { shop in
        [2023, 2024].map { "{\"seen\":\"/shops/\(shop)?year=\($0)\"}\n" }
      }
      #expect(workspace.text("out/stock.jsonl") == expected.joined())
      #expect(outcome.stdout.components(separatedBy: "(as a parent)").count == 3)
    }
  }

  @Test func `a parent's persisted result feeds its children without asking`() async throws {
    try await Self.with(Self.shop(6)) { server, workspace in
      for format in ["jsonl", "json", "csv"] {
        let flows = """
          customers:
            resource: /customers
            schema: { fields: { id: integer } }
            persistence: { path: out/customers-\(format).\(format), expires_after: never }
          orders:
            resource: "/customers/{{ parent.id }}/orders"
            each: customers
            persistence: out/orders-\(format).jsonl
          """
        try workspace.write(Self.file(server, flows), to: "flows/shop.yaml")
        #expect(try await workspace.reactor("run", "-s", "customers").status == 0)
        let asked = server.requests.filter { $0.target == "/customers" }.count
        let outcome = try await workspace.reactor("run", "-s", "orders")
        #expect(outcome.status == 0, "\(outcome.stdout)\(outcome.stderr)")
        #expect(server.requests.filter { $0.target == "/customers" }.count == asked)
        #expect(workspace.text("out/orders-\(format).jsonl")?.split(separator: "\n").count == 12)
      }
    }
  }

  @Test func `records of a file are taken as they are`() async throws {
    try await Self.with(Self.shop(9)) { server, workspace in
      try workspace.write("{\"id\":4}\n{\"id\":2}\n{\"id\":3}\n", to: "in/some.jsonl")
      try workspace.write(
        Self.file(
          server,
          """
          orders:
            resource: "/customers/{{ parent.id }}/orders"
            each: { file: in/some.jsonl, max: 2 }
            persistence: out/orders.jsonl
          gone: { resource: /, each: { file: in/gone.jsonl } }
          """), to: "flows/shop.yaml")
      let outcome = try await workspace.reactor("run", "-s", "orders")
      #expect(outcome.status == 0, "\(outcome.stdout)\(outcome.stderr)")
      #expect(workspace.text("out/orders.jsonl") == "{\"id\":40}\n{\"id\":41}\n{\"id\":20}\n{\"id\":21}\n")
      let gone = try await workspace.reactor("run", "-s", "gone")
      #expect(gone.status == 74)
      #expect((gone.stdout + gone.stderr).contains("there is no file 'in/gone.jsonl' to read records from"))
    }
  }

  @Test func `with on_error fail the first failure ends the flow, and nothing is stored`() async throws {
    try await Self.with(Self.shop(30, missing: [3, 9])) { server, workspace in
      let flows = Self.shopFlows.replacing("CONCURRENCY", with: "2, on_error: fail")
      try workspace.write(Self.file(server, flows), to: "flows/shop.yaml")
      let outcome = try await workspace.reactor("run")
      #expect(outcome.status == 5)
      let text = outcome.stdout + outcome.stderr
      #expect(text.contains("{\"id\":3}: GET \(server.url)/customers/3/orders: "), "\(text)")
      #expect(workspace.text("out/orders.jsonl") == nil)
      #expect(server.requests.count < 20)
    }
  }

  @Test func `a flow whose partitions all fail has failed`() async throws {
    try await Self.with(Self.shop(5, missing: [0, 1, 2, 3, 4])) { server, workspace in
      try workspace.write(
        Self.file(server, Self.shopFlows.replacing("CONCURRENCY", with: "2")), to: "flows/shop.yaml")
      let outcome = try await workspace.reactor("run")
      #expect(outcome.status == 5)
      #expect((outcome.stdout + outcome.stderr).contains("all 5 partitions failed; the first: "))
      #expect(workspace.text("out/orders.jsonl") == nil)
    }
  }

  @Test func `a parent without records gives a child without records`() async throws {
    try await Self.with(Self.shop(0)) { server, workspace in
      try workspace.write(
        Self.file(server, Self.shopFlows.replacing("CONCURRENCY", with: "2")), to: "flows/shop.yaml")
      #expect(try await workspace.reactor("run").status == 0)
      #expect(workspace.text("out/orders.jsonl") == "")
    }
  }

  @Test func `a parent that fails half way fails its children, and nothing of them is stored`() async throws {
    try await Self.with({ request in
      guard request.target == "/customers" else { return Self.answer("[{\"id\":1}]") }
      return [
        .send(Array("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n".utf8)), Self.chunk("[{\"id\":7},"),
        .until { server in server.requests.contains { $0.target == "/customers/7/orders" } }, .reset,
      ]
    }) { server, workspace in
      try workspace.write(
        Self.file(server, Self.shopFlows.replacing("CONCURRENCY", with: "2")), to: "flows/shop.yaml")
      let outcome = try await workspace.reactor("run")
      #expect(outcome.status == 5)
      #expect((outcome.stdout + outcome.stderr).contains("its parent 'shop.customers' failed: "))
      #expect(workspace.text("out/orders.jsonl") == nil)
    }
  }

  @Test func `pages of each partition arrive at its index`() async throws {
    try await Self.with({ request in
      if request.target == "/customers" { return Self.answer(Self.records(0..<4)) }
      let parts = request.target.split(separator: "?")
      let number = Self.number(in: String(parts[0])) ?? 0
      let page = parts.last?.split(separator: "=").last.flatMap { Int($0) } ?? 1
      return [.pause(milliseconds: (4 - number) * 5)]
        + Self.answer(page > number ? "[]" : "[{\"id\":\"\(number)-\(page)\"}]")
    }) { server, workspace in
      try workspace.write(
        Self.file(
          server,
          """
          customers: { resource: /customers }
          orders:
            resource: "/customers/{{ parent.id }}/orders"
            each: customers
            pages: { by: page, query: page }
            persistence: out/orders.jsonl
          """), to: "flows/shop.yaml")
      let outcome = try await workspace.reactor("run")
      #expect(outcome.status == 0, "\(outcome.stdout)\(outcome.stderr)")
      #expect(
        workspace.text("out/orders.jsonl")
          == ["1-1", "2-1", "2-2", "3-1", "3-2", "3-3"].map { "{\"id\":\"\($0)\"}\n" }.joined())
    }
  }

  @Test(arguments: ["jsonl", "json"]) func `fields of the parent go into records without a schema`(
    _ format: String
  ) async throws {
    try await Self.with(Self.shop(3)) { server, workspace in
      try workspace.write(
        Self.file(
          server,
          """
          customers: { resource: /customers }
          orders:
            resource: "/customers/{{ parent.id }}/orders"
            each: { flow: customers, add: { customer: "{{ parent.id }}", key: "c-{{ parent.id }}", kind: [order] } }
            persistence: out/orders.\(format)
          items: { resource: "/customers/{{ parent.customer }}/{{ parent.id }}", each: orders, persistence: out/i.jsonl }
          """), to: "flows/shop.yaml")
      let outcome = try await workspace.reactor("run")
      #expect(outcome.status == 0, "\(outcome.stdout)\(outcome.stderr)")
      let lines = (0..<6).map { index in
        let customer = index / 2
        let id = customer * 10 + index % 2
        return "{\"id\":\(id),\"customer\":\(customer),\"key\":\"c-\(customer)\",\"kind\":[\"order\"]}"
      }
      let text = format == "json" ? "[\n\(lines.joined(separator: ",\n"))\n]\n" : lines.joined(separator: "\n") + "\n"
      #expect(workspace.text("out/orders.\(format)") == text)
      #expect(server.requests.contains { $0.target == "/customers/2/21" })
    }
  }
}
