import Foundation
import TestSupport

/// Runs in which several processes take part, one after the other, and what must hold after any disturbance.
///
/// Each run is a round: its rows have its number. What earlier rounds have appended stays.
final class SharedRunBench {
  /// A flow with its result.
  struct Flow: Sendable {
    enum Location: Sendable {
      /// A file of the shared folder.
      case file
      /// A table of the server that also has the claims, so that the transaction of a load checks the claim.
      case db
      /// The same server at another URL: the claim is checked before the load only.
      case beside
      /// A table of an SQLite file in the shared folder.
      case lite
    }

    let name: String
    let location: Location
    var mode = "replace"
    var hasParent = false
    /// Whether it has so many parents that all processes request them.
    var isSpread = false

    var id: String { "a.\(name)" }
    var isAppended: Bool { mode == "append" }
    /// How many requests it has.
    var requests: Int { hasParent ? SourceGates.parents : isSpread ? SourceGates.many : 1 }

    var yaml: String {
      let target =
        location == .file ? "path: out/\(name).jsonl" : "store: \(location), table: \(name)"
      let schema = mode == "merge" ? "keyed" : "row"
      let values = (0..<SourceGates.many).map(String.init).joined(separator: ", ")
      let parent = hasParent ? "each: top, " : isSpread ? "each: { values: [\(values)] }, " : ""
      let resource = hasParent ? "/\(name)/{{ parent.id }}" : isSpread ? "/\(name)/{{ value }}" : "/\(name)"
      return """
          \(name): { resource: "\(resource)", \(parent)schema: \(schema), persistence: { \(target), mode: \(mode) } }

        """
    }
  }

  /// A row of a result.
  struct Row: Decodable {
    let id: Int
    let round: Int
    let serial: Int
  }

  static let flows = [
    Flow(name: "replaced", location: .file), Flow(name: "large", location: .file),
    Flow(name: "joined", location: .file, mode: "merge"), Flow(name: "added", location: .file, mode: "append"),
    Flow(name: "db_replaced", location: .db), Flow(name: "db_joined", location: .db, mode: "merge"),
    Flow(name: "db_added", location: .db, mode: "append"), Flow(name: "db_more", location: .db, mode: "append"),
    Flow(name: "beside", location: .beside, mode: "append"), Flow(name: "lite_replaced", location: .lite),
    Flow(name: "lite_added", location: .lite, mode: "append"), Flow(name: "top", location: .file),
    Flow(name: "below", location: .file, hasParent: true), Flow(name: "below_db", location: .db, hasParent: true),
    Flow(name: "many", location: .file, isSpread: true),
  ]

  /// How many requests an undisturbed run has.
  static var requests: Int { flows.reduce(0) { $0 + $1.requests } }

  /// A process of a round.
  struct Member {
    let number: Int
    let program: Program
  }

  let server: PostgreSQLServer
  let proxy: CuttingProxy
  let workspace: Workspace
  let source = SourceGates()
  /// The number of the run.
  private(set) var round = 0
  private(set) var members: [Member] = []
  /// Seconds.
  private(set) var lease = 1

  init() throws {
    server = try PostgreSQLServer(isDurable: true)
    proxy = try CuttingProxy(to: server)
    workspace = try Workspace()
    try workspace.write(
      """
      reactor: 1
      stores: { db: { postgres: "\(proxy.url)" }, beside: { postgres: "\(server.url)" }, lite: { sqlite: \(TableStore.file) } }
      http: { base_url: "\(SourceGates.url)", timeout: 20s }
      defaults: { reachability: false, retry: none }
      schemas:
        row: { fields: { id: integer, round: integer, serial: integer } }
        keyed: { key: id, fields: { id: integer, round: integer, serial: integer } }
      flows:
      \(Self.flows.map(\.yaml).joined())
      """, to: "flows/a.yaml")
  }

  var run: String { "round-\(round)" }

  // MARK: - Running

  func begin(lease: Int) {
    round += 1
    self.lease = lease
    members = []
    source.begin(round: round)
  }

  /// Starts one more process of the run.
  func start() throws {
    let number = members.count
    let program = try workspace.start(
      ["run", "flows", "--root", "results", "-j", "2", "--report", "json=report-\(round)-\(number).json"],
      environment: environment.merging(["http_proxy": try source.open(for: number)]) { $1 })
    members.append(Member(number: number, program: program))
  }

  private var environment: [String: String] {
    ["REACTOR_STATE": proxy.url, "REACTOR_RUN": run, "REACTOR_LEASE": "\(lease)s"]
  }

  /// Whether flows are left.
  func isOpen() throws -> Bool {
    try server.sql("SELECT count(*) FROM reactor_claims WHERE run = '\(run)' AND ended_at IS NULL") != "0"
  }

  /// How many flows more than one process had.
  func takenOver() throws -> Int {
    Int(try server.sql("SELECT count(*) FROM reactor_claims WHERE run = '\(run)' AND fence > 1")) ?? 0
  }

  // MARK: - Judging

