internal import FlowSpec
internal import JSONSyntax
internal import ReactorCore
internal import Records
internal import Storage

/// Takes the batches of a pull on their way to a staged result, and joins them with what is there when the flow says so.
///
/// One task owns a writer at a time.
final class ResultWriter {
  private enum Work {
    /// The result is the pull.
    case replace(RecordOutput)
    /// The pull is kept aside until all of it is there.
    case join(RecordMerge)
  }

  private let spool: RecordSpool
  private let schema: CompiledSchema
  private let mode: PersistenceMode
  private let work: Work
  private var scratch: ScratchFile?
  private var count = 0

  init(_ spool: RecordSpool, _ schema: CompiledSchema, mode: PersistenceMode) {
    self.spool = spool
    self.schema = schema
    self.mode = mode
    let format = spool.path.format
    let key = mode == .merge ? schema.schema.key : nil
    if mode != .replace, let merge = RecordMerge(schema.plan, format: format, key: key) {
      work = .join(merge)
    } else {
      work = .replace(RecordOutput(schema.plan, format: format))
    }
  }

  /// Takes a batch; does not wait.
  func append(_ batch: RecordBatch) {
    count += batch.count
    switch work {
    case .replace(let out): out.append(batch)
    case .join(let merge): merge.add(batch)
    }
  }

  /// Hands on what there is, when it is enough to be worth it.
  func drain() async throws(ReactorError) {
    switch work {
    case .replace(let out): if let piece = out.takePiece() { try await spool.write(piece) }
    case .join(let merge): if let piece = merge.takeStored() { try await store(piece) }
    }
  }

  /// Writes the rest of the result; gives the number of its records.
  func finish() async throws(ReactorError) -> Int {
    switch work {
    case .replace(let out):
      try await spool.write(out.finish())
      return count
    case .join(let merge):
      if let piece = merge.takeStored(isLast: true) { try await store(piece) }
      guard await !spool.hasFailed else { return count }
      do throws(ReactorError) {
        if let old = try await spool.root.open(spool.path) { try await pass(old, to: merge) }
        while let pieces = merge.finish() { try await write(pieces) }
      } catch {
        try await spool.fail(error)
      }
      return merge.count
    }
  }

  private func store(_ bytes: [UInt8]) async throws(ReactorError) {
    if scratch == nil { scratch = await spool.scratch() }
    do throws(ReactorError) {
      try await scratch?.append(bytes)
    } catch {
      try await spool.fail(error)
      scratch = nil
    }
  }

  /// Reads the older result, which nobody else writes meanwhile: the spool holds its lock.
  private func pass(_ old: StoredFile, to merge: RecordMerge) async throws(ReactorError) {
    do throws(ReactorError) {
      if spool.path.format == .csv { try await checkColumns(of: old) }
      let set = RecordSet(
        schema: schema.schema, count: 0, format: spool.path.format, content: .file(VerifiedRecords(file: old)))
      try await set.read { (batch) throws(ReactorError) in
        merge.pass(batch)
      } pause: { () async throws(ReactorError) in
        try await write(merge.takePieces())
      }
      try await write(merge.takePieces())
    } catch {
      guard error.kind == .parser else { throw error }
      throw .persistence(
        "\(spool.path) cannot be \(mode == .merge ? "merged with" : "appended to"), because it does not fit the schema: "
          + "\(error.description) (mend it or move it away; without it the flow begins anew)", path: spool.path.text)
    }
  }

  /// The first row must name the schema's columns, for the others are read by their places.
  private func checkColumns(of old: StoredFile) async throws(ReactorError) {
    let wanted = RecordOutput(schema.plan, format: .csv).finish()
    let found = try await old.bytes(from: 0, count: wanted.count)
    guard found == wanted else { throw .parser("its columns are not those of '\(schema.schema.name)'") }
  }

  /// Puts pieces into the result, stored ones by the megabyte.
  private func write(_ pieces: [RecordMerge.Piece]) async throws(ReactorError) {
    var bytes: [UInt8] = []
    var at = 0
    while at < pieces.count {
      var places: [(start: Int64, count: Int)] = []
      var size = 0
      let first = at
      while at < pieces.count, size < 1 << 20 || at == first {
        switch pieces[at] {
        case .bytes(let piece): size += piece.count
        case .stored(let start, let count):
          places.append((start, count))
          size += count
        }
        at += 1
      }
      let stored = places.isEmpty ? [] : try await scratch?.bytes(at: places) ?? []
      bytes.removeAll(keepingCapacity: true)
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
