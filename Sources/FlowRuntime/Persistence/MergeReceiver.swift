internal import FlowModel
internal import ReactorCore
internal import Records
internal import Storage

/// Buffers the records of a pull and merges them by key with the older records.
///
/// Of two records with the same key, the one with the greater value in the cursor's field is the newer one, in whatever
/// order they arrive.
actor MergeReceiver: FileResultReceiver {
  nonisolated let taken: TakenPath
  private let old: EarlierResult
  private let key: [String]
  private var index = RecordIndex()
  private var scratch: ScratchFile?
  private var pending: [UInt8] = []

  /// Creates a receiver without records.
  ///
  /// - Parameter key: the names of the fields that identify a record; nil for the key of the schema
  init(_ taken: TakenPath, with old: EarlierResult, key: [String]? = nil) {
    self.taken = taken
    self.old = old
    self.key = key ?? old.schema.schema.key
  }

  private nonisolated var rank: String? { taken.flow.plan.cursor?.rank }

  /// Creates an encoder that adds to each record a fingerprint of its key.
  nonisolated func encoder(of plan: MappingPlan) -> any RecordEncoder {
    RecordOutput(partOf: plan, format: format, key: key, rank: rank)
  }

  func write(_ part: RecordChunk) async throws(ReactorError) {
    pending += index.add(part.bytes)
    if pending.count >= 256 << 10 { try await store() }
  }

  private func store() async throws(ReactorError) {
    let piece = pending
    pending = []
    guard !piece.isEmpty else { return }
    if scratch == nil { scratch = old.spool.scratch() }
    do throws(ReactorError) {
      try await scratch?.append(piece)
    } catch {
      try await old.spool.fail(error)
    }
  }

  func finish(_ pulled: Int, of parents: [ParentRecords]) async throws(ReactorError) -> FinishedResult {
    FinishedResult(count: try await merge(pulled))
  }

  private func merge(_ pulled: Int) async throws(ReactorError) -> Int {
    try await store()
    guard !old.spool.hasFailed else { return pulled }
    let index = index
    self.index = RecordIndex()
    do throws(ReactorError) {
      return try await Self.merge(index, in: scratch, with: old, key, rank, format)
    } catch {
      try await old.spool.fail(error)
      return pulled
    }
  }

  private nonisolated static func merge(
    _ index: RecordIndex, in scratch: ScratchFile?, with old: EarlierResult, _ key: [String], _ rank: String?,
    _ format: RecordFormat
  ) async throws(ReactorError) -> Int {
    let schema = old.schema
    guard let merge = RecordMerge(schema.persistedPlan, format: format, key: key, rank: rank, index: index) else {
      // The loader already refuses a merge without a key in the schema.
      throw .persistence("\(old.spool.path) cannot be merged: its schema has no key", path: old.spool.path.text)
    }
    try await old.read { (batch) throws(ReactorError) in
      merge.pass(batch)
    } pause: { () async throws(ReactorError) in
      try await write(merge.takePieces(), from: scratch, to: old.spool)
    }
    while let pieces = merge.finish() { try await write(pieces, from: scratch, to: old.spool) }
    return merge.count
  }

  /// Writes pieces to the result. Pieces in the scratch file are read about one megabyte at a time.
  private nonisolated static func write(
    _ pieces: [RecordMerge.Piece], from scratch: ScratchFile?, to spool: RecordSpool
  ) async throws(ReactorError) {
    var at = 0
    while at < pieces.count {
      var offsets: [(start: Int64, count: Int)] = []
      var size = 0
      let first = at
      while at < pieces.count, size < 1 << 20 {
        switch pieces[at] {
        case .bytes(let piece): size += piece.count
        case .stored(let start, let count):
          offsets.append((start, count))
          size += count
        }
        at += 1
      }
      let stored = offsets.isEmpty ? [] : try await scratch?.bytes(at: offsets) ?? []
      var bytes: [UInt8] = []
      bytes.reserveCapacity(size)
      var read = 0
      for piece in pieces[first..<at] {
        switch piece {
        case .bytes(let piece): bytes += piece
        case .stored(_, let count):
          bytes += stored[read..<read + count]
          read += count
        }
      }
      try await spool.write(bytes)
    }
  }
}
