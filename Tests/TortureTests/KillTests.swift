import Foundation
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// T1: killed at any instant and at any call, a result is old or new, never a third, and a rerun ends as if undisturbed.
@Suite(.serialized)
struct KillTests {
  private static let item = "T1"

  @Test func `a kill at a random instant leaves old or new content and a rerun fixes the rest`() async throws {
    let bench = try await Bench(Bench.mixture())
    var random = SeededGenerator(Torture.seed)
    let longest = try await Self.undisturbed(bench)
    var tally = KillTally()
    for trial in 0..<Torture.count(short: 10, full: 500) {
      bench.advance(removing: Self.removed(from: bench, &random))
      let program = try bench.start()
      await Pause.exactly(microseconds: .random(in: 0...longest, using: &random))
      program.signal(SIGKILL)
      let outcome = await program.end()
      tally.count(outcome)
      try await Self.judge(bench, &tally, "trial \(trial) of seed \(Torture.seed)")
    }
    Torture.report(Self.item, "kill at random instants: \(tally)")
  }

  @Test(arguments: CallShim.kinds)
  func `a kill at any call that touches a result leaves old or new content`(kind: String) async throws {
    // Many flows, so that there are many calls of each kind; each call of the run has its own number.
    let bench = try await Bench(Bench.mixture(Torture.count(short: 8, full: 84)))
    let shim = try await CallShim(below: bench.root.path, in: bench.root.deletingLastPathComponent())
    var random = SeededGenerator(Torture.seed)
    _ = try await Self.undisturbed(bench)
    var tally = KillTally()
    // Every call of the kind until there are no more; in the short form, a few of them.
    for number in stride(from: 1, through: 300, by: Torture.count(short: 7, full: 1)) {
      // Only what is not there before gets its name by a link.
      bench.advance(removing: Self.removed(from: bench, oneIn: kind == "link" ? 2 : 6, &random))
      let environment = shim.killing(at: number, of: [kind])
      let outcome = try await bench.start(["--fresh", "-j", "1"], environment: environment).end()
      tally.count(outcome)
      try await Self.judge(bench, &tally, "\(kind) number \(number)")
      if outcome.status != 137 { break }
    }
    #expect(tally.killed > 0, "\(tally)")
    Torture.report(Self.item, "kill at each \(kind): \(tally)")
  }

  // MARK: -

  /// How many microseconds a run takes when nothing happens to it.
  private static func undisturbed(_ bench: Bench) async throws -> Int {
    var shortest = 60.0
    for _ in 0..<3 {
      bench.advance()
      shortest = min(shortest, try await bench.start().end().seconds)
      try #require(bench.missing() + bench.leftovers() == [], "before anything was disturbed")
    }
    return Int(shortest * 1_100_000)
  }

  /// Now and then a file is not there before.
  private static func removed(
    from bench: Bench, oneIn count: Int = 6, _ random: inout SeededGenerator
  ) -> Set<String> {
    Set(bench.items.filter { _ in Int.random(in: 0..<count, using: &random) == 0 }.map(\.name))
  }

  private static func judge(_ bench: Bench, _ tally: inout KillTally, _ trial: String) async throws {
    if Torture.isPlanted("t1") { try tear(bench) }
    let thirds = bench.thirds()
    tally.thirds += thirds.count
    tally.replaced += bench.items.count { bench.before[$0.name] != bench.data($0) }
    tally.leftovers += bench.leftovers().isEmpty ? 0 : 1
    let unfixed = try await bench.recover()
    tally.unfixed += unfixed.isEmpty ? 0 : 1
    let wrong = thirds + unfixed
    #expect(wrong == [], "\(trial)")
  }

  /// What a program that writes in place would leave: a file cut in the middle.
  private static func tear(_ bench: Bench) throws {
    let file = try FileHandle(forWritingTo: bench.url(bench.items[0]))
    try file.truncate(atOffset: 1000)
    try file.close()
  }
}
