internal import Boxes
internal import ReactorCore

/// The result of one partition.
struct PartitionResult: Sendable {
  /// The joined outcome of the partition's requests.
  var outcome = Pull.Outcome()
  /// Items that failed although the partition as a whole did not.
  var failures: [ItemFailure] = []
  /// Why the partition failed as a whole; nil when it did not.
  @BoxedIfPresent var error: ReactorError?
  /// The identity of the partition's parents together, under which later runs find them; nil when they are not
  /// remembered.
  var identity: String?
  /// Whether no request was sent, because none of the items could be sent.
  var isUnsent = false
  /// Whether the partition has no records that can replace its parents' earlier records.
  var hasFailed: Bool { error != nil || isUnsent }
  /// The request with secrets masked; nil when no request could be built.
  @BoxedIfPresent var request: ShownRequest?
}

/// The parts of a request that messages and reports show, without secrets.
struct ShownRequest: Sendable {
  var method: String
  var url: String
  /// The idempotency key of the request; nil without one.
  var key: String?
}

extension RequestPlan {
  /// The flow's own request, with secrets masked.
  var shown: ShownRequest { ShownRequest(method: resource.method.rawValue, url: shownURL) }
}

/// A failed item of a partition.
struct ItemFailure: Sendable {
  /// The index of the item in the partition.
  var item: Int
  /// The rule that was broken, in one word (`docs/reference/rejected.md`).
  var rule: String
  /// A JSON pointer into the item's record; empty for the whole record.
  var pointer: String
  var reason: String
}
