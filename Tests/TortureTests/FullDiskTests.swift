import Foundation
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// T4: real disks without room, without inodes, read-only, and a process without descriptors.
@Suite(.serialized)
struct FullDiskTests {
  private static let item = "T4"

  /// Forty sizes from 16 KiB to 4 MiB and ten numbers of inodes; in the short form every eighth.
  private static var limits: [String] {
    let sizes = (0..<40).map { "size=\(16 + $0 * (4096 - 16) / 39)k" }
    let inodes = (0..<10).map { "size=8m,nr_inodes=\(2 + $0 * 2)" }
    let all = sizes + inodes
    return stride(from: 0, to: all.count, by: Torture.count(short: 8, full: 1)).map { all[$0] }
  }

  @Test func `a full disk ends flows with named errors and keeps old results`() async throws {
    var tally = FaultTally()
    for limit in Self.limits {
      guard let disk = await SmallDisk(limit) else {
        return Torture.skip(Self.item, "neither root nor a user namespace may mount a tmpfs here")
      }
      let bench = try await Bench(Bench.mixture(), root: disk.root)
      // The first version fits or not; the second then replaces what there is, beside which there must be room.
      for version in 1...2 {
        if version > 1 { bench.advance() }
        tally.trials += 1
        let run = try await bench.run("--fresh")
        if Torture.isPlanted("t4") { try? Data("half".utf8).write(to: bench.url(bench.items[1])) }
        let wrong =
          bench.thirds() + bench.leftovers()
          + FaultJudgement(bench, ["no space left"]).complaints(run.outcome, run.summary, &tally)
        #expect(wrong == [], "version \(version) on a disk of \(limit)")
      }
      let hasRoom = try await disk.remount("size=16m,nr_inodes=1000")
      #expect(hasRoom)
      #expect(try await bench.recover() == [], "with room again after \(limit)")
    }
    Torture.report(Self.item, "disks of \(Self.limits.count) sizes and inode limits: \(tally)")
  }

  @Test func `a read-only disk keeps what it has`() async throws {
    var tally = FaultTally()
    guard let disk = await SmallDisk("size=16m") else {
      return Torture.skip(Self.item, "neither root nor a user namespace may mount a tmpfs here")
    }
    let bench = try await Bench(Bench.mixture(), root: disk.root)
    #expect(try await bench.recover() == [])
    bench.advance()
    try #require(try await disk.remount("ro"))
    let run = try await bench.run("--fresh")
    #expect(FaultJudgement(bench, ["read-only"]).complaints(run.outcome, run.summary, &tally) == [])
    #expect(bench.thirds() == [] && run.outcome.status == 74)
    try #require(try await disk.remount("rw"))
    #expect(try await bench.recover() == [])

    Torture.report(Self.item, "a read-only disk: \(tally)")
  }

  @Test func `a folder of somebody else keeps what it has`() async throws {
    guard getuid() == 0 else { return Torture.skip(Self.item, "only root can run the program as another user") }
    let bench = try await Bench(Bench.mixture())
    #expect(try await bench.recover() == [])
    bench.advance()
    let user = ["/usr/bin/env", "setpriv", "--reuid=65534", "--clear-groups", "--"]
    let run = try await bench.run("--fresh", through: user)
    guard ![126, 127].contains(run.outcome.status) else {
      return Torture.skip(Self.item, "another user cannot start the program here: \(run.outcome.stderr)")
    }
    var tally = FaultTally()
    #expect(FaultJudgement(bench, ["permission denied"]).complaints(run.outcome, run.summary, &tally) == [])
    #expect(bench.thirds() + bench.leftovers() == [] && run.outcome.status == 74)
    #expect(tally.errors == bench.items.count)
    #expect(try await bench.recover() == [])
    Torture.report(Self.item, "a folder of another user: \(tally)")
  }

  @Test func `a process without descriptors names what it lacks`() async throws {
    let bench = try await Bench(Bench.mixture())
    #expect(try await bench.recover() == [])
    var tally = FaultTally()
    var notStarted = 0
    for limit in stride(from: 8, through: 48, by: Torture.count(short: 8, full: 1)) {
      bench.advance()
      tally.trials += 1
      let run = try await bench.run(
        "--fresh", through: ["/bin/sh", "-c", "ulimit -n \(limit); exec \"$0\" \"$@\""])
      var wrong = bench.thirds()
      if let summary = run.summary {
        let kinds = Set(
          summary.flows.compactMap(\.error).map(\.message).filter { message in
            // A probe only says whether somebody answers.
            !message.contains("oo many open files") && !message.contains("is not reachable")
          })
        if run.outcome.status == 0, !bench.missing().isEmpty { wrong.append("exit 0 without results") }
        if !kinds.isEmpty { wrong.append("no cause: \(kinds.sorted())") }
        tally.errors += summary.flows.count { $0.status != "passed" }
      } else {
        // The system's loader or the files of the flows got none.
        notStarted += 1
        if run.outcome.status == 0 { wrong.append("exit 0 without a report") }
      }
      wrong += try await bench.recover()
      #expect(wrong == [], "ulimit -n \(limit)")
    }
    Torture.report(Self.item, "descriptor limits: \(tally); \(notStarted) did not start")
  }
}
