import Foundation
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// T3: whatever call of the system fails, the error names path and cause, old results stay, nothing is left behind.
@Suite(.serialized)
struct FaultTests {
  private static let item = "T3"

  @Test func `a failing call ends its flow with an error that names path and cause`() async throws {
    guard let strace = await Strace(for: Self.item) else { return }
    let bench = try await Bench(Bench.mixture(5))
    let shim = try await Self.shim(bench)
    for (index, call) in Fault.Call.allCases.enumerated() {
      let brief = Fault.Cause.all[index % 6]
      var tally = FaultTally()
      for cause in Fault.Cause.all {
        for isLasting in [false, true] {
          // A call that is interrupted for ever has no end.
          if isLasting, cause.name == "EINTR" { continue }
          for number in 1...10 {
            let fault = Fault(call: call, cause: cause, number: number, isLasting: isLasting)
            // In the short form, one cause for each call, at an early call.
            guard Torture.isFull || (cause.name == brief.name && number == 1 + index % 2) else { continue }
            // Where there is no Nth call, there are none after it.
            guard try await Self.trial(fault, bench, strace, shim, &tally) || !Torture.isFull else { break }
          }
        }
      }
      Torture.report(Self.item, "\(call): \(tally)")
    }
  }

  @Test(arguments: [("unnamed", EOPNOTSUPP), ("link", EPERM), ("link", EXDEV)])
  func `where a file cannot get its name later, it has one from the start`(kind: String, cause: Int32) async throws {
    let bench = try await Bench(Bench.mixture(5))
    let shim = try await CallShim(below: bench.root.path, in: bench.root.deletingLastPathComponent())
    bench.advance(removing: ["f1", "f3"])
    let (outcome, _) = try await bench.run(
      "--fresh", environment: shim.failing(at: 1, of: kind, with: cause, isLasting: true))
    #expect(shim.hits() >= 2)
    #expect(outcome.status == 0, "\(outcome.stderr)")
    if Torture.isPlanted("t3") { try Data("half".utf8).write(to: bench.url(bench.items[0])) }
    #expect(bench.thirds() + bench.missing() + bench.leftovers() == [])
  }

  @Test(arguments: [true, false])
  func `a result whose stamp cannot be written is kept and the warning says so`(waits: Bool) async throws {
    let item = Item(name: "f", kind: .small, path: "out/f.jsonl", waits: waits)
    let bench = try await Bench([item])
    try FileManager.default.createDirectory(
      at: bench.root.appendingPathComponent("out/.reactor.stamps"), withIntermediateDirectories: true)
    let (outcome, summary) = try await bench.run()
    #expect(outcome.status == 0, "\(outcome.stderr)")
    #expect(bench.missing() == [])
    let flow = try #require(summary?.flows.first)
    #expect(flow.status == "passed")
    #expect(flow.save == "saved")
    #expect(flow.warnings?.map(\.kind) == ["persistence"])
    #expect(flow.warnings?.first?.path?.hasSuffix("out/.reactor.stamps") == true)
    let text = try await bench.start([]).end()
    #expect(text.stderr.contains("warning: a.f: saved, but the next run will ask the server again: "), "\(text.stderr)")
    #expect(text.stderr.contains("out/.reactor.stamps: a folder has that name"))
  }

  // MARK: -

  /// False when the call was not made so often.
  private static func trial(
    _ fault: Fault, _ bench: Bench, _ strace: Strace, _ shim: String, _ tally: inout FaultTally
  ) async throws -> Bool {
    let mustMake = fault.call == .mkdirat || fault.call == .linkat || fault.number.isMultiple(of: 3)
    bench.advance(removing: mustMake ? ["f1", "f3"] : [])
    let log = bench.root.deletingLastPathComponent().appendingPathComponent("calls").path
    try Data().write(to: URL(fileURLWithPath: log))
    let when = "\(fault.number)\(fault.isLasting ? "+" : "")"
    let run: (outcome: Program.Outcome, summary: Summary?)
    if fault.call == .write {
      let environment = [
        "LD_PRELOAD": shim, "WRITES_BELOW": bench.root.path, "WRITES_ERROR": "\(fault.cause.number)",
        "WRITES_WHEN": when, "WRITES_LOG": log,
      ]
      run = try await bench.run("--fresh", "-j", "1", environment: environment)
    } else {
      let wrapper = strace.wrapper(
        fault.call.rawValue, "error=\(fault.cause.name):when=\(when)", paths: fault.paths(bench), log: log)
      run = try await bench.run("--fresh", "-j", "1", through: wrapper)
    }
    tally.trials += 1
    let hits = (try? String(contentsOfFile: log, encoding: .utf8))?.components(separatedBy: "(INJECTED)").count ?? 1
    tally.hits += hits - 1
    if Torture.isPlanted("t3"), hits > 1 { try Data("half".utf8).write(to: bench.url(bench.items[0])) }
    var wrong = bench.thirds()
    wrong += FaultJudgement(bench, fault.words).complaints(run.outcome, run.summary, &tally)
    if fault.cause.name == "EINTR", fault.call.isInterruptible, run.outcome.status != 0 {
      wrong.append("an interrupted call shows: \(run.outcome.stderr)")
    }
    // A file that cannot be removed while the fault lasts is removed by the next run.
    // So is the empty lock file, when a lock fails that tells who may remove it.
    if fault.call != .unlinkat, fault.call != .fcntl, !fault.isLasting { wrong += bench.leftovers() }
    // What passed without a warning must be usable.
    let offline = try await bench.run("--fresh=never")
    for flow in run.summary?.flows ?? [] where flow.status == "passed" && flow.warnings?.isEmpty == true {
      if offline.summary?.flows.first(where: { $0.id == flow.id })?.status != "passed" {
        wrong.append("\(flow.id) passed without a warning, but cannot be used: \(offline.outcome.stderr)")
      }
    }
    wrong += try await bench.recover()
    #expect(wrong == [], "\(fault)")
    return hits > 1
  }

  /// Builds the library that lets writes fail.
  private static func shim(_ bench: Bench) async throws -> String {
    let source = URL(fileURLWithPath: "\(#filePath)").deletingLastPathComponent().appendingPathComponent(
      "Shims/writes.c")
    let folder = bench.root.deletingLastPathComponent()
    let compiler = ProcessInfo.processInfo.environment["CC"] ?? "cc"
    let program = try Program(
      "/usr/bin/env", [compiler, "-shared", "-fPIC", "-o", "writes.so", source.path, "-ldl"], in: folder)
    let outcome = await program.end()
    try #require(outcome.status == 0, "\(outcome.stderr)")
    return folder.appendingPathComponent("writes.so").path
  }
}
