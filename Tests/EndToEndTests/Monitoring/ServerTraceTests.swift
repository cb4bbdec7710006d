import JSONSyntax
import TestSupport
import Testing

/// What servers and receivers of OpenTelemetry have in common.
@Suite(.timeLimit(.minutes(2)))
struct ServerTraceTests {
  private static let above = (trace: "0af7651916cd43dd8448eb211c80319c", span: "b7ad6b7169203331")

  private func shop() throws -> (Workspace, ScriptedServer) {
    let server = try ScriptedServer { request in
      let body = #"[{"id":1},{"id":2}]"#
      return [.send(Array("HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)".utf8))]
    }
    let workspace = try Workspace()
    try workspace.write(
      """
      reactor: 1
      http: { base_url: "\(server.url)", traceparent: true }
      defaults: { reachability: false }
      flows:
        orders: { resource: /orders, schema: { fields: { id: integer } }, persistence: out/orders.jsonl }
        customers: { resource: /customers, schema: { fields: { id: integer } } }

      """, to: "flows/shop.yaml")
    return (workspace, server)
  }

  /// The parts of the fields that a server has received.
  private static func sent(_ server: ScriptedServer) -> [[String]] {
    server.requests.map { ($0["traceparent"] ?? "").split(separator: "-").map(String.init) }
  }

  private static func trace(_ outcome: Program.Outcome) throws -> String? {
    try JSONValue(parsing: Array(outcome.stdout.utf8))["trace_id"]?.string
  }

  @Test(arguments: [false, true])
  func `the ids that a server gets are those of the trace that is sent`(_ isBelow: Bool) async throws {
    let (workspace, server) = try shop()
    defer { server.stop() }
    let receiver = try ScriptedServer { _ in [.send(Array("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}".utf8))] }
    defer { receiver.stop() }
    let outcome = try await workspace.reactor(
      "run", "--format", "json", "--otlp", receiver.url,
      environment: isBelow ? ["TRACEPARENT": "00-\(Self.above.trace)-\(Self.above.span)-00"] : [:])
    #expect(outcome.status == 0, "\(outcome.stderr)")
    let body = try #require(receiver.requests.first { $0.target == "/v1/traces" }?.body)
    let spans = try JSONValue(parsing: body)["resourceSpans"]?.array?.first?["scopeSpans"]?.array?.first?["spans"]?
      .array
    let requests = (spans ?? []).filter { $0["kind"]?.int64 == 3 }
    let trace = try Self.trace(outcome)
    #expect(isBelow == (trace == Self.above.trace))
    #expect((spans ?? []).allSatisfy { $0["traceId"]?.string == trace })
    let sent = Self.sent(server)
    #expect(sent.count == 2 && sent.allSatisfy { $0.first == "00" && $0[1] == trace && $0.last == "01" }, "\(sent)")
    #expect(Set(sent.map { $0[2] }) == Set(requests.compactMap { $0["spanId"]?.string }))
  }

  @Test func `without a receiver the summary has the id of the trace`() async throws {
    let (workspace, server) = try shop()
    defer { server.stop() }
    let outcome = try await workspace.reactor("run", "--format", "json")
    let trace = try #require(try Self.trace(outcome))
    #expect(Self.sent(server).allSatisfy { $0[1] == trace && $0.last == "00" })
    let history = try await workspace.reactor("history", "--format", "json")
    #expect(history.stdout.contains(trace), "\(history.stdout)")

    let below = try await workspace.reactor(
      "run", "--fresh", "--format", "json", "--no-timing",
      environment: ["TRACEPARENT": "00-\(Self.above.trace)-\(Self.above.span)-01"])
    let shown = try Self.trace(below)
    #expect(below.status == 0 && shown == nil)
    #expect(Self.sent(server).suffix(2).allSatisfy { $0 == ["00", Self.above.trace, Self.above.span, "01"] })
  }

  @Test func `a recording does not have it, and is replayed without it`() async throws {
    let (workspace, server) = try shop()
    let recorded = try await workspace.reactor("record")
    #expect(recorded.status == 0, "\(recorded.stdout)\(recorded.stderr)")
    #expect(Self.sent(server).allSatisfy { $0.count == 4 })
    server.stop()
    for file in workspace.files(hidden: true) where file.hasPrefix("fixtures/") {
      #expect(workspace.text(file)?.lowercased().contains("traceparent") == false, "\(file)")
    }
    let tested = try await workspace.reactor("test", environment: ["CI": "1"])
    #expect(tested.status == 0, "\(tested.stdout)\(tested.stderr)")
  }
}
