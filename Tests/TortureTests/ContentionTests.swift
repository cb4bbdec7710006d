import Foundation
import Synchronization
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// T9: eight processes on one output path: one winner, no mix.
@Suite(.serialized)
struct ContentionTests {
  private static let processes = 8
  private static let refusal = "another reactor run is writing"

  @Test func `of processes that overlap exactly one writes the path`() async throws {
    let rounds = Torture.count(short: 3, full: 200)
    let arena = try Arena()
    var mixes = 0
    var won = 0
    for round in 0..<rounds {
      // Whoever got the path is kept waiting for its response until all others are over.
      arena.gate.close(true)
      var running = try (0..<Self.processes).map { try arena.start(process: $0, round: round) }
      let others = await arena.ends(of: &running, count: Self.processes - 1)
      arena.gate.close(false)
      let last = await arena.ends(of: &running, count: 1)
      let winners = (others + last).filter { $0.outcome.status == 0 }
      won += winners.count
      #expect(winners.count == 1, "round \(round): \((others + last).map(\.outcome.stderr))")
      for loser in others {
        #expect(loser.outcome.status == 5 && loser.outcome.stderr.contains(Self.refusal), "\(loser.outcome.stderr)")
      }
      let isWhole = winners.contains { arena.result() == arena.file($0.process, round) }
      mixes += isWhole ? 0 : 1
      #expect(isWhole, "round \(round): a mix")
      #expect(arena.leftovers() == [], "round \(round)")
    }
    Torture.report(
      "T9", "\(Self.processes) overlapping processes on one path, \(rounds) rounds: \(won) winners, \(mixes) mixes")
  }

  @Test func `processes that race leave the result of one that passed`() async throws {
    let rounds = Torture.count(short: 3, full: 200)
    let arena = try Arena()
    var mixes = 0
    var passed = 0
    for round in 0..<rounds {
      var running = try (0..<Self.processes).map { try arena.start(process: $0, round: round) }
      let ends = await arena.ends(of: &running, count: Self.processes)
      let winners = ends.filter { $0.outcome.status == 0 }
      passed += winners.count
      for end in ends where end.outcome.status != 0 {
        #expect(end.outcome.status == 5 && end.outcome.stderr.contains(Self.refusal), "\(end.outcome.stderr)")
      }
      let isWhole = winners.contains { arena.result() == arena.file($0.process, round) }
      mixes += isWhole ? 0 : 1
      #expect(isWhole, "round \(round): a mix")
      #expect(arena.leftovers() == [], "round \(round)")
    }
    Torture.report(
      "T9", "\(Self.processes) racing processes, \(rounds) rounds: \(passed) passed one after another, \(mixes) mixes")
  }
}

/// One output path, a server whose response is another one for each process and round, and the processes.
private final class Arena {
  struct End {
    var process: Int
    var outcome: Program.Outcome
  }

  /// Whether the server keeps its responses back.
  final class Gate: Sendable {
    private let condition = NSCondition()
    private let isClosed = Mutex(false)

    func close(_ closes: Bool) {
      condition.withLock {
        isClosed.withLock { $0 = closes }
        condition.broadcast()
      }
    }

    func wait() {
      condition.withLock { while isClosed.withLock({ $0 }) { condition.wait() } }
    }
  }

  let gate = Gate()
  private let workspace: Workspace
  private let server: ScriptedServer

  init() throws {
    workspace = try Workspace()
    server = try ScriptedServer { [gate] request in
      let words = request.target.split(separator: "/").compactMap { Int($0) }
      gate.wait()
      let body = "[" + Arena.lines(words[0], words[1]).joined(separator: ",") + "]"
      return [.send(Array("HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)".utf8))]
    }
    try workspace.write(
      """
      reactor: 1
      vars: { process: 0, round: 0 }
      http: { base_url: "\(server.url)" }
      flows:
        f:
          resource: "/{{ vars.process }}/{{ vars.round }}"
          records: $[*]
          reachability: false
          persistence: out/f.jsonl

      """, to: "flows/a.yaml")
  }

  deinit { server.stop() }

  func start(process: Int, round: Int) throws -> (Int, Program) {
    (
      process,
      try workspace.start(["run", "--fresh", "--var", "process=\(process)", "--var", "round=\(round)"])
    )
  }

  /// Waits until so many of them have ended, and takes these out.
  func ends(of running: inout [(Int, Program)], count: Int) async -> [End] {
    var ends: [End] = []
    let deadline = ContinuousClock.now + .seconds(60)
    while ends.count < count, !running.isEmpty, ContinuousClock.now < deadline {
      await Pause.exactly(microseconds: 1_000)
      for index in running.indices.reversed() where !running[index].1.isRunning {
        let (process, program) = running.remove(at: index)
        ends.append(End(process: process, outcome: await program.end()))
      }
    }
    return ends
  }

  func result() -> Data? {
    guard let data = workspace.bytes("out/f.jsonl") else { return nil }
    return Torture.isPlanted("t9-contention") ? data.prefix(data.count / 2) + data.prefix(data.count / 2) : data
  }

  func file(_ process: Int, _ round: Int) -> Data {
    Data(Arena.lines(process, round).map { $0 + "\n" }.joined().utf8)
  }

  func leftovers() -> [String] {
    workspace.files(hidden: true).filter {
      $0.hasPrefix("out/") && !["out/f.jsonl", "out/.reactor.stamps"].contains($0)
    }
  }

  private static func lines(_ process: Int, _ round: Int) -> [String] {
    (0..<200).map { #"{"id":\#($0),"process":\#(process),"round":\#(round)}"# }
  }
}
