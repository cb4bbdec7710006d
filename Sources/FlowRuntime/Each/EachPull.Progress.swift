internal import FlowTerms
internal import ReactorCore

extension EachPull {
  /// What an `each` knows of its parents beyond their records, and what it does when their requests fail.
  struct Memory: Sendable {
    /// Identifies the parents; nil where nothing is remembered of them.
    var identity: ParentIdentity?
    /// Tells which parents are new or changed; nil where all are asked for.
    var changed: ChangedParents?
    /// The records that an earlier run has of the parents; nil where those of a failed one are not retained.
    var earlier: EarlierPartitions?
    /// How many partitions, or records of batches, may fail; nil is any number.
    var bound: CountOrShare?
  }

  /// How far a run is.
  struct Progress {
    var outcome = Pull.Outcome()
    var ledger = EachLedger()
    /// Partitions begun, and those whose turn is over.
    var begun = 0
    var ended = 0
    var underWay = 0
    var isAsking = false
    var isExhausted = false
    var results: [Int: (partition: Partition, result: PartitionResult)] = [:]
    var buffers: [Int: PartitionBuffer] = [:]
    /// How many partitions with an identity had their turn.
    var turns: [String: Int] = [:]
    /// Items whose turn is over, and those of them that failed.
    var items = 0
    var failed = 0
    var firstFailure: ReactorError?
    /// Records that an earlier run has of parents that failed, or were not asked for, and when the first of them were read.
    var retained = 0
    var retainedSince: Int64?
    /// Why the whole flow ends.
    var failure: ReactorError?
  }
}
