/// What a run learns about its parents, for the next run.
struct EachLedger: Sendable {
  /// The identities of all parents that were requested, or left out because they have not changed.
  var seen: Set<String> = []
  /// Digests of the records of the parents whose requests succeeded, by the identity of the parent.
  var asked: [String: String] = [:]
  /// The groups of the result's records by parent, in the order of the result.
  var records: [ParentRecords] = []
  /// The identities of the parents whose requests failed.
  var failed: Set<String> = []
  /// Whether some parents that perhaps still exist were not requested: their list was cut off, or a rule ended the
  /// requests.
  var isShort = false
  /// Whether every existing parent was requested successfully, or left out because it has not changed.
  var isWhole = false
}

/// The records of one parent in a result. They follow the records of the previous parent.
struct ParentRecords: Sendable, Hashable {
  /// The parent's identity.
  var key: String
  var count: Int
  /// The size of the records in bytes, including the separator before each record.
  var bytes: Int
  /// The time of the request, in milliseconds since 1970; nil when it was in the same run as the rest of the result.
  var since: Int64?
}
