import Foundation
import TestSupport
import Testing

/// Found by T1: a large response was cut short when its connection had carried another response a moment before,
/// because the transfer that had ended listed the connection as idle after it was in use again.
@Suite(.serialized)
struct HandoverTests {
  @Test func `large responses arrive whole on connections that others have just left`() async throws {
    let count = 400
    let items = (0..<count).map { number in
      Item(name: "f\(number)", kind: number.isMultiple(of: 8) ? .large : .constant, path: "out/f\(number).jsonl")
    }
    let bench = try await Bench(items)
    var cut: [String] = []
    for _ in 0..<Torture.count(short: 4, full: 20) {
      let run = try await bench.run("--fresh", "-j", "16", "--max-per-host", "8")
      cut += (run.summary?.flows ?? []).compactMap { $0.error?.message }
      #expect(run.outcome.status == 0)
    }
    #expect(cut == [])
    #expect(bench.missing() == [])
    Torture.report("T12", "\(count) responses, every eighth large, over few connections: \(cut.count) cut")
  }
}
