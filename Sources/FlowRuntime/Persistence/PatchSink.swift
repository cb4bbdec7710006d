internal import ReactorCore

/// Replaces the records of some parents in a result, and leaves those of the others: for runs that ask only for what
/// failed before.
///
/// What is new waits until all of it is there, because only then it is known which parents it replaces. Where it is not
/// known which records belong to which parent, the new ones come behind those that are there.
actor PatchSink: ResultSink {
  private let older: EarlierPartitions
  private let old: EarlierResult
  /// Writes the result.
  private let result: any ResultSink
  /// Writes behind what is there.
  private let behind: any ResultSink
  private let buffer: PartitionBuffer
  private var replaced: [ParentRecords] = []
  /// Which records of the result belong to which parent, once it is finished; none where that is not known.
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

  /// Says which parents the records that were written belong to, in their order.
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
