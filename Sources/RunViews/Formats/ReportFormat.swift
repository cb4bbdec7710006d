/// The formats of reports: `--report KIND`.
package enum ReportFormat: String, Sendable, Hashable, CaseIterable {
  /// JUnit XML, for CI servers.
  case junit
  /// TAP 14 with a first line that `prove` accepts.
  case tap
  /// TAP 14 exactly as specified.
  case tap14
  /// Markdown, for comments and wikis.
  case md
  /// One page for a browser.
  case html
  /// The run summary as JSON; reports of this format can be joined.
  case json
  /// Annotations and a step summary on GitHub.
  case github
  /// The event log.
  case ndjson

  /// The path of a report when the command line gives none.
  package var standardPath: String? {
    switch self {
    case .junit: "reports/junit.xml"
    case .tap: "reports/results.tap"
    case .tap14: "reports/results-14.tap"
    case .md: "reports/summary.md"
    case .html: "reports/report.html"
    case .json: "reports/report.json"
    case .ndjson: "reports/events.ndjson"
    case .github: nil
    }
  }

  /// The content of the report; nil for the event log, which is written during the run.
  ///
  /// - Parameter surroundings: what a page shows beside the report
  package func bytes(_ report: RunReport, in surroundings: RunSurroundings = RunSurroundings()) -> [UInt8]? {
    switch self {
    case .junit: Array(JUnitReport().text(report).utf8)
    case .tap: Array(TAPReport().text(report).utf8)
    case .tap14: Array(TAPReport(.strict).text(report).utf8)
    case .md, .github: Array(MarkdownReport().text(report).utf8)
    case .html: Array(HTMLReport(surroundings).text(report).utf8)
    case .json: report.jsonLine
    case .ndjson: nil
    }
  }
}
