/// A run that has ended, with the history before it: what metrics and notifications are made from.
package struct EndedRun: Sendable {
  /// The id of the run: of `reactor run`, or the name that several processes have given to it.
  package let id: String
  /// When the run began, in seconds since 1970 UTC.
  package let began: Int64
  /// When the run ended, in seconds since 1970 UTC.
  package let ended: Int64
  /// The flows of the run. Secrets are already masked.
  package let entries: [HistoryEntry]
  /// The entries of earlier runs, of all flows, the newest last.
  package let earlier: [HistoryEntry]

  /// Describes a run that has ended.
  package init(id: String, began: Int64, ended: Int64, entries: [HistoryEntry], earlier: [HistoryEntry]) {
    self.id = id
    self.began = began
    self.ended = ended
    self.entries = entries
    self.earlier = earlier
  }

  /// How each flow was before the run; without the flows that had never run.
  package var before: [FlowHealth] { FlowHealth.all(in: earlier) }

  /// How each flow is after the run, also those that it did not run.
  package var after: [FlowHealth] { FlowHealth.all(in: earlier + entries) }
}
