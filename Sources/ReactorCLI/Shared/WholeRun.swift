internal import RunViews
internal import SharedState
internal import SourceDiagnostics
internal import TimeSyntax

/// The report of a run of several processes, joined from the ends of its flows.
struct WholeRun {
  let report: RunReport
  /// The exit codes that the flows cause.
  let codes: Set<ExitCode>
  private let record: SharedRunRecord

  /// Joins what the shared state knows, with the reports of the flows.
  ///
  /// - Parameter ending: gives the problems of the flow files; nil when they are unknown
  init(_ record: SharedRunRecord, _ ending: RunEnding? = nil) {
    codes = record.codes
    self.record = record
    let exit = ExitCode.worst(of: codes).rawValue
    let parts = record.ends.map { $0.part(record.tool) }
    // The shared state has each flow once, and no shards, so only a run without ends cannot be joined.
    var whole =
      (try? RunReport.joined(parts, exit: exit))
      ?? RunReport(tool: record.tool, isComplete: false, exit: exit, hasTiming: true, flows: [])
    whole.isComplete = record.isEnded
    whole.tool = record.tool
    if whole.hasTiming {
      whole.startedAt = InstantText.text(record.began)
      whole.duration = Int64(record.duration * 1000)
    }
    if let ending { (whole.problems, whole.traceID) = (ending.reportedProblems, ending.traceID) }
    report = whole
  }

  /// The counts as a sentence.
  var sentence: String {
    let processes = record.members.count { $0.ended > 0 }
    return "run \(PrintableText.of(record.id)), \(Quantity.count(processes, "process", plural: "processes")): "
      + report.sentence
  }
}

extension SharedRunRecord {
  /// The exit codes that the flows cause; a run with flows that have not ended is not judged.
  var codes: Set<ExitCode> {
    var codes = Set(ends.compactMap { ExitCode(rawValue: $0.exit) })
    if !isEnded { codes.insert(.notJudged) }
    return codes
  }
}

extension SharedRunRecord.End {
  /// The report of a run that had only this flow.
  ///
  /// A report that this version cannot read is of a newer one. The flow is still named, with its status.
  fileprivate func part(_ tool: String) -> RunReport {
    if let report = try? RunReport(parsing: Array(report.utf8)) { return report }
    let status = RunReport.Flow.Status(rawValue: status) ?? .error
    return RunReport(
      tool: tool, isComplete: true, exit: exit, hasTiming: false,
      flows: [RunReport.Flow(id: flow, file: "", line: 1, status: status)])
  }
}
