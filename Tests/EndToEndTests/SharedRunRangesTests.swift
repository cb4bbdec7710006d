import Foundation
import Synchronization
import TestSupport
import Testing

/// A flow with many parents in a run of several processes, with a real PostgreSQL server.
@Suite(
  .serialized, .timeLimit(.minutes(5)),
  .enabled(if: (try? PostgreSQLServer.isAvailable(for: "runs of several processes")) ?? true))
struct SharedRunRangesTests {
  private static let key = "a-key-in-the-query"
  private static let database = Result { try PostgreSQLServer() }

  private let database: PostgreSQLServer
  private let workspace: Workspace
  private let run = "run \(UUID().uuidString)"
  private let server: ParentsServer

  init() throws {
    database = try Self.database.get()
    workspace = try Workspace()
    server = try ParentsServer(320)
    try workspace.write(
      """
      reactor: 1
      secrets: [API_KEY]
      http: { base_url: "\(server.url)", timeout: 1m }
      defaults: { reachability: false }
      schemas:
        event:
          key: id
          fields: { id: integer, parent: { value: "{{ user.id }}", type: integer }, at: timestamp, amount: decimal, account: string }
      flows:
        users: { resource: /users, persistence: out/users.jsonl }
        events:
          resource: { path: "/events/{{ user.id }}" }
          auth: { api_key: { query: key, value: "{{ secrets.API_KEY }}" } }
          each: { flow: users, as: user, concurrency: 1 }
          records: $.data[*]
          pages: { by: next_url, from: $.next, missing: end }
          schema: event
          persistence: { path: out/events.csv }
          rejected: out/rejected.jsonl
        changes:
          resource: { path: "/changes/{{ user.id }}" }
          each: { flow: users, as: user, concurrency: 1 }
          records: $.data[*]
          schema: event
          cursor: { field: at, query: since }
          persistence: { path: out/changes.jsonl, mode: merge }
      """, to: "flows/a.yaml")
  }

  private func environment(_ run: String, key: String = SharedRunRangesTests.key) -> [String: String] {
    [
      "REACTOR_STATE": database.url, "REACTOR_RUN": run, "REACTOR_LEASE": "2s", "API_KEY": key,
    ]
  }

  private func start(_ root: String, _ run: String, key: String = SharedRunRangesTests.key) throws -> Program {
    try workspace.start(["run", "--root", root], environment: environment(run, key: key))
  }

  private let files = ["out/users.jsonl", "out/events.csv", "out/rejected.jsonl", "out/changes.jsonl"]

  private func results(_ root: String) -> [String?] { files.map { workspace.text("\(root)/\($0)") } }

  /// Runs the flows in one process without shared state; returns the results.
  private func alone() async throws -> [String?] {
    let outcome = try await workspace.reactor("run", "--root", "alone", environment: ["API_KEY": Self.key])
    #expect(outcome.status == 0, "\(outcome.stdout)\(outcome.stderr)")
    return results("alone")
  }

  @Test func `the parents of a flow are requested by all processes, and the result is the same`() async throws {
    for round in 0..<2 {
      server.begin(round)
      let expected = try await alone()
      #expect(!expected.contains(nil))
      let targets = server.targets
      server.begin(round)
      let processes = try (0..<4).map { _ in try start("together", "\(run) \(round)") }
      var outcomes: [Program.Outcome] = []
      for process in processes { outcomes.append(await process.end()) }
      #expect(results("together") == expected, "\(outcomes.map { $0.stdout + $0.stderr })")
      // Nothing is requested twice, and by no process alone.
      #expect(server.targets.differences(from: targets) == [])
      #expect(server.share < 0.7, "\(server.share)")
    }
  }

  @Test func `responses to other credentials are in no result`() async throws {
    server.begin(0)
    let expected = try await alone()
    server.begin(0)
    let owner = try start("together", run)
    #expect(await owner.wait { _ in server.targets.count > 250 })
    let other = try start("together", run, key: "another-account")
    #expect(await other.wait { _ in server.targets.contains { $0.contains("another-account") } })
    let outcomes = [await owner.end(), await other.end()]
    #expect(outcomes.map(\.status) == [0, 0], "\(outcomes.map { $0.stdout + $0.stderr })")
    #expect(results("together") == expected)
    // The owner has noticed that it could use nothing, and requested all by itself.
    let useless = server.targets.count { $0.contains("another-account") }
    #expect(useless < server.targets.count - useless)
  }

