import Foundation
import Synchronization
import TestSupport
import Testing

/// T9 for tables: eight processes load one table; each result is one whole load.
@Suite(.serialized)
struct TableContentionTests {
  private static let processes = 8

  @Test(arguments: TableStore.Kind.available)
  func `processes that load one table at once leave one whole load`(_ kind: TableStore.Kind) async throws {
    let rounds = Torture.count(short: 3, full: 100)
    let arena = try TableArena(try .make(kind))
    var (added, overtaken) = (0, 0)
    for round in 1...rounds {
      arena.begin(round)
      let running = try (1...Self.processes).map { try arena.start(process: $0) }
      var wrong: [String] = []
      for program in running {
        let outcome = await program.end()
        for flow in try Summary(parsing: outcome.stdout).flows where flow.status != "passed" {
          let message = flow.error?.message ?? ""
          // Only new records that continue from an older load are refused.
          if flow.name == "log", message.contains("another run has loaded the table 'log'") {
            overtaken += 1
          } else {
            wrong.append("\(flow.id): \(message)")
          }
        }
      }
      if Torture.isPlanted("t9-tables") {
        try arena.store.tamper("UPDATE whole SET process = 0 WHERE id < 9", below: arena.root)
      }
      let look = try arena.look()
      added += look.added
      #expect(wrong + look.wrong == [], "round \(round)")
    }
    Torture.report(
      "T9 tables",
      "\(kind): \(Self.processes) processes on one table, \(rounds) rounds: \(rounds * Self.processes) whole loads, "
        + "\(added) loads of new records, \(overtaken) refused because another run was first, 0 mixes")
  }
}

/// One database, a server whose response is another one for each process and round, and the processes.
private final class TableArena {
  private static let size = 300
  private static let step = 20

  private final class Round: Sendable {
    let value = Mutex(0)
  }

  let store: TableStore
  private let workspace: Workspace
  private let server: ScriptedServer
  private let round = Round()
  private var loads = 0

  init(_ store: TableStore) throws {
    self.store = store
    workspace = try Workspace()
    server = try ScriptedServer { [round] request in
      let number = request.target.split(whereSeparator: { "/=".contains($0) }).last.flatMap { Int($0) } ?? 0
      let now = round.value.withLock { $0 }
      let last = now * Self.step
      let records =
        request.target.hasPrefix("/whole")
        ? (0..<Self.size).map { #"{"id":\#($0),"process":\#(number),"round":\#(now)}"# }
        : number < last ? ((number + 1)...last).map { #"{"id":\#($0),"n":\#($0)}"# } : []
      let body = "[" + records.joined(separator: ",") + "]"
      return [.send(Array("HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)".utf8))]
    }
    try workspace.write(
      """
      reactor: 1
      vars: { process: 0 }
      \(store.declaration)
      http: { base_url: "\(server.url)" }
      defaults: { reachability: false }
      flows:
        whole:
          resource: "/whole/{{ vars.process }}"
          schema: { key: id, fields: { id: integer, process: integer, round: integer } }
          persistence: { store: db, table: whole }
        log:
          resource: /log
          schema: { key: id, fields: { id: integer, n: integer } }
          cursor: { field: n, query: since, bounds: "(]" }
          persistence: { store: db, table: log, mode: append }

      """, to: "flows/a.yaml")
  }

  deinit { server.stop() }

  var root: URL { workspace.folder }

  func begin(_ number: Int) { round.value.withLock { $0 = number } }

  func start(process: Int) throws -> Program {
    try workspace.start(["run", "--fresh", "--format", "json", "--var", "process=\(process)"])
  }

  /// What is wrong after a round, and how many loads have added records in it.
  func look() throws -> (wrong: [String], added: Int) {
    let now = round.value.withLock { $0 }
    let lines = try store.lines(
      [
        "SELECT count(*), count(DISTINCT id), count(DISTINCT process), min(round), max(round) FROM whole",
        "SELECT count(*) FROM reactor_loads WHERE name = 'whole' AND records = \(Self.size) AND received = \(Self.size)",
        "SELECT count(*), count(DISTINCT id), max(n) FROM log",
        "SELECT count(*), sum(received) FROM reactor_loads WHERE name = 'log'",
        """
        SELECT count(*) FROM reactor_loads l WHERE name = 'log' AND received <> \
        (SELECT count(*) FROM log WHERE reactor_load = l.load)
        """,
      ], below: root)
    let last = now * Self.step
    let total = Int(lines[3].prefix { $0 != "|" }) ?? 0
    defer { loads = total }
    let expected = [
      "\(Self.size)|\(Self.size)|1|\(now)|\(now)", "\(now * 8)", "\(last)|\(last)|\(last)", "\(total)|\(last)", "0",
    ]
    return (zip(lines, expected).filter { $0 != $1 }.map { "\($0) and not \($1)" }, total - loads)
  }
}
