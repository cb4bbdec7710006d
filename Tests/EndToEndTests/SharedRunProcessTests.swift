import Foundation
import Synchronization
import TestSupport
import Testing

/// Runs in which several processes take part, with their state in a real PostgreSQL server.
@Suite(
  .serialized, .timeLimit(.minutes(5)),
  .enabled(if: (try? PostgreSQLServer.isAvailable(for: "runs of several processes")) ?? true))
struct SharedRunProcessTests {
  private static let database = Result { try PostgreSQLServer() }

  private let database: PostgreSQLServer
  private let workspace: Workspace
  /// The names of runs must differ, because all tests have one database.
  private let run = "run \(UUID().uuidString)"

  init() throws {
    database = try Self.database.get()
    workspace = try Workspace()
  }

  private func environment(lease: String = "60s") -> [String: String] {
    ["REACTOR_STATE": database.url, "REACTOR_RUN": run, "REACTOR_LEASE": lease]
  }

  private func start(_ arguments: String..., lease: String = "60s") throws -> Program {
    try workspace.start(["run"] + arguments, environment: environment(lease: lease))
  }

  private static func response(_ body: String) -> ScriptedServer.Step {
    .send(Array("HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)".utf8))
  }

  /// Flows `f0`, `f1`, … with a request each.
  private func write(_ count: Int, to server: ScriptedServer, more: String = "") throws {
    let flows = (0..<count).map {
      "  f\($0): { resource: /f\($0), reachability: false, persistence: out/f\($0).jsonl }\n"
    }
    try workspace.write(
      "reactor: 1\nhttp: { base_url: \"\(server.url)\", timeout: 1m }\nflows:\n" + flows.joined() + more,
      to: "flows/a.yaml")
  }

