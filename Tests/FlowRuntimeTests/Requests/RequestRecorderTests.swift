import FlowCompiler
import FlowRuntime
import FlowSpec
import FlowTesting
import HTTPTransport
import ReactorCore
import SourceDiagnostics
import Synchronization
import TestSupport
import Testing

/// What a recorder is given of the requests of flows.
@Suite struct RequestRecorderTests {
  private final class Recorder: RequestRecorder {
    private let lines = Mutex<[String]>([])
    var all: [String] { lines.withLock { $0 } }

    func span(for request: TracedRequest, of flow: String) -> (any RequestSpan)? {
      let path = request.url.drop { $0 != ":" }.dropFirst(3).drop { $0 != "/" }
      lines.withLock { $0.append("\(flow) \(request.resends) \(request.method) \(path)") }
      return nil
    }
  }

  /// The requests of the flow `users` as they are recorded.
  private func recorded(
    _ rig: Rig, _ keys: String, http: String = "",
    _ script: @escaping @Sendable (ScriptedServer.Request) -> [ScriptedServer.Step]
  ) async throws -> [String] {
    rig.answer(script)
    let recorder = Recorder()
    let environment = FlowEnvironment(
      root: rig.environment.root,
      clocks: .init(wallClock: rig.clock.wallClock, patience: Patience(delay: Delay { _ in }, random: { 0 })),
      tracing: RunTracing(recorder: recorder))
    let file = SourceFile(path: "flows/shop.yaml", text: rig.text(keys, top: "secrets: [SHOP_KEY]", http: http))
    let inputs = FlowCompiler.Inputs(secrets: ["SHOP_KEY": Secret("tea-and-biscuits")])
    // A secret in a URL is a warning.
    let flow = try #require(rig.compile([file], inputs: inputs, in: environment).flows.first)
    #expect(await rig.run(flow).message == "")
    await environment.close()
    #expect(recorder.all.count == rig.server.requests.count)
    return recorder.all
  }

  @Test func `Each repetition of a request is recorded, and says how often it was sent before`() async throws {
    try await Rig.with { rig in
      let count = Mutex(0)
      let recorded = try await recorded(rig, "retry: 3") { _ in
        count.withLock { $0 += 1 }
        return count.withLock { $0 } < 3 ? answer("503 Busy", "") : ok("[]")
      }
      #expect(recorded == (0...2).map { "shop.users \($0) GET /users" })
    }
  }

  @Test func `The requests for a token are those of the flow that needs it`() async throws {
    try await Rig.with { rig in
      let token = "{ url: \"\(rig.server.url)/token\", client_id: me, client_secret: \"{{ secrets.SHOP_KEY }}\" }"
      let recorded = try await recorded(rig, "auth: { oauth2: \(token) }") { request in
        guard request.target == "/token" else {
          return request["authorization"] == "Bearer two" ? ok("[]") : answer("401 Unauthorized", "")
        }
        let isFirst = rig.server.requests.count { $0.target == "/token" } == 1
        return ok(#"{"access_token":"\#(isFirst ? "one" : "two")"}"#)
      }
      #expect(
        recorded == [
          "shop.users 0 POST /token", "shop.users 0 GET /users", "shop.users 0 POST /token", "shop.users 1 GET /users",
        ])
    }
  }

  @Test func `Secrets in URLs are masked, also those that a server puts into a link`() async throws {
    try await Rig.with { rig in
      let keys = """
        resource: { path: /users, query: { key: "{{ secrets.SHOP_KEY }}" } }
        records: $.data[*]
        pages: { by: next_url, from: $.next }
        """
      let recorded = try await recorded(rig, keys) { request in
        let isFirst = !request.target.contains("page")
        return ok(#"{"data":[],"next":\#(isFirst ? #""/users?page=2&access_token=biscuits""# : "null")}"#)
      }
      #expect(recorded.count == 2 && recorded.first == "shop.users 0 GET /users?key=***")
      #expect(recorded.last?.contains("/users?page=2&access_token=***") == true, "\(recorded)")
    }
  }
}
