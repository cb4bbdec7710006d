import FlowCompiler
import FlowRuntime
import FlowSpec
import FlowTesting
import ReactorCore
import SourceDiagnostics
import Synchronization
import TestSupport
import Testing
import WebSyntax

/// Requests that name the trace of the run.
@Suite struct TraceparentTests {
  private static let above = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
  private static let declared = "traceparent: true"

  private func sent(_ rig: Rig) -> [String?] { rig.server.requests.map { $0["traceparent"] } }

  @Test func `all requests of a run name one trace, and each another span that nobody records`() async throws {
    try await Rig.with { rig in
      rig.answer { request in
        if request.target.contains("page=2") { return ok(#"{"data":[]}"#) }
        guard rig.server.requests.count > 1 else { return answer("503 Busy", "") }
        return ok(#"{"data":[{"id":1,"name":"A"}]}"#, "Link: <?page=2>; rel=next")
      }
      let flow = try rig.flow("records: $.data[*]\npages: { by: link }", http: Self.declared)
      #expect(await rig.run(flow).message == "")
      let contexts = sent(rig).compactMap { $0.flatMap { TraceContext($0) } }
      #expect(contexts.count == 3 && Set(contexts.map(\.span)).count == 3)
      #expect(contexts.allSatisfy { $0.trace == rig.environment.run && $0.flags == "00" })
    }
  }

  @Test(arguments: ["", "traceparent: false"])
  func `Only a flow that declares it does so`(_ http: String) async throws {
    try await Rig.with { rig in
      let flow = try rig.flow(http: http)
      #expect(await rig.run(flow).message == "")
      #expect(sent(rig) == [nil])
    }
  }

  @Test func `A run that is a part of a trace passes on the span above`() async throws {
    try await Rig.with { rig in
      let environment = FlowEnvironment(
        root: rig.environment.root, clocks: .init(wallClock: rig.clock.wallClock),
        tracing: RunTracing(below: Self.above))
      let file = SourceFile(path: "flows/shop.yaml", text: rig.text(http: Self.declared))
      let flow = try #require(rig.compile([file], in: environment).accepted().first)
      #expect(await rig.run(flow).message == "")
      await environment.close()
      #expect(sent(rig) == [Self.above])
    }
  }

  @Test func `A declared header is sent instead`() async throws {
    try await Rig.with { rig in
      let flow = try rig.flow(http: Self.declared + ", headers: { TraceParent: own }")
      #expect(await rig.run(flow).message == "")
      #expect(rig.server.requests.first?.fields.filter { $0.name == "traceparent" }.map(\.value) == ["own"])
    }
  }

  @Test func `A request for a token names no trace`() async throws {
    try await Rig.with { rig in
      rig.answer { $0.target == "/token" ? ok(#"{"access_token":"one"}"#) : ok("[]") }
      let token = "{ url: \"\(rig.server.url)/token\", client_id: me, client_secret: \"{{ secrets.KEY }}\" }"
      let flow = try rig.flow(
        top: "secrets: [KEY]", http: Self.declared + ", auth: { oauth2: \(token) }",
        inputs: .init(secrets: ["KEY": Secret("tea-and-biscuits")]))
      #expect(await rig.run(flow).message == "")
      #expect(
        rig.server.requests.map { "\($0.target) \($0["traceparent"] != nil)" } == ["/token false", "/users true"])
    }
  }

  @Test func `A persisted result is asked for again as without it`() async throws {
    try await Rig.with { rig in
      rig.answer { request in
        guard request["If-None-Match"] == "\"v1\"" else { return ok(#"[{"id":1,"name":"A"}]"#, "ETag: \"v1\"") }
        return [.text("HTTP/1.1 304 Not Modified\r\n\r\n")]
      }
      let without = try rig.flow()
      #expect(await rig.run(without).source == .network)
      let flow = try rig.flow(http: Self.declared)
      #expect(await rig.run(flow).source == .persistence)
      rig.clock.advance(by: .seconds(3601))
      #expect(await rig.run(flow).source == .notModified)
      #expect(sent(rig).map { $0 == nil } == [true, false])
    }
  }

  @Test func `Equal requests share a response`() async throws {
    try await Rig.with { rig in
      try rig.scratch.write("{\"id\":1}\n{\"id\":2}\n".utf8, to: "orders.jsonl")
      let flow = try rig.flow(
        "each: { file: orders.jsonl, as: order }\nresource: /users\nschema: { fields: { order: { value: \"{{ order.id }}\" } } }",
        http: Self.declared + ", cache: run")
      rig.answer(ok(#"[{"id":1}]"#))
      #expect(await rig.run(flow).kept == 2)
      #expect(rig.server.requests.count == 1)
    }
  }
}
