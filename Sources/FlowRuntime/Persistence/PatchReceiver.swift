internal import ReactorCore
internal import Records

/// Replaces the records of some parents in a result. The records of other parents do not change.
///
/// A retry uses it, because a retry requests only parents that failed before.
///
/// New records are buffered until all have arrived, because only then are the replaced parents known. If the parents of
/// the older records are not known, the new records are appended.
struct PatchReceiver: FileResultReceiver {
  let taken: TakenPath
  private let older: EarlierPartitions
  private let old: EarlierResult
  private let buffer: PartitionBuffer

  init(_ taken: TakenPath, _ older: EarlierPartitions, after old: EarlierResult) {
    self.taken = taken
    self.older = older
    self.old = old
    buffer = PartitionBuffer(in: taken.flow.environment)
  }

  func encoder(of plan: MappingPlan) -> any RecordEncoder { RecordOutput(partOf: plan, format: format, key: nil) }

  func write(_ part: RecordChunk) async throws(ReactorError) { try await buffer.write(part) }

  func finish(_ pulled: Int, of parents: [ParentRecords]) async throws(ReactorError) -> FinishedResult {
    let chunks: [EarlierPartitions.Chunk]?
    do throws(ReactorError) {
      chunks = try await older.all()
    } catch {
      try await old.spool.fail(error)
      return FinishedResult(count: pulled, parents: [])
    }
    guard let chunks else {
      let behind = AppendReceiver(taken, after: old)
      try await buffer.pour(into: behind)
      var finished = try await behind.finish(pulled, of: parents)
      finished.parents = []
      return finished
    }
    let result = FileReceiver(taken)
    let keys = Set(parents.map(\.key))
    var count = pulled
    var records: [ParentRecords] = []
    for chunk in chunks where !keys.contains(chunk.records.key) {
      var persisted = chunk.records
      persisted.bytes = try await older.pour(chunk, into: result)
      records.append(persisted)
      count += persisted.count
    }
    try await buffer.pour(into: result)
    return FinishedResult(count: try await result.finish(count, of: parents).count, parents: records + parents)
  }
}
