import Foundation
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// T9: stopped at any instant, the program ends in time, says so, and leaves old or new results and nothing else.
@Suite(.serialized)
struct SignalTests {
  private static let item = "T9"

  @Test func `a signal at any instant ends the run in order`() async throws {
    let bench = try await Bench(Bench.mixture(16))
    var random = SeededGenerator(Torture.seed)
    var shortest = 60.0
    for _ in 0..<3 {
      bench.advance()
      shortest = min(shortest, try await bench.start().end().seconds)
    }
    var ends: [Int32: Int] = [:]
    var slowest = 0.0
    var thirds = 0
    let trials = Torture.count(short: 8, full: 200)
    for trial in 0..<trials {
      bench.advance(removing: trial.isMultiple(of: 4) ? ["f1", "f3"] : [])
      let number = trial.isMultiple(of: 2) ? SIGTERM : SIGINT
      let isTwice = trial % 5 == 4
      let program = try bench.start()
      await Pause.exactly(microseconds: .random(in: 0...Int(shortest * 1_100_000), using: &random))
      if Torture.isPlanted("t9-signals") { kill(program.identifier, SIGKILL) }
      program.signal(number)
      if isTwice {
        await Pause.exactly(microseconds: .random(in: 0...2000, using: &random))
        program.signal(number)
      }
      let signalled = ContinuousClock.now
      let outcome = await program.end(within: 20)
      let seconds = Double((ContinuousClock.now - signalled) / .milliseconds(1)) / 1000
      slowest = max(slowest, seconds)
      ends[outcome.status, default: 0] += 1
      var wrong = bench.thirds()
      thirds += wrong.count
      // 0: it had ended before.
      if ![0, 128 + number].contains(outcome.status) { wrong.append("exit \(outcome.status): \(outcome.stderr)") }
      if seconds > 10 { wrong.append("it took \(seconds) s") }
      if !isTwice { wrong += bench.leftovers() }
      wrong += try await bench.recover()
      #expect(wrong == [], "trial \(trial) of seed \(Torture.seed), signal \(number)")
    }
    if Torture.isFull { #expect(ends[130, default: 0] > 0 && ends[143, default: 0] > 0, "\(ends)") }
    let codes = ends.sorted { $0.key < $1.key }.map { "\($0.value) with \($0.key)" }.joined(separator: ", ")
    Torture.report(
      Self.item, "signals at \(trials) instants: ended \(codes); the slowest in \(slowest) s, \(thirds) third states")
  }

  @Test(arguments: ["1", "2", "0", "0 1 2"])
  func `with a stream closed the results are whole and a lost report is told`(streams: String) async throws {
    let bench = try await Bench(Bench.mixture())
    bench.advance()
    let closing = streams.split(separator: " ").map { "\($0)\($0 == "0" ? "<" : ">")&-" }.joined(separator: " ")
    let line = "exec \"$0\" \"$@\" \(Torture.isPlanted("t9-streams") ? "| true" : closing)"
    let outcome = try await bench.start(through: ["/bin/sh", "-c", line]).end()
    #expect(outcome.status == (streams.contains("1") ? 74 : 0), "\(outcome.stderr)")
    #expect(bench.missing() + bench.leftovers() == [])
    // Nothing else of the process may get the stream's number: then the report would be written into it.
    if streams == "1" {
      #expect(outcome.stderr.contains("standard output could not be written: bad file descriptor"), "\(outcome.stderr)")
    }
    #expect(try await bench.recover() == [])
  }

  @Test(arguments: ["| head -n 1", "> /dev/full", "| true"])
  func `a reader that goes away does not stop the batch`(line: String) async throws {
    let bench = try await Bench(Bench.mixture())
    bench.advance()
    let outcome = try await bench.start(through: ["/bin/sh", "-c", "\"$0\" \"$@\" \(line)"]).end()
    #expect(outcome.status == (line.contains("full") ? 74 : 0), "\(outcome.stderr)")
    #expect(bench.missing() + bench.leftovers() == [])
  }
}
