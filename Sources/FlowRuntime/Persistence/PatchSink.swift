internal import ReactorCore

/// Replaces the records of some parents in a result. The records of other parents do not change.
///
/// A retry uses it, because a retry requests only parents that failed before.
///
/// New records are buffered until all have arrived, because only then the replaced parents are known. If the parents of
/// the older records are not known, the new records are appended.
actor PatchSink: ResultSink {
  private let older: EarlierPartitions
  private let old: EarlierResult
  /// Writes the patched result.
  private let result: any ResultSink
  /// Appends to the older result.
  private let behind: any ResultSink
  private let buffer: PartitionBuffer
  private var replaced: [ParentRecords] = []
  /// The groups of the result's records by parent, after `finish`; empty when the parents are not known.
  private(set) var records: [ParentRecords] = []

  init(
    _ older: EarlierPartitions, _ old: EarlierResult, result: any ResultSink, behind: any ResultSink,
    holding buffer: PartitionBuffer
  ) {
    self.older = older
    self.old = old
    self.result = result
    self.behind = behind
    self.buffer = buffer
  }

  func write(_ part: RecordChunk) async throws(ReactorError) { try await buffer.write(part) }

  /// Sets the groups of the written records by parent, in the order of the records.
  func replace(_ records: [ParentRecords]) { replaced = records }

  func finish(_ pulled: Int) async throws(ReactorError) -> Int {
    let chunks: [EarlierPartitions.Chunk]?
    do throws(ReactorError) {
      chunks = try await older.all()
    } catch {
      try await old.spool.fail(error)
      return pulled
    }
    guard let chunks else {
      try await buffer.pour(into: behind)
      return try await behind.finish(pulled)
    }
    let keys = Set(replaced.map(\.key))
    var count = pulled
    for chunk in chunks where !keys.contains(chunk.records.key) {
      var persisted = chunk.records
      persisted.bytes = try await older.pour(chunk, into: result)
      records.append(persisted)
      count += persisted.count
    }
    try await buffer.pour(into: result)
    records += replaced
    return try await result.finish(count)
  }
}
