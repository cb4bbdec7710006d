import FlowCompiler
import FlowRuntime
import FlowSpec
import FlowTesting
import ReactorCore
import SourceDiagnostics
import Testing
import TestSupport

@Suite struct ExplanationTests {
  private static let secret = "s3cr3t/with+signs&täken"

  @Test func `a flow tells what it would do, in order`() async throws {
    try await Rig.with { rig in
      let flow = try rig.flow(
        """
        description: People of the shop
        tags: [shop, daily]
        resource: { path: /users, query: { page: 2, q: a b } }
        records: $.data[*]
        prune: false
        wait: false
        schema: { key: id, fields: { id: integer, name: { from: $.nick, type: string? }, at: { type: date, default: 2024-01-01 } } }
        persistence: { path: ./out/users.jsonl, expires_after: 90m, fail_on_save_error: false }
        expect: { min: 1, max: 10, total: $.total, max_rejected: 0, status: [200, 203-204] }
        """)
      #expect(
        flow.explanation.items.map { "\($0.heading): \($0.text)" } == [
          "about: People of the shop", "declared in: flows/shop.yaml:5", "tags: shop, daily",
          "1 persistence: out/users.jsonl, used while younger than 5400 s",
          "2 reachability: connect to \(rig.server.url) first",
          "3 request: GET \(rig.server.url)/users?page=2&q=a%20b",
          "  accepts: status 200, 203-204",
          "  limits: 20 s in all, 2147483648 bytes decoded, redirects: same_origin",
          "  retries: at most 2 times, after 429, 502-504, reset, connect; waits doubling from 1 s, at most 60 s, or as long as the server asks",
          "  transfer: connecting 10 s; at least 100 bytes/s within 30 s; head 256 KiB, 1000 fields; JSON nesting 256",
          "4 records: $.data[*], read as a stream", "  bad records: fail the flow", "  schema: users",
          "  field: id: integer from $.id", "  field: name: string from $.nick, optional",
          "  field: at: date from $.at, with a default",
          "5 expect: at least 1 record, at most 10 records, as many records as $.total says, at most 0 rejected",
          "6 save: out/users.jsonl, the flow does not wait for the save; a failure is reported only",
        ])
      #expect(flow.outputPath == "out/users.jsonl")
      #expect(flow.host == rig.server.url)
      #expect(flow.line == 5)
      #expect(rig.server.acceptedConnections == 0)
      #expect(rig.scratch.names() == [])
    }
  }

  @Test(arguments: [("1s", 30), ("1m", 30), ("63s", 31), ("10m", 300)])
  func `a flow that may take long may also pause long`(_ timeout: String, _ seconds: Int) async throws {
    try await Rig.with { rig in
      let flow = try rig.flow("http: { timeout: \(timeout) }")
      let transfer = flow.explanation.items.first { $0.heading == "  transfer" }?.text ?? ""
      #expect(transfer.contains("at least 100 bytes/s within \(seconds) s;"), "\(transfer)")
    }
  }

  /// Secrets at every place that takes one.
  private static let locations = [
    #"resource: { path: "/u/{{ secrets.TOKEN }}" }"#,
    #"resource: { path: /u, query: { key: "x{{ secrets.TOKEN }}" } }"#,
    #"resource: { path: /u, headers: { X-Key: "Bearer {{ secrets.TOKEN }}" } }"#,
    #"resource: { path: /u, method: POST, body: { json: { a: "{{ secrets.TOKEN }}" } } }"#,
    #"resource: { path: /u, method: POST, body: { form: { a: "{{ secrets.TOKEN }}" } } }"#,
    #"resource: { path: /u, method: POST, body: { text: "a {{ secrets.TOKEN }}" } }"#,
  ]

  /// Responses that fail a flow in all the ways that make a message.
  private static let answers: [[ScriptedServer.Step]] = [
    answer("500 Oh", "no"), [.close], [.text("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n["), .close],
    ok("<p>"), ok("[{\"id\":[]}]"), [.text("HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\n\r\n")],
    [.text("HTTP/1.1 302 Found\r\nLocation: /u\r\nContent-Length: 0\r\n\r\n")], [.text("garbage\r\n\r\n"), .close],
    [.text("HTTP/1.1 206 Partial Content\r\nContent-Length: 0\r\n\r\n")],
  ]

  @Test(arguments: locations)
  func `a secret is in no explanation, error or event, and reaches the server`(_ location: String) async throws {
    try await Rig.with(ok("[]")) { rig in
      let inputs = FlowCompiler.Inputs(secrets: ["TOKEN": Secret(Self.secret)])
      let compilation = rig.compile(rig.text(location, top: "secrets: [TOKEN]"), inputs: inputs)
      var shown = compilation.diagnostics.diagnostics.map { "\($0)" }
      let flow = try #require(compilation.flows.first)
      shown += flow.explanation.items.map { "\($0)" }
      #expect(
        flow.explanation.items.contains { $0.text.contains("{{ secrets.TOKEN }}") || $0.text.contains("secrets") })
      #expect(await rig.run(flow).error == nil)
      let request = try #require(rig.server.requests.first)
      let sent = "\(request.target) \(request.fields) \(String(decoding: request.body, as: UTF8.self))"
      #expect(sent.contains("s3cr3t"))
      for answer in Self.answers {
        rig.answer(answer)
        let run = await rig.run(flow, .fresh)
        #expect(run.error != nil, "\(answer)")
        shown.append("\(String(describing: run.error)) \(run.message) \(run.events)")
      }
      #expect(shown.filter { $0.contains("s3cr3t") } == [])
      #expect(!rig.scratch.names().contains { rig.scratch.text($0)?.contains("s3cr3t") == true })
    }
  }

  @Test func `a proxy with a secret does not show it`() async throws {
    try await Rig.with(answer("407 Proxy Authentication Required", "no")) { rig in
      let proxy = "http://me:{{ secrets.TOKEN }}@127.0.0.1:\(rig.server.port)"
      let compilation = rig.compile(
        rig.text("http: { base_url: \"http://example.test\", proxy: \"\(proxy)\" }", top: "secrets: [TOKEN]"),
        inputs: .init(secrets: ["TOKEN": Secret("s3cr3t")]))
      let flow = try #require(compilation.flows.first, "\(compilation.diagnostics)")
      let run = await rig.run(flow)
      let shown = "\(flow.explanation) \(String(describing: run.error)) \(run.events) \(compilation.diagnostics)"
      #expect(run.error != nil)
      #expect(!shown.contains("s3cr3t"))
    }
  }
}
