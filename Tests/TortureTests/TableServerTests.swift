import Foundation
import TestSupport
import Testing

/// T1 for a server that crashes during a load: what is reported as loaded is there, and nothing else is.
@Suite(.serialized)
struct TableServerTests {
  private static let item = "T1 tables"

  enum Crash: String, CaseIterable, Sendable {
    /// All processes of the server end at once.
    case kill
    /// The server ends without a checkpoint.
    case quit
  }

  @Test(arguments: Crash.allCases)
  func `a server that crashes during a load loses no row and doubles none`(_ crash: Crash) async throws {
    guard TableStore.Kind.available.contains(.postgres) else { return }
    let server = try PostgreSQLServer(isDurable: true)
    let bench = try await TableBench(.postgres(server))
    let longest = try await bench.undisturbed()
    var random = SeededGenerator(Torture.seed)
    var (passed, failed, renewed) = (0, 0, 0)
    let trials = Torture.count(short: 3, full: 30)
    for trial in 0..<trials {
      let old = bench.version
      bench.advance()
      let program = try bench.start(["--format", "json"])
      await Pause.exactly(microseconds: .random(in: 0...longest, using: &random))
      switch crash {
      case .kill: server.kill()
      case .quit: server.quit()
      }
      try server.restart()
      let outcome = await program.end()
      if outcome.status == 0 { passed += 1 } else { failed += 1 }
      if Torture.isPlanted("t1-table-server") {
        try bench.store.tamper("DELETE FROM merged WHERE id = 7", below: bench.root)
      }
      var wrong = bench.complaints(from: old)
      renewed += bench.renewed()
      // What is reported as loaded is there, whatever happened to the server.
      let reports = try Summary(parsing: outcome.stdout).flows
      let loaded = reports.count { $0.status == "passed" }
      if bench.renewed() < loaded { wrong.append("\(loaded) flows passed, and \(bench.renewed()) tables are new") }
      for flow in reports where flow.status != "passed" {
        let message = flow.error?.message ?? ""
        if !message.contains("'db'") || flow.error?.kind != "persistence" { wrong.append("\(flow.id): \(message)") }
      }
      wrong += try await bench.recover()
      #expect(wrong == [], "trial \(trial) of seed \(Torture.seed)")
    }
    Torture.report(
      Self.item,
      "PostgreSQL, its server ended by \(crash) at \(trials) instants and restarted: \(passed) runs passed, \(failed) "
        + "reported an error, \(renewed) of \(trials * TableBench.tables.count) tables new")
  }
}
