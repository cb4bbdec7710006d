import Foundation
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// T1 for runs of several processes: whatever happens to a process or to the database, each flow ends once, its rows are
/// there once, and the run is reported.
@Suite(
  .serialized, .timeLimit(.minutes(60)),
  .enabled(if: (try? PostgreSQLServer.isAvailable(for: "torture of runs of several processes")) ?? true))
struct SharedRunDisturbanceTests {
  private static let item = "T1 shared runs"

  /// What happens once in a round.
  enum Disturbance: String, CaseIterable, Sendable {
    /// A process ends at once.
    case kill
    /// A process is stopped for longer than its lease, and goes on.
    case stop
    /// Connections to the database are lost.
    case cut
    /// The database ends in some way, and is started again.
    case restart
  }

  /// What disturbances did.
  private struct Tally {
    var rounds = 0
    /// Processes that were disturbed before their end.
    var disturbed = 0
    /// Flows that more than one process had.
    var takenOver = 0
    /// Flows that failed with an error of their database.
    var failed = 0
    /// Runs that all processes had left before their end, because the database was away for longer than a lease.
    var resumed = 0
    var wrong = 0
  }

  @Test(arguments: Disturbance.allCases)
  func `a run of several processes loses nothing, doubles nothing and ends`(_ disturbance: Disturbance) async throws {
    let bench = try SharedRunBench()
    let span = try await Self.undisturbed(bench)
    var random = SeededGenerator(Torture.seed)
    var tally = Tally()
    for _ in 0..<Torture.count(short: 3, full: 50) {
      let wrong = try await Self.round(bench, disturbance, span, &tally, &random)
      tally.rounds += 1
      tally.wrong += wrong.isEmpty ? 0 : 1
      #expect(wrong == [], "\(bench.run) of seed \(Torture.seed)")
    }
    Torture.report(
      Self.item,
      "\(disturbance): \(tally.rounds) runs, \(tally.disturbed) disturbances before the end, \(tally.takenOver) flows "
        + "taken over, \(tally.failed) reported an error of their database, \(tally.resumed) runs resumed, "
        + "\(tally.wrong) wrong")
  }

  // MARK: - Rounds

  /// How many microseconds a run takes when nothing happens to it.
  private static func undisturbed(_ bench: SharedRunBench) async throws -> Int {
    bench.begin(lease: 20)
    for _ in 0..<3 { try bench.start() }
    var seconds = 0.0
    for member in bench.members {
      let outcome = await member.program.end()
      seconds = max(seconds, outcome.seconds)
      #expect(outcome.status == 0, "\(outcome.stdout)\(outcome.stderr)")
    }
    let wrong = try bench.complaints()
    let reports = try await bench.reports()
    #expect(wrong + reports.wrong == [] && reports.writers.count == 1)
    return Int(seconds * 1_000_000)
  }

  private static func round(
    _ bench: SharedRunBench, _ disturbance: Disturbance, _ span: Int, _ tally: inout Tally,
    _ random: inout SeededGenerator
  ) async throws -> [String] {
    bench.begin(lease: Int.random(in: 1...2, using: &random))
    let restarts = Bool.random(using: &random)
    try bench.start()
    for _ in 0..<2 {
      await Pause.exactly(microseconds: .random(in: 0...span / 6, using: &random))
      try bench.start()
    }
    // Some instant of the run: processes that start slowly on a busy machine are waited for.
    let requests = Int.random(in: 0..<SharedRunBench.requests, using: &random)
    _ = await bench.members[0].program.wait { _ in bench.source.pulls.count >= requests }
    await Pause.exactly(microseconds: .random(in: 0...span / 8, using: &random))
    let victim = try await disturb(bench, disturbance, &tally, &random)
    if disturbance == .kill, restarts { try bench.start() }
    var wrong: [String] = []
    for member in bench.members { wrong += await end(of: member, disturbance, victim) }
    if try bench.isOpen() {
      // As an engine does with a part that has failed.
      if disturbance == .restart { tally.resumed += 1 } else { wrong.append("the processes left the run open") }
      try bench.start()
      wrong += await end(of: bench.members[bench.members.count - 1], disturbance, nil)
    }
    if Torture.isPlanted("t1-shared") {
      try bench.server.sql("INSERT INTO db_added SELECT * FROM db_added WHERE round = \(bench.round) AND id = 7")
    }
    tally.takenOver += try bench.takenOver()
    wrong += try await judge(bench, disturbance, victim, &tally)
    if !wrong.isEmpty { wrong += bench.members.map { "\($0.number): \($0.program.stdout)\($0.program.stderr)" } }
    return wrong
  }

  /// Does it; returns the process to which it was done.
  private static func disturb(
    _ bench: SharedRunBench, _ disturbance: Disturbance, _ tally: inout Tally, _ random: inout SeededGenerator
  ) async throws -> Int? {
    let victim = bench.members.filter(\.program.isRunning).randomElement(using: &random)
    if victim != nil { tally.disturbed += 1 }
    switch disturbance {
    case .kill:
      victim?.program.signal(SIGKILL)
      return victim?.number
    case .stop:
      victim?.program.signal(SIGSTOP)
      let seconds = Double(bench.lease) + .random(in: 0.2...1, using: &random)
      await Pause.exactly(microseconds: Int(seconds * 1_000_000))
      victim?.program.signal(SIGCONT)
      return victim?.number
    case .cut:
      let isAll = Bool.random(using: &random)
      var coin = random
      _ = bench.proxy.cutNow { isAll || Bool.random(using: &coin) }
      random = coin
    case .restart:
      switch Int.random(in: 0..<3, using: &random) {
      case 0: bench.server.kill()
      case 1: bench.server.quit()
      default: bench.server.stop()
      }
      try bench.server.restart()
    }
    return nil
  }

  /// Waits for the end of a process; returns what is wrong with it.
  private static func end(
    of member: SharedRunBench.Member, _ disturbance: Disturbance, _ victim: Int?
  ) async -> [String] {
    let outcome = await member.program.end(within: 60 * Double(Sanitizer.patience))
    let isKilled = disturbance == .kill && member.number == victim
    // A process that could not reach the database for longer than a lease leaves the run; a flow whose table was away has
    // failed.
    let good: Set<Int32> = isKilled ? [0, 137] : [.cut, .restart].contains(disturbance) ? [0, 1, 74] : [0]
    return good.contains(outcome.status) ? [] : ["process \(member.number) ended with \(outcome.status)"]
  }

  private static func judge(
    _ bench: SharedRunBench, _ disturbance: Disturbance, _ victim: Int?, _ tally: inout Tally
  ) async throws -> [String] {
    // Loads are repeated when their connection is lost, and other statements are not.
    let isAway = [.cut, .restart].contains(disturbance)
    let tables = SharedRunBench.flows.filter { [.db, .beside].contains($0.location) }.map(\.name)
    var wrong = try bench.complaints(
      whereMayFail: isAway ? Set(tables) : [], stopped: disturbance == .stop ? victim : nil)
    tally.failed += try bench.ends().values.count { $0.status != "passed" }
    let reports = try await bench.reports()
    wrong += reports.wrong
    // The elected process may have been killed before it wrote. One that was stopped meanwhile is replaced, and then
    // writes the same report to its own file.
    let reporter = try bench.reporter()
    let allowed =
      disturbance == .kill && reporter == victim ? 0...1 : disturbance == .stop ? 1...2 : 1...1
    if !allowed.contains(reports.writers.count) {
      wrong.append(
        "processes \(reports.writers) have written a report; \(reporter.map(String.init) ?? "none") was elected")
    }
    return wrong
  }
}