  @Test(arguments: [false, true])
  func `a process that dies with a range, or with the flow, loses nothing`(_ isOwner: Bool) async throws {
    server.begin(0)
    let expected = try await alone()
    server.begin(0)
    let owner = try start("together", run)
    // Beyond those parents that one process requests alone.
    #expect(await owner.wait { _ in server.targets.count > 250 })
    let other = try start("together", run)
    #expect(await other.wait { _ in server.share < 0.9 })
    var status = ""
    // Between two ranges a process requests nothing.
    for _ in 0..<20 where !status.contains("requests parents of a.") {
      status = try await workspace.reactor("status", run, environment: environment(run)).stdout
    }
    #expect(status.contains("requests parents of a."), "\(status)")
    let stored = "SELECT count(*) FROM reactor_ranges WHERE position('\(Self.key)' IN encode(responses, 'escape')) > 0"
    #expect(try database.sql(stored) == "0")
    (isOwner ? owner : other).signal(SIGKILL)
    let outcomes = [await owner.end(), await other.end()]
    #expect(outcomes[isOwner ? 1 : 0].status == 0, "\(outcomes.map { $0.stdout + $0.stderr })")
    #expect(results("together") == expected)
    #expect(try database.sql("SELECT count(*) FROM reactor_ranges WHERE run = '\(run)'") == "0")
  }
}

extension [String] {
  /// What differs from another sorted list: `+` for what only this one has.
  fileprivate func differences(from other: [String]) -> [String] {
    difference(from: other).map { change in
      switch change {
      case .insert(_, let text, _): "+\(text)"
      case .remove(_, let text, _): "-\(text)"
      }
    }
  }
}

/// Serves users, their events in two pages with one record that does not fit, and their changes since a time.
private final class ParentsServer: Sendable {
  private let server: ScriptedServer
  /// The first request of the present round, and the number of the round.
  private let round = Round()

  var url: String { server.url }
  /// What was requested in this round, sorted.
  var targets: [String] { requests.map(\.target).sorted() }
  private var requests: ArraySlice<ScriptedServer.Request> { server.requests[round.state.withLock { $0.first }...] }

  /// The greatest share of the requests that one connection has sent.
  var share: Double {
    let requests = requests
    let counts = Dictionary(grouping: requests, by: \.connection).mapValues(\.count)
    return Double(counts.values.max() ?? 0) / Double(max(requests.count, 1))
  }

  init(_ users: Int) throws {
    let round = round
    server = try ScriptedServer { request in
      let parts = request.target.split(separator: "?")
      let path = parts[0].split(separator: "/")
      let user = path.count > 1 ? Int(path[1]) ?? 0 : 0
      let number = round.state.withLock { $0.number }
      let account = parts.count > 1 ? parts[1].split(separator: "=").last ?? "" : ""
      func record(_ id: Int, _ amount: String = "1.50") -> String {
        "{\"id\":\(user * 100 + id),\"at\":\"2026-01-0\(id + 1)T00:00:00Z\",\"amount\":\(amount),\"account\":\"\(account)\"}"
      }
      let body: String
      switch path[0] {
      case "users": body = "[" + (0..<users).map { "{\"id\":\($0)}" }.joined(separator: ",") + "]"
      case "events" where path.count > 2: body = "{\"data\":[\(record(1)),\(record(2, user % 7 == 0 ? "\"x\"" : "2"))]}"
      case "events": body = "{\"data\":[\(record(0))],\"next\":\"/events/\(user)/more\"}"
      default:
        let since = parts.count > 1 ? 1 : 0
        body = "{\"data\":[" + (since..<(number + 1)).map { record($0) }.joined(separator: ",") + "]}"
      }
      return [
        .pause(milliseconds: 3),
        .send(Array("HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)".utf8)),
      ]
    }
  }

  /// Begins a round; in each one, every user has one change more.
  func begin(_ number: Int) {
    let first = server.requests.count
    round.state.withLock { $0 = (first, number) }
  }

  private final class Round: Sendable {
    let state = Mutex((first: 0, number: 0))
  }
}
