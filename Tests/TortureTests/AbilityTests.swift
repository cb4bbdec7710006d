import Foundation
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// T1 and T3 for what joins, keeps apart, spools and remembers.
@Suite(.serialized)
struct AbilityTests {
  @Test func `a kill at a random instant leaves old or new content, and the state that belongs to it`() async throws {
    let bench = try await Abilities()
    var random = SeededGenerator(Torture.seed)
    var shortest = 60.0
    for _ in 0..<3 {
      try bench.restore()
      shortest = min(shortest, try await bench.start().end().seconds)
    }
    var tally = KillTally()
    for trial in 0..<Torture.count(short: 5, full: 200) {
      try bench.restore()
      let program = try bench.start()
      await Pause.exactly(microseconds: .random(in: 0...Int(shortest * 1_100_000), using: &random))
      program.signal(SIGKILL)
      tally.count(await program.end())
      try await Self.judge(bench, &tally, "trial \(trial) of seed \(Torture.seed)")
    }
    Torture.report("T1", "merge, append, rejected, pages, parents, cursors, killed at random instants: \(tally)")
  }

  @Test func `a kill at any call is the last one that anybody sees`() async throws {
    let bench = try await Abilities()
    let shim = try await CallShim(below: bench.root.path, in: bench.workspace.folder)
    var tally = KillTally()
    for number in stride(from: 1, through: 600, by: Torture.count(short: 16, full: 1)) {
      try bench.restore()
      let outcome = try await bench.start(["-j", "1"], environment: shim.killing(at: number)).end()
      tally.count(outcome)
      try await Self.judge(bench, &tally, "call \(number)")
      if outcome.status != 137 { break }
    }
    if Torture.isFull { #expect(tally.killed >= 80, "\(tally)") }
    Torture.report("T1", "merge, append, rejected, pages, parents, cursors, killed at each call: \(tally)")
  }

  @Test(arguments: CallShim.kinds)
  func `a failing call ends its flow with an error that names path and cause`(kind: String) async throws {
    let bench = try await Abilities()
    let shim = try await CallShim(below: bench.root.path, in: bench.workspace.folder)
    var tally = FaultTally()
    for (index, cause) in Fault.Cause.all.enumerated() {
      for isLasting in [false, true] {
        // A call that is interrupted for ever has no end.
        if isLasting, cause.name == "EINTR" { continue }
        for number in stride(from: 1, through: Torture.isFull ? 40 : 10, by: isLasting ? 4 : 1) {
          guard Torture.isFull || (index == 0 && number % 4 == 1) else { continue }
          try bench.restore()
          let environment = shim.failing(at: number, of: kind, with: cause.number, isLasting: isLasting)
          let outcome = try await bench.start(["-j", "1", "--format", "json"], environment: environment).end()
          let hits = shim.hits()
          tally.trials += 1
          tally.hits += hits
          if Torture.isPlanted("t3-abilities"), hits > 0 {
            try Data("half".utf8).write(to: bench.root.appendingPathComponent("out/merge.jsonl"))
          }
          var wrong = bench.thirds()
          wrong += Self.complaints(bench, outcome, cause, &tally)
          if cause.name == "EINTR", !["link", "rename", "unlink"].contains(kind), outcome.status != 0 {
            wrong.append("an interrupted call shows: \(outcome.stderr)")
          }
          wrong += try await bench.recover()
          #expect(wrong == [], "\(kind) fails with \(cause.name) at \(number)\(isLasting ? " and from then on" : "")")
          // Where there is no Nth call, there are none after it.
          if hits == 0 { break }
        }
      }
    }
    Torture.report("T3", "merge, append, rejected, pages, parents, cursors, \(kind): \(tally)")
  }

  // MARK: -

  private static func judge(_ bench: Abilities, _ tally: inout KillTally, _ trial: String) async throws {
    if Torture.isPlanted("t1-abilities") {
      let file = try FileHandle(forWritingTo: bench.root.appendingPathComponent("out/merge.jsonl"))
      try file.truncate(atOffset: 1000)
      try file.close()
    }
    if Torture.isPlanted("t1-state") {
      try? FileManager.default.removeItem(at: bench.root.appendingPathComponent("out/.reactor.stamps"))
    }
    let thirds = bench.thirds()
    tally.thirds += thirds.count
    let now = bench.contents()
    tally.replaced += Abilities.files.count { now[$0] == bench.new[$0] && now[$0] != bench.old[$0] }
    let unfixed = try await bench.recover()
    tally.unfixed += unfixed.isEmpty ? 0 : 1
    let wrong = thirds + unfixed
    #expect(wrong == [], "\(trial)")
  }

  /// What is wrong with what a run says of itself after a fault.
  private static func complaints(
    _ bench: Abilities, _ outcome: Program.Outcome, _ cause: Fault.Cause, _ tally: inout FaultTally
  ) -> [String] {
    guard let summary = try? Summary(parsing: outcome.stdout) else {
      return ["no summary, status \(outcome.status): \(outcome.stderr)"]
    }
    let now = bench.contents()
    var wrong: [String] = []
    for flow in summary.flows {
      tally.warnings += flow.warnings?.count ?? 0
      let file = "out/\(flow.name).jsonl"
      if flow.status == "passed" {
        if bench.new[file] != nil, now[file] != bench.new[file] { wrong.append("\(flow.id) passed and is not there") }
        continue
      }
      tally.errors += 1
      if outcome.status == 0 { wrong.append("exit 0 although \(flow.id) has not passed") }
      guard let error = flow.error else {
        wrong.append("\(flow.id) did not pass and has no error")
        continue
      }
      let isNamed = error.path.map { error.message.contains($0) && $0.hasPrefix(bench.root.path) } ?? false
      if !isNamed { wrong.append("\(flow.id): no path in '\(error.message)'") }
      if !error.message.contains(cause.words) { wrong.append("\(flow.id): no cause in '\(error.message)'") }
    }
    return wrong
  }
}
