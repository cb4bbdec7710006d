import Foundation
import TestSupport

/// What faults did.
struct FaultTally: CustomStringConvertible {
  var trials = 0
  var hits = 0
  var errors = 0
  var warnings = 0

  var description: String {
    "\(trials) faults ordered, \(hits) calls failed, \(errors) flows ended with a named error, \(warnings) with a warning"
  }
}

/// What a run says of itself after a fault, held against its files.
struct FaultJudgement {
  private let bench: Bench
  /// Words that name the cause: one of them must be there.
  private let words: [String]

  init(_ bench: Bench, _ words: [String]) {
    self.bench = bench
    self.words = words
  }

  /// What is wrong with the report.
  func complaints(_ outcome: Program.Outcome, _ summary: Summary?, _ tally: inout FaultTally) -> [String] {
    guard let summary else { return ["no summary, status \(outcome.status): \(outcome.stderr)"] }
    var wrong: [String] = []
    if summary.exit != outcome.status { wrong.append("exit \(outcome.status), summary \(summary.exit)") }
    for flow in summary.flows {
      guard let item = bench.items.first(where: { $0.name == flow.name }) else { continue }
      tally.warnings += flow.warnings?.count ?? 0
      if flow.status == "passed" {
        if bench.data(item) != item.file(bench.version) { wrong.append("\(flow.id) passed and is not there") }
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
      if !words.contains(where: { error.message.contains($0) }) {
        wrong.append("\(flow.id): no cause in '\(error.message)'")
      }
    }
    return wrong
  }
}
