internal import Boxes
internal import FlowModel
internal import ReactorCore
internal import Records

extension EachPull {
  /// What an `each` knows of its parents from earlier runs, and its limit for failures.
  struct Memory: Sendable {
    /// Identifies the parents; nil when the flow remembers no parents.
    var identity: ParentIdentity?
    /// Finds new and changed parents; nil to request all parents.
    var changed: ChangedParents?
    /// The parents' records from an earlier run; nil when the records of a failed parent are not retained.
    var earlier: EarlierPartitions?
    /// Whether each row of the table gets the identity of its parent.
    var labelsRows = false
    /// How many partitions, or records of batches, may fail; nil for any number.
    var bound: CountOrShare?
  }

  /// The progress of a run.
  struct Progress {
    @Boxed var outcome = Pull.Outcome()
    @Boxed var ledger = EachLedger()
    /// The number of partitions that were started (`begun`) and that were settled: finished and processed in order
    /// (`ended`).
    var begun = 0
    var ended = 0
    var underWay = 0
    var isAsking = false
    var isExhausted = false
    var results: [Int: (partition: Partition, result: PartitionResult)] = [:]
    var buffers: [Int: PartitionBuffer] = [:]
    /// Counts record keys that different parents share in the settled partitions; empty for a schema without a key.
    var sharedKeys = SharedKeys()
    /// How many partitions with each identity were settled.
    var turns: [String: Int] = [:]
    /// The number of settled items (`items`), and the number of failed items among them (`failed`).
    var items = 0
    var failed = 0
    @BoxedIfPresent var firstFailure: ReactorError?
    /// The number of records retained from an earlier run (`retained`), and their earliest time (`retainedSince`).
    ///
    /// They belong to parents that failed or were not requested.
    var retained = 0
    var retainedSince: Int64?
    /// The error that ends the whole flow.
    @BoxedIfPresent var failure: ReactorError?
  }
}
