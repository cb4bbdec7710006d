import FlowCompiler
import FlowRuntime
import FlowTesting
import Foundation
import ReactorCore
import Synchronization
import Testing
import TestSupport

/// Retries and rate limits of declared flows, against a server; the clock moves on by what is waited.
@Suite struct RetryTests {
  private static let record = #"[{"id":1,"name":"Ada"}]"#

  /// Responses in turn; the last one again and again.
  private static func turns(
    _ answers: [ScriptedServer.Step]...
  ) -> @Sendable (ScriptedServer.Request) -> [ScriptedServer.Step] {
    let count = Turn()
    return { _ in answers[min(count.next(), answers.count - 1)] }
  }

  private final class Turn: Sendable {
    private let count = Mutex(0)
    func next() -> Int {
      count.withLock { count in
        defer { count += 1 }
        return count
      }
    }
  }

  @Test(arguments: [
    ("Retry-After: 7", [Duration.seconds(7)]), ("Retry-After: 0", [.milliseconds(500)]),
    ("Retry-After: 86400", [.seconds(60)]), ("Retry-After: 123456789012345678901234567890", [.seconds(60)]),
    // The rig's clock begins at 22:13:20.
    ("Retry-After: Tue, 14 Nov 2023 22:13:50 GMT", [.seconds(30)]),
    ("Retry-After: Tue, 14 Nov 2023 22:13:00 GMT", [.milliseconds(500)]),
    ("Retry-After: never", [.milliseconds(500)]), ("X-Other: 1", [.milliseconds(500)]),
    ("RateLimit: \"default\";r=0;t=12", [.seconds(12)]),
  ]) func `a 429 is waited for as the server says, within bounds`(field: String, waits: [Duration]) async throws {
    try await Rig.with { rig in
      rig.answer(Self.turns(answer("429 Too Many Requests", "slow down", [field]), ok(Self.record)))
      let run = await rig.run(try rig.flow("reachability: false"))
      #expect(run.kept == 1)
      #expect(rig.server.requests.count == 2)
      #expect(rig.waits.all == waits)
      #expect(run.events.contains(.retrying(attempt: 1, reason: .status(429), wait: waits[0])))
    }
  }

  @Test func `a 503 that passes leaves no trace in the result`() async throws {
    try await Rig.with { rig in
      let busy = answer("503 Service Unavailable", "{\"error\":\"busy\"}")
      rig.answer(Self.turns(busy, busy, ok(Self.record)))
      let run = await rig.run(try rig.flow("retry: { wait: 100ms }"))
      #expect(run.kept == 1)
      #expect(rig.result == "{\"id\":1,\"name\":\"Ada\"}\n")
      #expect(rig.waits.all == [.milliseconds(50), .milliseconds(100)])
    }
  }

  @Test func `a 503 that stays fails the flow after its tries and keeps the old result`() async throws {
    try await Rig.with(ok(Self.record)) { rig in
      let flow = try rig.flow("retry: 3")
      #expect(await rig.run(flow).kept == 1)
      rig.answer(answer("503 Service Unavailable", "busy"))
      let run = await rig.run(flow, .fresh)
      #expect(run.error?.status == 503)
      #expect(run.message.hasSuffix("the server answered with status 503: busy"))
      #expect(rig.server.requests.count == 1 + 4)
      #expect(rig.result == "{\"id\":1,\"name\":\"Ada\"}\n")
    }
  }

  @Test(arguments: [
    ("retry: none", 1), ("retry: 1", 2), ("retry: { max: 3, on: [500] }", 4), ("retry: { on: [429] }", 1),
  ])
  func `as often as declared, and on what is declared`(keys: String, requests: Int) async throws {
    try await Rig.with(answer(keys.contains("500") ? "500 Oops" : "503 Service Unavailable", "no")) { rig in
      let run = await rig.run(try rig.flow("\(keys)\nreachability: false"))
      #expect(run.error?.kind == .server)
      #expect(rig.server.requests.count == requests)
    }
  }

  @Test func `defaults hold unless the flow says otherwise`() async throws {
    try await Rig.with(answer("503 Service Unavailable", "no")) { rig in
      _ = await rig.run(try rig.flow("reachability: false", top: "defaults: { retry: none }"))
      #expect(rig.server.requests.count == 1)
      _ = await rig.run(try rig.flow("reachability: false\nretry: 1", top: "defaults: { retry: none }"))
      #expect(rig.server.requests.count == 3)
    }
  }

  @Test func `a connection that is reset before the head or before the body is tried again`() async throws {
    try await Rig.with { rig in
      let cut: [ScriptedServer.Step] = [.text("HTTP/1.1 200 OK\r\nContent-Length: 30\r\n\r\n"), .close]
      rig.answer(Self.turns([.reset], cut, ok(Self.record)))
      let run = await rig.run(try rig.flow("reachability: false"))
      #expect(run.kept == 1)
      #expect(rig.server.requests.count == 3)
      let reasons = run.events.compactMap { if case .retrying(_, let reason, _) = $0 { reason } else { nil } }
      #expect(reasons == [.reset, .reset])
    }
  }

  @Test func `the check of reachability is made again as often as a request`() async throws {
    try await Rig.with(ok(Self.record)) { rig in
      let flow = try rig.flow("retry: { max: 3, on: [connect] }")
      rig.server.stop()
      let run = await rig.run(flow)
      #expect(run.error?.kind == .noConnectivity, "\(run.message)")
      let reasons = run.events.compactMap { if case .retrying(_, let reason, _) = $0 { reason } else { nil } }
      #expect(reasons == [.connect, .connect, .connect])
    }
  }

