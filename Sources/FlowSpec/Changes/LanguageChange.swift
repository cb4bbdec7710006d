import FlowModel

/// A decision that changed what a flow file means, for `reactor check --changes` (docs/changes.md).
package enum LanguageChange: CaseIterable, Sendable {
  /// Without `expires_after`, each run sends requests instead of using the persisted result.
  case asking
  /// A rejected record fails a flow whose next run would not request the record again.
  case rejecting
  /// An empty body in a format of rows or lines is an error.
  case emptyText
  /// Of two records with the same key, the one with the greater cursor value is stored.
  case merging
  /// A record with a time in the future cannot be appended.
  case appending

  /// Whether a flow relied on the earlier meaning, as far as its file shows.
  package func concerns(_ flow: FlowDeclaration) -> Bool {
    let (result, cursor) = (flow.result, flow.pull.cursor)
    switch self {
    case .asking: return !result.targets.isEmpty && result.expiresAfter == nil && cursor == nil
    case .rejecting:
      return cursor != nil && flow.prune && result.rejected == nil && flow.expect.maxRejected == nil
    case .emptyText:
      guard let format = flow.pull.decode?.name else { return false }
      return [.jsonLines, .jsonSequence, .lines].contains(format) && flow.expect.min == nil
    case .merging: return cursor != nil && result.mode == .merge
    case .appending: return cursor != nil && result.mode == .append && flow.schema?.key.isEmpty ?? true
    }
  }

  /// What an affected flow does now, and how to restore its earlier behaviour.
  package var words: String {
    switch self {
    case .asking:
      "each run asks the server; before, the persisted result was used forever, as with 'expires_after: never'"
    case .rejecting:
      "a rejected record fails the flow, because the cursor would move past it; 'rejected' stores it, "
        + "'expect: { max_rejected: 100% }' allows it as before"
    case .emptyText: "an empty body is an error; 'expect: { min: 0 }' accepts it as no records, as before"
    case .merging:
      "of two records with the same key, the one with the greater cursor value is stored; "
        + "before, the one that was received last was stored"
    case .appending: "a record dated more than five minutes in the future fails the flow; before, the limit was a day"
    }
  }
}
