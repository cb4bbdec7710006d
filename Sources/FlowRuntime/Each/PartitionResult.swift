internal import ReactorCore

/// What became of a partition.
struct PartitionResult: Sendable {
  /// What its requests gave.
  var outcome = Pull.Outcome()
  /// Items that failed while others did not.
  var failures: [ItemFailure] = []
  /// Why nothing came of it.
  var error: ReactorError?
  /// Under what its parents are remembered; nil where nothing is, or nothing identifies them.
  var identity: String?
  /// Whether nothing was sent, because none of its items could be.
  var isUnsent = false
  /// Whether it has no records that take the place of its parents' earlier ones.
  var hasFailed: Bool { error != nil || isUnsent }
  /// What was asked, as it may be shown; nil when no request came about.
  var request: ShownRequest?
}

/// A request as it may be shown.
struct ShownRequest: Sendable {
  var method: String
  var url: String
  /// The key by which the server knows it, if it has one.
  var key: String?
}

extension RequestPlan {
  /// The flow's own request.
  var shown: ShownRequest { ShownRequest(method: resource.method.rawValue, url: shownURL) }
}

/// An item of a partition that failed by itself.
struct ItemFailure: Sendable {
  /// Its place in the partition.
  var item: Int
  /// What was not satisfied, in a word (`docs/reference/rejected.md`).
  var rule: String
  /// Into the item's record; empty for the whole.
  var pointer: String
  var reason: String
}