  @Test func `a response that is cut after its beginning was read is asked for again`() async throws {
    // More than the transport holds, so that the reader begins before the connection is seen to break.
    let rows = (1...120_000).map { "{\"id\":\($0),\"name\":\"\"}" }.joined(separator: ",")
    try await Rig.with([
      .text("HTTP/1.1 200 OK\r\nContent-Length: 9999999\r\n\r\n[\(rows)"), .pause(milliseconds: 300), .close,
    ]) { rig in
      let run = await rig.run(try rig.flow("reachability: false"))
      #expect(run.message.hasSuffix("the response was cut short: the connection ended before the body did"))
      #expect(rig.server.requests.count == 3)
      #expect(rig.result == nil)
    }
  }

  @Test(arguments: [("", 1), ("retry: { idempotency: true }", 3)])
  func `a POST is sent again only when it is declared idempotent`(keys: String, requests: Int) async throws {
    try await Rig.with(answer("503 Service Unavailable", "no")) { rig in
      let resource = "resource: { method: POST, path: /users, body: { json: { a: 1 } } }"
      let run = await rig.run(try rig.flow("\(resource)\nreachability: false\n\(keys)"))
      #expect(run.error?.status == 503)
      #expect(rig.server.requests.count == requests)
      #expect(rig.server.requests.allSatisfy { $0.body == Array(#"{"a":1}"#.utf8) })
    }
  }

  @Test func `a status that the flow accepts is a response and no failure`() async throws {
    try await Rig.with(answer("503 Service Unavailable", Self.record)) { rig in
      let run = await rig.run(try rig.flow("expect: { status: [200, 503] }\nreachability: false"))
      #expect(run.kept == 1)
      #expect(rig.server.requests.count == 1)
    }
  }

  @Test func `a wait that would pass the deadline fails the flow at once`() async throws {
    try await Rig.with(answer("429 Too Many Requests", "", ["Retry-After: 40"])) { rig in
      let run = await rig.run(try rig.flow("deadline: 30s\nreachability: false"))
      #expect(run.error?.kind == .timeout)
      #expect(run.message.hasSuffix("a wait of 40 s before the next try would exceed the flow's deadline"))
      #expect(rig.server.requests.count == 1)
      #expect(rig.waits.all == [])
    }
  }

  @Test func `a page in the middle is tried again, and the pages keep their order`() async throws {
    try await Rig.with { rig in
      let failed = Mutex(false)
      rig.answer { request in
        let page = Int(request.target.split(separator: "=").last ?? "") ?? 0
        let isFirst = failed.withLock { failed in
          defer { if page == 2 { failed = true } }
          return page == 2 && !failed
        }
        if isFirst { return answer("502 Bad Gateway", "oops") }
        return ok(page > 3 ? "[]" : "[{\"id\":\(page),\"name\":\"\(page)\"}]")
      }
      let run = await rig.run(try rig.flow("pages: { by: page, query: page }\nreachability: false"))
      #expect(run.kept == 3)
      #expect(rig.server.requests.count == 5)
      #expect(rig.result?.split(separator: "\n").map { $0.prefix(7) } == ["{\"id\":1", "{\"id\":2", "{\"id\":3"])
    }
  }

  @Test func `two flows of one host share its rate`() async throws {
    try await Rig.with(ok(Self.record)) { rig in
      let text = """
        reactor: 1
        http: { base_url: "\(rig.server.url)", rate: 2/s }
        defaults: { reachability: false }
        flows:
          one: { resource: /1 }
          two: { resource: /2 }
          free: { resource: /3, http: { rate: { max: 1000/s, follow: none } } }
        """
      let compilation = rig.compile(text)
      #expect(compilation.locations == [])
      for index in [0, 1, 0, 1, 2] { #expect(await rig.run(compilation.flows[index]).error == nil) }
      // The third begins a second after the first, the fourth after the second; the last keeps to its own rate.
      #expect(rig.waits.all == [.seconds(1)])
      #expect(await rig.run(compilation.flows[0]).error == nil)
      #expect(rig.waits.all == [.seconds(1), .seconds(1)])
    }
  }

  @Test func `a limit that one flow has used up holds the other one back, unless it does not follow`() async throws {
    try await Rig.with(ok(Self.record, "X-RateLimit-Remaining: 0", "X-RateLimit-Reset: 1700000045")) { rig in
      let text = """
        reactor: 1
        http: { base_url: "\(rig.server.url)" }
        defaults: { reachability: false }
        flows:
          one: { resource: /1 }
          two: { resource: /2, deadline: 10s }
        """
      let flows = rig.compile(text).flows
      #expect(await rig.run(flows[0]).error == nil)
      #expect(rig.waits.all == [])
      let late = await rig.run(flows[1])
      #expect(late.error?.kind == .timeout)
      #expect(late.message == "the server's rate limit asks for a wait of 45 s, which would exceed the flow's deadline")
      #expect(rig.server.requests.count == 1)
      let held = await rig.run(flows[0])
      #expect(held.error == nil)
      #expect(rig.waits.all == [.seconds(45)])
      #expect(held.events.contains(.waiting(.seconds(45))))
    }
  }

  @Test func `explain tells retries and rates`() async throws {
    try await Rig.with { rig in
      let flow = try rig.flow(
        "retry: { max: 1, on: [5xx, timeout], backoff: constant, wait: 2s, follow: none, idempotency: true }",
        http: "rate: { max: 10/s, concurrency: 2, follow: none }")
      let items = flow.explanation.items
      #expect(
        items.first { $0.heading == "  retries" }?.text
          == "once, after 500-599, timeout; waits of 2 s, at most 60 s; requests of any method")
      #expect(
        items.first { $0.heading == "  rate" }?.text
          == "at most 10 requests in 1 s, at most 2 in progress at once, the server's rate limit headers are ignored"
      )
    }
  }
}