  /// What is wrong with the ends of the flows and with their results, in words.
  ///
  /// - Parameters:
  ///   - failed: the flows that may have failed, because their database was disturbed
  ///   - stopped: the process that was stopped for longer than its lease; nil without one
  func complaints(whereMayFail failed: Set<String> = [], stopped: Int? = nil) throws -> [String] {
    let ends = try ends()
    var wrong: [String] = []
    for flow in Self.flows {
      guard let end = ends[flow.id] else {
        wrong.append("\(flow.name) has no end")
        continue
      }
      guard end.status == "passed" || failed.contains(flow.name) else {
        wrong.append("\(flow.name) has \(end.status)")
        continue
      }
      wrong += try judge(flow, end, stopped).map { "\(flow.name): \($0)" }
    }
    return wrong
  }

  /// The end of each flow; the database lets none have two.
  func ends() throws -> [String: (status: String, process: Int)] {
    let numbers = Dictionary(members.map { ($0.program.identifier, $0.number) }, uniquingKeysWith: { $1 })
    let text = try server.sql(
      """
      SELECT e.flow, e.status, p.pid FROM reactor_ends e JOIN reactor_processes p USING (run, process)
      WHERE run = '\(run)'
      """)
    var ends: [String: (String, Int)] = [:]
    for line in text.split(separator: "\n") {
      let parts = line.split(separator: "|").map(String.init)
      ends[parts[0]] = (parts[1], Int32(parts[2]).flatMap { numbers[$0] } ?? -1)
    }
    return ends
  }

  private func judge(_ flow: Flow, _ end: (status: String, process: Int), _ stopped: Int?) throws -> [String] {
    let all = try rows(of: flow)
    let rows = all.filter { $0.round == round }
    // A flow that has failed may have stored nothing, and never a part.
    if end.status != "passed", rows.isEmpty { return [] }
    var wrong: [String] = []
    if rows.map(\.id).sorted() != SourceGates.ids(of: flow.name) {
      wrong.append("\(rows.count) rows instead of \(SourceGates.ids(of: flow.name).count)")
    }
    if !flow.isAppended, all.count != rows.count { wrong.append("rows of earlier rounds are left") }
    let pulls = source.pulls
    let serials = Set(rows.map(\.serial))
    guard serials.allSatisfy({ pulls.indices.contains($0) && pulls[$0].flow.hasPrefix(flow.name) }) else {
      return wrong + ["rows of no response"]
    }
    if serials.count > flow.requests { wrong.append("rows of several responses") }
    // Any process may have requested them.
    if flow.isSpread { return wrong }
    // What a fenced process has pulled is in no result. A process that has requested nothing has used the result of one
    // that had died after its publication. Where a load and the claims are not in one database, a process that was stopped
    // during its load stores it when it goes on; the next process then uses it, and stores nothing.
    let processes = Set(serials.map { pulls[$0].process })
    let hasPulled = pulls.contains { $0.isSent && $0.process == end.process && Self.name($0.flow) == flow.name }
    let isAccepted = [.beside, .lite].contains(flow.location) && processes == [stopped]
    if processes != [end.process], hasPulled, !isAccepted {
      wrong.append("process \(end.process) has ended it, and the rows are of \(processes.sorted())")
    }
    return wrong
  }

  private static func name(_ target: String) -> String { String(target.prefix { $0 != "/" }) }

  private func rows(of flow: Flow) throws -> [Row] {
    let root = workspace.folder.appendingPathComponent("results")
    guard flow.location != .file else {
      let text = workspace.text("results/out/\(flow.name).jsonl") ?? ""
      return try text.split(separator: "\n").map { try JSONDecoder().decode(Row.self, from: Data($0.utf8)) }
    }
    let store = flow.location == .lite ? TableStore.sqlite : .postgres(server)
    return try store.lines(["SELECT id, round, serial FROM \(flow.name)"], below: root).map { line in
      let numbers = line.split(separator: "|").map { Int($0) ?? -1 }
      guard numbers.count == 3 else { throw TableStore.Failure(description: line) }
      return Row(id: numbers[0], round: numbers[1], serial: numbers[2])
    }
  }

  /// The processes whose report file is there, and what is wrong with the reports.
  func reports() async throws -> (writers: [Int], wrong: [String]) {
    let all = Self.flows.map(\.id)
    var wrong: [String] = []
    let outcome = try await workspace.reactor(
      "report", "--run", run, "--report", "json=whole.json", environment: environment)
    let ends = try ends()
    let hasPassed = ends.values.allSatisfy { $0.status == "passed" }
    if hasPassed != (outcome.status == 0) { wrong.append("'report' ended with \(outcome.status): \(outcome.stderr)") }
    let whole = try Summary(parsing: workspace.text("whole.json") ?? "")
    if whole.flows.map(\.id).sorted() != all.sorted() || !whole.complete { wrong.append("'report' lacks flows") }
    var writers: [Int] = []
    for member in members {
      guard let text = workspace.text("report-\(round)-\(member.number).json") else { continue }
      writers.append(member.number)
      let report = try Summary(parsing: text)
      if report.flows.map(\.id).sorted() != all.sorted() || !report.complete {
        wrong.append("the report of process \(member.number) lacks flows")
      }
    }
    return (writers, wrong)
  }

  /// The process that was elected to write the report; nil without one.
  func reporter() throws -> Int? {
    let pid = try server.sql(
      """
      SELECT p.pid FROM reactor_shared_runs r JOIN reactor_processes p ON p.run = r.run AND p.process = r.reporter
      WHERE r.run = '\(run)'
      """)
    return members.first { "\($0.program.identifier)" == pid }?.number
  }
}
