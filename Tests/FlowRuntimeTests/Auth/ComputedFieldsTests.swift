import ByteCodings
import FlowCompiler
import FlowRuntime
import FlowSpec
import FlowTesting
import Foundation
import ReactorCore
import SourceDiagnostics
import TestSupport
import Testing

/// Headers and parameters that are computed over each request, on real connections.
@Suite(.timeLimit(.minutes(2))) struct ComputedFieldsTests {
  private static let top = "secrets: [KEY]\nvars: { version: v1 }"
  private static let inputs = FlowCompiler.Inputs(secrets: ["KEY": Secret("s3cret-Key")])

  private static func code(_ text: String) -> String {
    Hex.text(DigestAlgorithm.sha256.authenticationCode(of: Array(text.utf8), key: Array("s3cret-Key".utf8)))
  }

  @Test func `a signature is over what is sent, and each retry has its own time`() async throws {
    try await Rig.with { rig in
      rig.answer { [server = rig.server] _ in
        server.requests.count == 1 ? answer("503 Busy", "", ["Retry-After: 70"]) : ok(#"[{"id":1,"name":"a"}]"#)
      }
      let flow = try rig.flow(
        """
        resource: { method: POST, path: "/a b", query: { x: "1 2" }, body: { json: { a: ä } } }
        retry: { max: 2, max_wait: 2m, idempotency: true }
        auth:
          sign:
            headers:
              X-Time: "{{ now().format('epoch_s') }}"
              X-Signature: "{{ vars.version }}={{ hmac_sha256(now().format('epoch_s') + request.method + request.target + request.body, secrets.KEY) }}"
        """, top: Self.top, inputs: Self.inputs)
      #expect(await rig.run(flow).kept == 1)
      #expect(rig.server.requests.compactMap { $0["x-time"] } == ["1700000000", "1700000070"])
      for request in rig.server.requests {
        let body = String(decoding: request.body, as: UTF8.self)
        let text = "\(request["x-time"] ?? "")POST\(request.target)\(body)"
        #expect(request.target == "/a%20b?x=1%202" && body == #"{"a":"ä"}"#)
        #expect(request["x-signature"] == "v1=\(Self.code(text))")
      }
      let shown = flow.explanation.items.map { "\($0.heading) \($0.text)" }.joined(separator: "\n")
      #expect(shown.contains("sign, header X-Time, header X-Signature") && !shown.contains("s3cret"), "\(shown)")
    }
  }

  @Test func `a parameter is computed over those before it, and comes last`() async throws {
    try await Rig.with(ok(#"[{"id":1,"name":"a"}]"#)) { rig in
      let flow = try rig.flow(
        """
        resource: { path: /users, query: { symbol: A&B } }
        auth:
          sign:
            query:
              timestamp: "{{ now().format('epoch_ms') }}"
              signature: "{{ hmac_sha256(request.query, secrets.KEY) }}"
        """, top: Self.top, inputs: Self.inputs)
      rig.clock.advance(by: .nanoseconds(250_999_999))
      #expect(await rig.run(flow).kept == 1)
      let signed = "symbol=A%26B&timestamp=1700000000250"
      #expect(rig.server.requests.map(\.target) == ["/users?\(signed)&signature=\(Self.code(signed))"])
    }
  }

  @Test(arguments: [301, 307]) func `computed headers do not follow a redirect to another origin`(
    _ status: Int
  ) async throws {
    let other = try ScriptedServer { _ in ok(#"[{"id":1,"name":"a"}]"#) }
    defer { other.stop() }
    try await Rig.with { rig in
      rig.answer { _ in answer("\(status) Found", "", ["Location: \(other.url)/x"]) }
      let flow = try rig.flow(
        "auth: { sign: { headers: { X-One: a, X-Two: \"{{ sha256(secrets.KEY) }}\" } } }", top: Self.top,
        http: "redirects: any", inputs: Self.inputs)
      #expect(await rig.run(flow).kept == 1)
      let request = try #require(other.requests.first)
      #expect(request["x-one"] == nil && request["x-two"] == nil)
    }
  }

  @Test func `a value that cannot be computed fails before anything is sent`() async throws {
    try await Rig.with { rig in
      let flow = try rig.flow(
        "auth: { sign: { headers: { X-S: \"{{ hmac_sha256(request.body, secrets.KEY, 'hex', 'hex') }}\" } } }",
        top: Self.top, inputs: Self.inputs)
      let run = await rig.run(flow)
      #expect(run.message.contains("the request cannot be signed: 'X-S'"), "\(run.message)")
      #expect(!run.message.contains("s3cret") && rig.server.requests.isEmpty)
      let compilation = rig.compile(
        rig.text("auth: { sign: { headers: { X-S: \"{{ sha256(secrets.KEY) }}\" } } }", top: Self.top))
      #expect(compilation.diagnostics.diagnostics.map(\.message) == ["secret 'KEY' has no value"])
      let twice = rig.compile(
        rig.text(
          "resource: { path: /users, query: { s: a } }\nauth: { sign: { query: { s: \"{{ request.path }}\" } } }",
          top: Self.top), inputs: Self.inputs)
      #expect(twice.diagnostics.diagnostics.map(\.message) == ["query parameter 's' is also set by 'auth'"])
    }
  }
}
