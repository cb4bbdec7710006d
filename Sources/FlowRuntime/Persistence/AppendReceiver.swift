internal import ReactorCore
internal import Records

/// Appends the records of a pull to the records of the older result.
actor AppendReceiver: FileResultReceiver {
  nonisolated let taken: TakenPath
  private let old: EarlierResult
  private let file: FileReceiver
  /// The number of older records; nil before they are copied, which happens when the first new record arrives.
  private var copied: Int?

  init(_ taken: TakenPath, after old: EarlierResult) {
    self.taken = taken
    self.old = old
    file = FileReceiver(taken)
  }

  nonisolated func encoder(of plan: MappingPlan) -> any RecordEncoder {
    RecordOutput(partOf: plan, format: format, key: nil)
  }

  func write(_ part: RecordChunk) async throws(ReactorError) {
    try await copy()
    try await file.write(part)
  }

  func finish(_ pulled: Int, of parents: [ParentRecords]) async throws(ReactorError) -> FinishedResult {
    try await copy()
    return try await file.finish(pulled + (copied ?? 0), of: parents)
  }

  private func copy() async throws(ReactorError) {
    guard copied == nil else { return }
    do throws(ReactorError) {
      copied = try await Self.copy(old, format, to: file)
    } catch {
      try await old.spool.fail(error)
      copied = 0
    }
  }

  private nonisolated static func copy(
    _ old: EarlierResult, _ format: RecordFormat, to file: FileReceiver
  ) async throws(ReactorError) -> Int {
    let out = RecordOutput(partOf: old.schema.persistedPlan, format: format)
    var count = 0
    try await old.read { (batch) throws(ReactorError) in
      count += batch.count
      out.append(batch)
    } pause: { () async throws(ReactorError) in
      if let piece = out.takePiece() { try await file.write(RecordChunk(piece)) }
    }
    try await file.write(RecordChunk(out.finish()))
    return count
  }
}
