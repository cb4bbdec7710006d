package import RunViews

/// The status with which each flow ended in its last run, for the atom `result:` of `--select`.
package struct LastRun: Sendable, Hashable {
  /// The status word of a flow that has never run.
  package static let unknown = "new"
  /// All words that `result:` accepts.
  package static let words = RunReport.Flow.Status.allCases.map(\.rawValue) + [unknown]

  private var results: [String: RunReport.Flow.Status] = [:]

  /// Uses the last entry of each flow.
  package init(_ entries: [HistoryEntry] = []) {
    for entry in entries { results[entry.flow] = entry.status }
  }

  /// The status with which a flow ended, or `new`.
  package subscript(_ id: String) -> String { results[id]?.rawValue ?? Self.unknown }
}
