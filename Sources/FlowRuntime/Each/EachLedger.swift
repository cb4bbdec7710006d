/// What a run found out about its parents: what the next one is to know.
struct EachLedger: Sendable {
  /// The identities of all parents that were asked for, or left out because they have not changed.
  var seen: Set<String> = []
  /// Digests of the records that were asked for with success, by identity.
  var asked: [String: String] = [:]
  /// Which records of the result belong to which parent, in their order.
  var records: [ParentRecords] = []
  /// Whether every parent that there is was asked for with success, or left out because it has not changed.
  var isWhole = false
}

/// The records of one parent in a result, behind those of the parents before it.
struct ParentRecords: Sendable, Hashable {
  /// The parent's identity.
  var key: String
  var count: Int
  /// Their bytes, each record with the separator before it.
  var bytes: Int
  /// When they were asked for, in milliseconds since 1970, where that was in another run than the rest of the result.
  var since: Int64?
}
