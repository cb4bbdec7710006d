import Foundation
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// T1 for tables: killed at any instant and at any call, rows, cursor and history are of one load, and a rerun ends as if
/// undisturbed.
@Suite(.serialized)
struct TableKillTests {
  private static let item = "T1 tables"

  /// What disturbances did.
  private struct Tally: CustomStringConvertible {
    var trials = 0
    var killed = 0
    var renewed = 0
    var wrong = 0

    var description: String {
      "\(trials) runs, \(killed) killed before their end, \(renewed) of \(trials * TableBench.tables.count) tables "
        + "already new, \(wrong) wrong"
    }
  }

  @Test(arguments: TableStore.Kind.available)
  func `a kill at a random instant loses no row and doubles none`(_ kind: TableStore.Kind) async throws {
    let bench = try await TableBench(try .make(kind))
    let longest = try await bench.undisturbed()
    var random = SeededGenerator(Torture.seed)
    var tally = Tally()
    for trial in 0..<Torture.count(short: 6, full: 150) {
      let old = bench.version
      bench.advance()
      let program = try bench.start()
      await Pause.exactly(microseconds: .random(in: 0...longest, using: &random))
      program.signal(SIGKILL)
      tally.trials += 1
      if await program.end().status == 137 { tally.killed += 1 }
      if Torture.isPlanted("t1-tables") {
        try bench.store.tamper("DELETE FROM appended WHERE id = 7", below: bench.root)
      }
      try await Self.judge(bench, from: old, &tally, "trial \(trial) of seed \(Torture.seed)")
    }
    Torture.report(Self.item, "\(kind): killed at random instants: \(tally)")
  }

  @Test(arguments: [false, true])
  func `a kill at any call that touches an SQLite file leaves one load or none`(_ isNew: Bool) async throws {
    let bench = try await TableBench(.sqlite)
    let shim = try await CallShim(below: bench.root.path, in: bench.workspace.folder)
    try await Self.killAtEachCall(
      bench, isNew, "SQLite", stride: Torture.count(short: 40, full: 1)
    ) { shim.killing(at: $0, of: CallShim.kinds + ["truncate", "lock"]) }
  }

  @Test(arguments: [false, true])
  func `a kill at any call to a server leaves one load or none`(_ isNew: Bool) async throws {
    guard TableStore.Kind.available.contains(.postgres) else { return }
    let bench = try await TableBench(try .make(.postgres))
    let shim = try await CallShim(below: bench.root.path, in: bench.workspace.folder)
    try await Self.killAtEachCall(
      bench, isNew, "PostgreSQL", stride: Torture.count(short: 30, full: 1)
    ) { shim.killing(at: $0, of: ["send", "receive"]) }
  }

  // MARK: -

  /// - Parameter isNew: whether each trial begins without a table
  private static func killAtEachCall(
    _ bench: TableBench, _ isNew: Bool, _ name: String, stride step: Int, _ environment: (Int) -> [String: String]
  ) async throws {
    bench.advance()
    #expect(try await bench.start().end().status == 0)
    #expect(bench.complaints(from: bench.version) == [])
    var tally = Tally()
    for number in stride(from: 1, through: 1200, by: step) {
      let old = bench.version
      if isNew { try bench.forget() } else { bench.advance() }
      let outcome = try await bench.start(["-j", "1"], environment: environment(number)).end()
      tally.trials += 1
      if outcome.status == 137 { tally.killed += 1 }
      if Torture.isPlanted("t1-table-calls") {
        try? bench.store.tamper("UPDATE reactor_tables SET cursor = '=7' WHERE name = 'merged'", below: bench.root)
      }
      try await judge(bench, from: isNew ? nil : old, &tally, "call \(number)")
      if outcome.status != 137 { break }
    }
    #expect(tally.killed > 3, "\(tally)")
    Torture.report(Self.item, "\(name)\(isNew ? ", a new database" : ""): killed at each call: \(tally)")
  }

  /// - Parameter old: the version before the kill; nil where there was no table
  private static func judge(
    _ bench: TableBench, from old: Int?, _ tally: inout Tally, _ trial: String
  ) async throws {
    let thirds = bench.complaints(from: old)
    tally.renewed += bench.renewed()
    let wrong = try await thirds + bench.recover()
    tally.wrong += wrong.isEmpty ? 0 : 1
    #expect(wrong == [], "\(trial)")
  }
}