  private func summary(_ path: String) throws -> Summary { try Summary(parsing: try #require(workspace.text(path))) }

  // MARK: - Tests

  @Test func `four processes run each flow once, and one of them reports all`() async throws {
    let server = try ScriptedServer { request in
      if request.target == "/top" { return [Self.response("[{\"id\":1},{\"id\":2}]")] }
      return [.pause(milliseconds: 20), Self.response("[{\"id\":1}]")]
    }
    defer { server.stop() }
    try write(
      20, to: server,
      more: """
          top: { resource: /top, reachability: false, persistence: out/top.jsonl }
          below: { resource: "/below/{{ parent.id }}", reachability: false, each: top, persistence: out/below.jsonl }
        """)
    let processes = try (0..<4).map { try start("--report", "json=report-\($0).json", "--jobs", "2") }
    var outcomes: [Program.Outcome] = []
    for process in processes { outcomes.append(await process.end()) }
    #expect(outcomes.map(\.status) == [0, 0, 0, 0], "\(outcomes.map(\.stderr))")
    let targets = (0..<20).map { "/f\($0)" } + ["/top", "/below/1", "/below/2"]
    #expect(server.requests.map(\.target).sorted() == targets.sorted())
    let reports = workspace.files().filter { $0.hasPrefix("report-") }
    try #require(reports.count == 1)
    let all = (0..<20).map { "a.f\($0)" } + ["a.top", "a.below"]
    #expect(try summary(reports[0]).flows.map(\.id) == all)
    #expect(outcomes.count { $0.stdout.contains(": 22 flows: 22 passed") } == 1)

    let status = try await workspace.reactor("status", run, environment: environment())
    #expect(status.stdout.contains("22 of 22 flows ended: 22 passed"), "\(status.stdout)\(status.stderr)")
    let report = try await workspace.reactor(
      "report", "--run", run, "--report", "junit=junit.xml", environment: environment())
    #expect(report.status == 0 && report.stdout.contains("22 flows: 22 passed"), "\(report.stdout)\(report.stderr)")
    #expect(workspace.text("junit.xml")?.contains("tests=\"22\"") == true)
    let history = try await workspace.reactor("history", "a.below", environment: environment())
    #expect(history.stdout.contains("a.below") && history.stdout.contains("passed"))
    #expect(!workspace.files(hidden: true).contains { $0.hasSuffix("history.jsonl") })

    // Starting the run again changes nothing.
    let again = await (try start("--report", "json=again.json")).end()
    #expect(again.status == 0 && server.requests.count == targets.count, "\(again.stdout)\(again.stderr)")
    #expect(workspace.text("again.json") == nil && again.stdout.contains("nothing is left to do"))
  }

  @Test(arguments: [SIGKILL, SIGTERM, SIGSTOP])
  func `what a process does not finish, another one does, once`(_ signal: Int32) async throws {
    let isFree = Atomic(false)
    let server = try ScriptedServer { request in
      // The first process hangs in its flow.
      if request.target == "/f0", !isFree.load(ordering: .acquiring) {
        return [.until { _ in isFree.load(ordering: .acquiring) }, Self.response("[{\"id\":\"late\"}]")]
      }
      return [Self.response("[{\"id\":\"own\"}]")]
    }
    defer { server.stop() }
    try write(3, to: server)
    let first = try start("--jobs", "1", "--grace", "0s", "--max-per-host", "1", lease: "2s")
    #expect(await first.wait { _ in server.requests.contains { $0.target == "/f0" } })
    first.signal(signal)
    let second = try start("--report", "json=report.json", lease: "2s")
    if signal == SIGSTOP {
      // The stopped process has the lock of the file, so the other one waits for it.
      let fence = "SELECT max(fence) FROM reactor_claims WHERE run = '\(run)'"
      #expect(await second.wait { _ in (try? database.sql(fence)) == "2" })
      isFree.store(true, ordering: .releasing)
      first.signal(SIGCONT)
    } else {
      isFree.store(true, ordering: .releasing)
    }
    let outcomes = [await first.end(), await second.end()]
    #expect(outcomes[1].status == 0, "\(outcomes[1].stdout)\(outcomes[1].stderr)")
    let text = "\(outcomes[0].stdout)\(outcomes[0].stderr)"
    switch signal {
    case SIGSTOP: #expect(outcomes[0].status == 0 && text.contains("'a.f0' is left to the other processes"), "\(text)")
    case SIGTERM: #expect(outcomes[0].status == 143, "\(text)")
    default: break
    }
    for flow in 0..<3 { #expect(workspace.text("out/f\(flow).jsonl") == "{\"id\":\"own\"}\n") }
    let report = try await workspace.reactor("report", "--run", run, environment: environment())
    #expect(report.status == 0 && report.stdout.contains("3 flows: 3 passed"), "\(report.stdout)\(report.stderr)")
  }

  @Test func `a process that dies between its load and its report does not append twice`() async throws {
    let server = try ScriptedServer { _ in [Self.response("[{\"id\":1},{\"id\":2}]")] }
    defer { server.stop() }
    try workspace.write(
      """
      reactor: 1
      http: { base_url: "\(server.url)" }
      stores: { db: { postgres: "\(database.url)" } }
      flows:
        rows: { resource: /rows, reachability: false, schema: { fields: { id: integer } }, persistence: { store: db, table: appended, mode: append } }
        lines: { resource: /lines, reachability: false, persistence: { path: out/lines.jsonl, mode: append } }
      """, to: "flows/a.yaml")
    let first = await (try start()).end()
    #expect(first.status == 0, "\(first.stdout)\(first.stderr)")
    try reopen()
    let second = await (try start()).end()
    #expect(second.status == 0 && second.stdout.contains("2 flows: 2 passed"), "\(second.stdout)\(second.stderr)")
    #expect(try database.sql("SELECT count(*) FROM appended") == "2")
    #expect(workspace.text("out/lines.jsonl") == "{\"id\":1}\n{\"id\":2}\n")
    #expect(server.requests.count == 2)
    // Another run appends, as it should.
    let environment = environment().merging(["REACTOR_RUN": run + " next"]) { $1 }
    let next = try await workspace.reactor("run", environment: environment)
    #expect(next.status == 0, "\(next.stdout)\(next.stderr)")
    #expect(try database.sql("SELECT count(*) FROM appended") == "4")
  }

  @Test func `a rate and a number of open requests hold for all processes together`() async throws {
    let times = Mutex<[ContinuousClock.Instant]>([])
    let open = Mutex((now: 0, most: 0))
    let server = try ScriptedServer { _ in
      times.withLock { $0.append(.now) }
      open.withLock { open in
        open.now += 1
        open.most = max(open.most, open.now)
      }
      return [
        .pause(milliseconds: 60),
        .until { _ in
          open.withLock { $0.now -= 1 }
          return true
        },
        Self.response("[{\"id\":1}]"),
      ]
    }
    defer { server.stop() }
    try write(40, to: server)
    let text = try #require(workspace.text("flows/a.yaml"))
    try workspace.write(
      text.replacing("timeout: 1m", with: "timeout: 1m, rate: { max: 25/s, concurrency: 2 }"), to: "flows/a.yaml")
    let processes = try (0..<3).map { _ in try start("--jobs", "8", "--max-per-host", "8") }
    for process in processes {
      let outcome = await process.end()
      #expect(outcome.status == 0, "\(outcome.stdout)\(outcome.stderr)")
    }
    let sorted = times.withLock { $0.sorted() }
    try #require(sorted.count == 40)
    for (index, time) in sorted.enumerated() {
      let within = sorted[index...].prefix { time.duration(to: $0) < .milliseconds(960) }.count
      #expect(within <= 30, "\(within) requests in a second")
    }
    #expect(open.withLock { $0.most } <= 2)
  }

  @Test func `a database that is restarted delays a run, and ends none`() async throws {
    let server = try ScriptedServer { _ in [.pause(milliseconds: 100), Self.response("[{\"id\":1}]")] }
    defer { server.stop() }
    try write(24, to: server)
    let processes = try (0..<2).map { _ in try start("--jobs", "2", lease: "20s") }
    #expect(await processes[0].wait { _ in server.requests.count >= 4 })
    try database.restart()
    for process in processes {
      let outcome = await process.end()
      #expect(outcome.status == 0, "\(outcome.stdout)\(outcome.stderr)")
    }
    #expect(server.requests.count == 24)
    let report = try await workspace.reactor("report", "--run", run, environment: environment())
    #expect(report.stdout.contains("24 flows: 24 passed"), "\(report.stdout)\(report.stderr)")
  }

  @Test func `a flow whose claim cannot be checked for a while does not fail`() async throws {
    let isFree = Atomic(false)
    let server = try ScriptedServer { _ in
      [.until { _ in isFree.load(ordering: .acquiring) }, Self.response("[{\"id\":1}]")]
    }
    defer { server.stop() }
    try write(1, to: server)
    let program = try start("--jobs", "1", lease: "3s")
    #expect(await program.wait { _ in server.requests.count == 1 })
    database.stop()
    // The claim may have been taken over, which the process cannot find out until the database is back.
    await Pause.exactly(microseconds: 3_200_000)
    isFree.store(true, ordering: .releasing)
    await Pause.exactly(microseconds: 2_000_000)
    try database.restart()
    let outcome = await program.end()
    #expect(outcome.status == 0 && outcome.stdout.contains("1 flow: 1 passed"), "\(outcome.stdout)\(outcome.stderr)")
    #expect(server.requests.count == 1)
  }

  @Test func `a flow whose claim cannot be checked has no end, and the next process runs it`() async throws {
    let isFree = Atomic(false)
    let server = try ScriptedServer { _ in
      [.until { _ in isFree.load(ordering: .acquiring) }, Self.response("[{\"id\":1}]")]
    }
    defer { server.stop() }
    try write(1, to: server)
    let program = try start(lease: "1s")
    #expect(await program.wait { _ in server.requests.count == 1 })
    database.stop()
    await Pause.exactly(microseconds: 1_200_000)
    isFree.store(true, ordering: .releasing)
    let outcome = await program.end()
    #expect(outcome.status == 74, "\(outcome.stdout)\(outcome.stderr)")
    #expect(workspace.text("out/f0.jsonl") == nil)
    try database.restart()
    let next = await (try start()).end()
    #expect(next.status == 0 && next.stdout.contains("1 flow: 1 passed"), "\(next.stdout)\(next.stderr)")
  }

  @Test func `a process that is stopped during its load does not fail the flow of the next one`() async throws {
    let count = Atomic(0)
    let server = try ScriptedServer { _ in
      let number = count.add(1, ordering: .relaxed).newValue
      return [Self.response("[{\"id\":1,\"request\":\(number)},{\"id\":2,\"request\":\(number)}]")]
    }
    defer { server.stop() }
    // Another URL of the same server, as if it were another database: no transaction can check the claim.
    try workspace.write(
      """
      reactor: 1
      http: { base_url: "\(server.url)" }
      stores: { db: { postgres: "\(database.url)&application_name=beside" } }
      defaults: { reachability: false }
      schemas: { row: { fields: { id: integer, request: integer } } }
      flows:
        add: { resource: /add, schema: row, persistence: { store: db, table: beside_added, mode: append } }
        replace: { resource: /replace, schema: row, persistence: { store: db, table: beside_replaced } }
      """, to: "flows/a.yaml")
    let before = try await workspace.reactor("run", environment: [:])
    #expect(before.status == 0, "\(before.stdout)\(before.stderr)")
    let database = database
    let lock = Task.detached {
      try database.sql(
        "BEGIN; LOCK TABLE reactor_runs IN EXCLUSIVE MODE; SELECT pg_sleep(7); COMMIT")
    }
    let waiting = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
    let first = try start(lease: "2s")
    #expect(await first.wait { _ in (try? database.sql(waiting)) == "2" })
    first.signal(SIGSTOP)
    let second = try start(lease: "2s")
    #expect(await second.wait { _ in (try? database.sql(waiting)) == "4" })
    _ = try await lock.value
    first.signal(SIGCONT)
    let outcomes = [await first.end(), await second.end()]
    #expect(outcomes.map(\.status) == [0, 0], "\(outcomes.map { $0.stdout + $0.stderr })")
    #expect(try database.sql("SELECT count(*), count(DISTINCT request) FROM beside_added") == "4|2")
    #expect(try database.sql("SELECT count(*), count(DISTINCT request) FROM beside_replaced") == "2|1")
  }

  @Test func `a process that cannot load its flows reports that, and takes no part`() async throws {
    try workspace.write(
      "reactor: 1\nhttp: { base_url: 'http://127.0.0.1:1' }\nflows: { a: { resorce: /a } }\n", to: "flows/a.yaml")
    let outcome = await (try start("--format", "json")).end()
    #expect(outcome.status == 3 && outcome.stderr.contains("did you mean 'resource'"), "\(outcome.stderr)")
    #expect(outcome.stdout.contains("\"exit\":3") && outcome.stdout.contains("resorce"), "\(outcome.stdout)")
    #expect(try database.sql("SELECT count(*) FROM reactor_processes WHERE run = '\(run)'") == "0")
  }

  @Test func `a flow whose report this version cannot read is still named`() async throws {
    let server = try ScriptedServer { _ in [Self.response("[{\"id\":1}]")] }
    defer { server.stop() }
    try write(2, to: server)
    #expect(await (try start()).end().status == 0)
    try database.sql("UPDATE reactor_ends SET report = '{\"v\":99}' WHERE run = '\(run)' AND flow = 'a.f1'")
    let report = try await workspace.reactor("report", "--run", run, environment: environment())
    #expect(report.status == 0 && report.stdout.contains("2 flows: 2 passed"), "\(report.stdout)\(report.stderr)")
  }

  @Test func `a selection by result asks the shared history`() async throws {
    let server = try ScriptedServer { request in
      [Self.response(request.target == "/f1" ? "no JSON" : "[{\"id\":1}]")]
    }
    defer { server.stop() }
    try write(3, to: server)
    let first = await (try start()).end()
    #expect(first.status == 1, "\(first.stdout)\(first.stderr)")
    let environment = environment().merging(["REACTOR_RUN": run + " again"]) { $1 }
    let again = try await workspace.reactor("run", "-s", "!result:passed", environment: environment)
    #expect(again.stdout.contains("1 flow: 0 passed, 1 failed"), "\(again.stdout)\(again.stderr)")
  }

  @Test func `processes that begin at different times have the same flows and requests`() async throws {
    let isFree = Atomic(false)
    let server = try ScriptedServer { request in
      if request.target.hasPrefix("/f1") {
        return [.until { _ in isFree.load(ordering: .acquiring) }, Self.response("[]")]
      }
      return [Self.response("[{\"id\":1}]")]
    }
    defer { server.stop() }
    try workspace.write(
      """
      reactor: 1
      http: { base_url: "\(server.url)", timeout: 1m }
      defaults: { reachability: false }
      flows:
        f0: { resource: { path: /f0, query: { at: "{{ now() }}" } }, persistence: out/f0.jsonl }
        f1: { resource: { path: /f1, query: { at: "{{ now() }}" } }, persistence: out/f1.jsonl }
      """, to: "flows/moment.yaml")
    // Both flows are new, until the first one has passed in this run.
    let first = try start("-s", "result:new", "--jobs", "2")
    #expect(
      await first.wait { _ in
        (try? database.sql("SELECT count(*) FROM reactor_ends WHERE run = '\(run)'")) == "1"
          || server.requests.count == 2 && first.stdout.contains("moment.f0")
      })
    await Pause.exactly(microseconds: 1_100_000)
    let second = try start("-s", "result:new", "--jobs", "2")
    #expect(await second.wait { $0.stderr.contains("takes part") || !$0.isRunning })
    isFree.store(true, ordering: .releasing)
    for process in [first, second] {
      let outcome = await process.end()
      #expect(outcome.status == 0, "\(outcome.stdout)\(outcome.stderr)")
    }
    #expect(Set(server.requests.map { $0.target.split(separator: "=").last }).count == 1)
  }

  @Test func `a result that has expired since a process of the run published it still counts`() async throws {
    let server = try ScriptedServer { _ in [Self.response("[{\"id\":1}]")] }
    defer { server.stop() }
    try workspace.write(
      """
      reactor: 1
      http: { base_url: "\(server.url)" }
      flows:
        a: { resource: /a, reachability: false, persistence: { path: out/a.jsonl, mode: append, expires_after: 1s } }
      """, to: "flows/a.yaml")
    #expect(await (try start()).end().status == 0)
    try reopen()
    await Pause.exactly(microseconds: 1_200_000)
    let second = await (try start()).end()
    #expect(second.status == 0 && server.requests.count == 1, "\(second.stdout)\(second.stderr)")
    #expect(workspace.text("out/a.jsonl") == "{\"id\":1}\n")
  }

  /// Makes the run as if its processes had died before they could store the ends.
  private func reopen() throws {
    try database.sql(
      """
      DELETE FROM reactor_ends WHERE run = '\(run)';
      UPDATE reactor_claims SET ended_at = NULL, lease = clock_timestamp() WHERE run = '\(run)';
      UPDATE reactor_processes SET lease = clock_timestamp() WHERE run = '\(run)';
      UPDATE reactor_shared_runs SET reported_at = NULL, reporter = NULL WHERE run = '\(run)';
      """)
  }

  @Test(arguments: [
    (["--run", "x"], [:], "--run names a run, but no state is shared"),
    (["--state", "mysql://host/db"], [:], "--state is not the URL of a PostgreSQL database"),
    (["--shard", "1/2", "--state", "postgresql://host/db"], [:], "--shard and --state cannot be used together"),
    ([], ["REACTOR_RUN": "x"], "REACTOR_RUN names a run, but no state is shared"),
    ([], ["REACTOR_STATE": "postgresql:///db", "REACTOR_LEASE": "1ms"], "REACTOR_LEASE is '1ms'"),
  ])
  func `a wrong command line is refused`(
    _ arguments: [String], _ environment: [String: String], _ message: String
  ) async throws {
    try workspace.write(
      "reactor: 1\nhttp: { base_url: 'http://127.0.0.1:1' }\nflows: { a: { resource: /a } }\n", to: "flows/a.yaml")
    let outcome = await (try workspace.start(["run"] + arguments, environment: environment)).end()
    #expect(outcome.status == 2 && outcome.stderr.contains(message), "\(outcome.stderr)")
  }

  @Test func `a flow whose refresh token can be used once is refused, because processes would use it twice`()
    async throws
  {
    try workspace.write(
      """
      reactor: 1
      secrets: [REFRESH]
      http:
        base_url: 'http://127.0.0.1:1'
        auth: { oauth2: { grant: refresh_token, url: 'http://127.0.0.1:1/token', client_id: me, refresh_token: '{{ secrets.REFRESH }}' } }
      flows: { a: { resource: /a } }
      """, to: "flows/a.yaml")
    let environment = environment().merging(["REFRESH": "first-token-of-all"]) { $1 }
    let outcome = try await workspace.reactor("run", environment: environment)
    #expect(outcome.status == 3 && outcome.stderr.contains("'a.a' has a refresh token"), "\(outcome.stderr)")
  }

  @Test func `a database that cannot be reached ends the run before its first request, without the password`()
    async throws
  {
    let server = try ScriptedServer { _ in [Self.response("[]")] }
    defer { server.stop() }
    try write(1, to: server)
    let url = "postgresql://reactor:pass-phrase%21@127.0.0.1:1/state"
    let outcome = try await workspace.reactor("run", environment: ["REACTOR_STATE": url])
    #expect(outcome.status == 74 && outcome.stderr.contains("the shared state cannot be used"), "\(outcome.stderr)")
    #expect(!"\(outcome.stdout)\(outcome.stderr)".contains("pass-phrase"))
    #expect(server.requests.isEmpty)
  }

  @Test func `a run that is not known has no status and no report`() async throws {
    for arguments in [["status", "unknown"], ["report", "--run", "unknown"]] {
      let outcome = await (try workspace.start(arguments, environment: environment())).end()
      #expect(outcome.status == 4 && outcome.stderr.contains("has no run 'unknown'"), "\(outcome.stderr)")
    }
  }
}
