import FlowCompiler
import FlowRuntime
import FlowTesting
import Foundation
import ReactorCore
import Synchronization
import TestSupport
import Testing

/// What becomes of the records of a parent whose response arrives, and none of whose records fit.
extension FailedParentTests {
  @Test(arguments: ["items.jsonl", "items.json", "items.csv"])
  func `a parent whose records are all rejected loses its earlier ones, as a single record does`(
    _ path: String
  ) async throws {
    try await Rig.with { rig in
      let isBad = Mutex(false)
      rig.answer { request in
        let parent = request.target.split(separator: "/")[1]
        let isMisfit = parent == "2" && isBad.withLock { $0 }
        return ok(isMisfit ? #"[{"id":"x"},{"id":"y"}]"# : #"[{"id":\#(parent)0},{"id":\#(parent)1}]"#)
      }
      let flow = try Self.flow(rig, "path: \(path)", more: "rejected: bad.jsonl")
      #expect(await rig.run(flow, .fresh).message == "")
      #expect(try rig.numbers(path) == [10, 11, 20, 21, 30, 31])
      isBad.withLock { $0 = true }

      let strict = try Self.flow(rig, "path: \(path)", more: "rejected: bad.jsonl\nexpect: { max_rejected: 1 }")
      #expect(await rig.run(strict, .fresh).message.contains("expected at most 1 record rejected, found 2"))
      #expect(try rig.numbers(path) == [10, 11, 20, 21, 30, 31])

      let run = await rig.run(flow, .fresh)
      #expect(run.message == "")
      #expect(run.kept == 4 && run.outcome?.report.rejected == 2)
      #expect(run.outcome?.report.rejections.count == 2)
      #expect(rig.scratch.text("bad.jsonl")?.split(separator: "\n").count == 2)
      #expect(try rig.numbers(path) == [10, 11, 30, 31])
    }
  }
}
