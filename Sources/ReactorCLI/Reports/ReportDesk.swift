internal import RunViews
internal import SourceDiagnostics
internal import Storage

/// Writes the reports that the command line requests.
struct ReportDesk: Sendable {
  let orders: [ReportOrder]
  let environment: [String: String]

  /// Whether a report is written to standard output instead of a line for each flow.
  var takesOutput: Bool { orders.contains { $0.destination == .standardOutput } }

  /// Whether a report for GitHub is requested; GitHub then reads the printed text.
  var isForGitHub: Bool { orders.contains { $0.format == .github } }

  /// The requested event logs.
  var eventLogs: [ReportOrder] { orders.filter { $0.format == .ndjson } }

  /// Whether a page for a browser is requested, which shows more than the report has.
  var hasPages: Bool { orders.contains { $0.format == .html } }

  /// Writes all reports except the event logs; returns messages about reports that could not be written.
  ///
  /// - Parameter surroundings: what a page shows beside the report
  func write(_ report: RunReport, in surroundings: RunSurroundings = RunSurroundings(), _ console: Console) -> [String]
  {
    var lost: [String] = []
    for order in orders {
      guard let bytes = order.destination == .gitHub ? [] : order.format.bytes(report, in: surroundings) else {
        continue
      }
      switch order.destination {
      case .standardOutput: console.out.writeMasked(bytes)
      case .file(let path):
        do throws(WholeFile.AccessError) {
          try ReportFile.write(bytes, to: path)
        } catch {
          lost.append("report '\(path)' could not be written: \(error.message)")
        }
      case .gitHub:
        guard let path = environment["GITHUB_STEP_SUMMARY"], !path.isEmpty else { continue }
        do throws(WholeFile.AccessError) {
          // Several steps may append to one file, and GitHub drops the whole file when it is too large.
          try ReportFile.append(to: path, limit: MarkdownReport.largestStepSummary) { room in
            Array(MarkdownReport(limit: room).text(report).utf8)
          }
        } catch {
          lost.append("step summary '\(path)' could not be written: \(error.message)")
        }
      }
    }
    return lost
  }
}
