internal import SourceDiagnostics

/// What a page about a run shows beside the report: the time, earlier runs, and lines of the flow files.
package struct RunSurroundings: Sendable {
  /// When the page is made, in seconds since 1970; nil when the page has no times.
  package var now: Int64?
  /// The runs in the history of each flow by its id, the newest last.
  package var runs: [String: [HistoryEntry]] = [:]
  /// The lines of flow files, with secrets masked, by path.
  package var lines: [String: [String]] = [:]

  /// Creates surroundings without anything.
  package init() {}

  /// Adds entries of a history, the newest last. Only as many runs of a flow as pages show stay.
  package mutating func add(_ entries: [HistoryEntry]) {
    for entry in entries.reversed() where runs[entry.flow, default: []].count < RunStrip.runs {
      runs[entry.flow, default: []].append(entry)
    }
    for flow in runs.keys { runs[flow]?.reverse() }
  }

  /// How a flow is by its runs; nil without any.
  func health(of flow: String) -> FlowHealth? { runs[flow].flatMap { FlowHealth(of: $0) } }

  /// The lines around one line of a file, with their numbers; empty when the file is unknown or shorter.
  package func lines(of file: String, around line: Int, _ distance: Int = 2) -> [(number: Int, text: String)] {
    guard let all = lines[file], line > 0, line <= all.count else { return [] }
    return (max(1, line - distance)...min(all.count, line + distance)).map { ($0, all[$0 - 1]) }
  }
}
