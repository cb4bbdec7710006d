internal import RunViews
internal import SharedState
internal import SourceDiagnostics
internal import TimeSyntax

/// The report of a run of several processes, joined from the ends of its flows.
struct WholeRun {
  let report: RunReport
  /// The exit codes that the flows cause.
  let codes: Set<ExitCode>
  /// Whether all flows have ended.
  let isEnded: Bool
  let processes: Int
  let id: String

  /// Joins what the shared state knows.
  ///
  /// - Parameter ending: gives the problems of the flow files; nil when they are unknown
  init(_ record: SharedRunRecord, _ ending: RunEnding? = nil) {
    var codes = Set(record.ends.compactMap { ExitCode(rawValue: $0.exit) })
    if !record.isEnded { codes.insert(.notJudged) }
    let parts = record.ends.compactMap { try? RunReport(parsing: Array($0.report.utf8)) }
    let exit = ExitCode.worst(of: codes).rawValue
    var whole =
      (try? RunReport.joined(parts, exit: exit))
      ?? RunReport(tool: record.tool, isComplete: false, exit: exit, hasTiming: true, flows: [])
    whole.isComplete = record.isEnded
    whole.tool = record.tool
    if whole.hasTiming {
      whole.startedAt = InstantText.text(record.began)
      whole.duration = Int64(record.duration * 1000)
    }
    if let ending { whole.problems = ending.reportedProblems }
    self.codes = codes
    report = whole
    isEnded = record.isEnded
    processes = record.members.count { $0.ended > 0 }
    id = record.id
  }

  /// The counts as a sentence.
  var sentence: String {
    "run \(PrintableText.of(id)), \(Quantity.count(processes, "process", plural: "processes")): \(report.sentence)"
  }
}
