import BatchRunner
import Foundation
import ReactorCore
import RunViews
import TestSupport
import Synchronization
import Testing

#if canImport(Glibc)
  import Glibc
#endif

/// The event logs of real runs, applied again: they give what the run itself reported.
@Suite(.timeLimit(.minutes(3))) struct LiveReplayTests {
  private static let flows = """
    reactor: 1
    vars: { base_url: "http://127.0.0.1:1" }
    http: { base_url: "{{ vars.base_url }}" }
    defaults: { reachability: false, retry: { max: 2, on: [503], wait: 10ms } }
    schemas: { item: { key: id, fields: { id: integer } } }
    flows:
      pages: { resource: /pages, pages: { by: page, query: page }, persistence: out/pages.jsonl }
      cut: { resource: /cut, retry: none, pages: { by: page, query: page, partial: keep }, persistence: out/cut.jsonl }
      parents: { resource: /parents }
      each: { resource: "/children/{{ parent.id }}", each: { flow: parents }, persistence: out/each.jsonl }
      flaky: { resource: /flaky }
      mixed: { resource: /mixed, schema: item, prune: true, persistence: out/mixed.jsonl, rejected: out/mixed.bad.jsonl }
      none: { resource: /none, schema: item, prune: true, persistence: out/none.jsonl }
      late: { resource: /parents, wait: false, persistence: out/late.jsonl }
      merged: { resource: /parents, schema: item, persistence: { path: out/merged.jsonl, mode: merge } }
      wrong: { resource: /mixed, schema: item, prune: false }
      gone: { resource: /gone, errors: [{ when: "status == 404", do: skip }] }
      error: { resource: /error }
      slip: { resource: /slip, schema: { fields: { id: integer, ctiy: string? } } }
      kept: { resource: /parents, persistence: { path: out/kept.jsonl, expires_after: 1h } }
      last: { resource: /parents }

    """

  private static func server() throws -> ScriptedServer {
    // Every other request is refused, whichever connection it comes over.
    let refused = Mutex(false)
    return try ScriptedServer { request in
      func answer(_ body: String, _ status: String = "200 OK") -> [ScriptedServer.Step] {
        [
          .send(
            Array("HTTP/1.1 \(status)\r\nETag: \"1\"\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)".utf8))
        ]
      }
      if request["If-None-Match"] != nil { return [.send(Array("HTTP/1.1 304 Not Modified\r\n\r\n".utf8))] }
      let page = request.target.split(separator: "=").last.flatMap { Int($0) } ?? 1
      switch request.target.prefix(while: { $0 != "?" }) {
      case "/pages": return answer(page > 3 ? "[]" : "[{\"id\":\(page)},{\"id\":\(page + 100)}]")
      case "/cut": return page > 2 ? answer("no", "500 No") : answer("[{\"id\":\(page)}]")
      case "/flaky":
        let isRefused = refused.withLock { refused in
          refused.toggle()
          return refused
        }
        return isRefused ? answer("busy", "503 Busy") + [.close] : answer("[{}]")
      case "/slip": return answer("[{\"id\":1,\"city\":\"x\"}]")
      case "/mixed": return answer("[{\"id\":1},{\"id\":\"x\"},{\"id\":3}]")
      case "/none": return answer("[{\"id\":\"x\"}]")
      case "/gone": return answer("{}", "404 Gone")
      case "/error": return answer("no \u{1B}[31m", "500 No")
      case "/hang": return [.hold]
      default: return answer("[{\"id\":1},{\"id\":2}]")
      }
    }
  }

  private static func workspace(_ server: ScriptedServer, _ more: String = "") throws -> Workspace {
    let workspace = try Workspace()
    try workspace.write(flows.replacing("http://127.0.0.1:1", with: server.url) + more, to: "flows/s.yaml")
    return workspace
  }

  /// Holds a log against the report of the same run; gives both states of affairs.
  @discardableResult
  private static func check(_ workspace: Workspace, _ told: String) throws -> (state: RunState, report: RunReport) {
    let log = try #require(workspace.text("e.ndjson"), "\(told)")
    #expect(log.split(separator: "\n").last?.contains("\"run.finished\"") == true, "\(told)")
    let state = try EventReplay.state(log)
    let report = try RunReport(parsing: Array(try #require(workspace.bytes("r.json"), "\(told)")))
    let replayed = RunReport(state, exit: report.exit, tool: report.tool)
    #expect(replayed.isComplete == report.isComplete && replayed.duration == report.duration)
    for (own, theirs) in zip(replayed.flows, report.flows) {
      var theirs = theirs
      // What a session with recordings adds is its own.
      (theirs.details, theirs.differences, theirs.differencesLeftOut) = ([], [], 0)
      var own = own
      if theirs.cassette != nil, own.save == "saved" { own.save = "none" }
      (theirs.cassette, theirs.golden) = (nil, nil)
      if own.source == "network", log.contains("\"replayed\":true") { own.source = "replayed" }
      own.failure?.help = nil
      theirs.failure?.help = nil
      #expect(own == theirs, "\(told)")
    }
    #expect(replayed.flows.count == report.flows.count)
    try? FileManager.default.removeItem(at: workspace.folder.appendingPathComponent("e.ndjson"))
    try? FileManager.default.removeItem(at: workspace.folder.appendingPathComponent("r.json"))
    return (state, report)
  }

  private static let logged = ["--report", "ndjson=e.ndjson", "--report", "json=r.json"]

  @Test func `pages, parents, retries, rejections, skips, late saves and persisted results`() async throws {
    let server = try Self.server()
    defer { server.stop() }
    let workspace = try Self.workspace(server)
    var run = try await workspace.start(["run"] + Self.logged).end()
    let first = try Self.check(workspace, run.stderr)
    func flow(_ name: String, _ state: RunState) throws -> FlowState {
      try #require(state.flows.first { $0.id == "s.\(name)" })
    }
    // That all of it has happened.
    #expect(try flow("pages", first.state).pages == 4 && flow("pages", first.state).records == 6, "\(run.stderr)")
    #expect(try flow("cut", first.state).shortfall != nil && flow("cut", first.state).records == 2)
    #expect(
      try flow("slip", first.state).warnings.map(\.kind) == [.missingFields]
        && flow("slip", first.state).status == .passed)
    #expect(first.report.flows.first { $0.id == "s.slip" }?.warnings.map(\.kind) == ["missingFields"])
    #expect(try flow("each", first.state).records == 4)
    #expect(try flow("mixed", first.state).rejections.count == 1)
    #expect(try flow("none", first.state).rejected == 1 && flow("none", first.state).status == .failed)
    #expect(try flow("late", first.state).save == .saved)
    #expect(try flow("wrong", first.state).status == .failed)
    #expect(try flow("gone", first.state).status == .passed && flow("gone", first.state).records == 0)
    #expect(try flow("error", first.state).status == .error)
    #expect(first.report.flows.reduce(0) { $0 + $1.retries } >= 1)
    run = try await workspace.start(["run", "-j", "1"] + Self.logged).end()
    let second = try Self.check(workspace, run.stderr)
    #expect(try flow("kept", second.state).source == .persistence, "\(run.stderr)")
    run = try await workspace.start(["run", "--fresh=validate"] + Self.logged).end()
    let third = try Self.check(workspace, run.stderr)
    #expect(try flow("kept", third.state).source == .notModified, "\(run.stderr)")
    run = try await workspace.start(["run", "-s", "s.each", "-s", "s.last", "--shard", "1/1"] + Self.logged).end()
    let fourth = try Self.check(workspace, run.stderr)
    #expect(fourth.report.flows.filter(\.isAdded).map(\.id) == ["s.parents"], "\(run.stderr)")
  }

  @Test(arguments: [["--max-fail", "1", "-j", "1"], ["--max-fail", "1", "-j", "4"], ["--max-fail", "3"]])
  func `runs that stop early`(limits: [String]) async throws {
    let server = try Self.server()
    defer { server.stop() }
    let workspace = try Self.workspace(server)
    let run = try await workspace.start(["run", "--fresh"] + limits + Self.logged).end()
    let (state, _) = try Self.check(workspace, run.stderr)
    if limits.contains("1") {
      #expect(state.stop == .failures && state.flows.last?.status == .cancelled, "\(run.stderr)")
    }
  }

  @Test(arguments: [["--grace", "0s"], ["--grace", "1s"]])
  func `a run that is interrupted`(grace: [String]) async throws {
    let server = try Self.server()
    defer { server.stop() }
    let workspace = try Self.workspace(server, "  zz_hang: { resource: /hang }\n  zz_next: { resource: /parents }\n")
    let program = try workspace.start(["run", "-j", "1"] + grace + Self.logged)
    #expect(await server.wait { $0.requests.contains { $0.target == "/hang" } })
    program.signal(SIGINT)
    let run = await program.end()
    #expect(run.status == 130, "\(run.stderr)")
    let (state, _) = try Self.check(workspace, run.stderr)
    #expect(state.isCancelled && state.flows.suffix(2).allSatisfy { $0.status == .cancelled })
  }

  @Test func `a run whose time is over`() async throws {
    let server = try Self.server()
    defer { server.stop() }
    let workspace = try Self.workspace(server, "  zz_hang: { resource: /hang }\n  zz_next: { resource: /parents }\n")
    let run = try await workspace.start(["run", "-j", "1", "--total-timeout", "2s"] + Self.logged).end()
    let (state, _) = try Self.check(workspace, run.stderr)
    #expect(state.stop == .timeout, "\(run.stderr)")
  }

  @Test func `recordings and replays`() async throws {
    let server = try Self.server()
    let workspace = try Self.workspace(server)
    var run = try await workspace.start(["record"] + Self.logged).end()
    server.stop()
    try Self.check(workspace, run.stdout + run.stderr)
    run = try await workspace.start(["test", "-j", "1"] + Self.logged).end()
    let (state, _) = try Self.check(workspace, run.stdout + run.stderr)
    #expect(state.flows.first { $0.id == "s.pages" }?.pages == 4, "\(run.stdout)\(run.stderr)")
  }
}
