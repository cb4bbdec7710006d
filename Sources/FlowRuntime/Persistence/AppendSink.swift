internal import ReactorCore
internal import Records

/// Appends the records of a pull to the records of the older result.
actor AppendSink: ResultSink {
  private let old: EarlierResult
  private let format: RecordFormat
  private let sink: SpoolSink
  /// The number of older records; nil before they are copied. The first new record triggers the copy.
  private var copied: Int?

  init(_ old: EarlierResult, format: RecordFormat) {
    self.old = old
    self.format = format
    sink = SpoolSink(old.spool, old.schema.plan, format: format)
  }

  func write(_ part: RecordChunk) async throws(ReactorError) {
    try await copy()
    try await sink.write(part)
  }

  func finish(_ pulled: Int) async throws(ReactorError) -> Int {
    try await copy()
    return try await sink.finish(pulled) + (copied ?? 0)
  }

  private func copy() async throws(ReactorError) {
    guard copied == nil else { return }
    do throws(ReactorError) {
      copied = try await Self.copy(old, format, to: sink)
    } catch {
      try await old.spool.fail(error)
      copied = 0
    }
  }

  private nonisolated static func copy(
    _ old: EarlierResult, _ format: RecordFormat, to sink: SpoolSink
  ) async throws(ReactorError) -> Int {
    let out = RecordOutput(partOf: old.schema.persistedPlan, format: format)
    var count = 0
    try await old.read { (batch) throws(ReactorError) in
      count += batch.count
      out.append(batch)
    } pause: { () async throws(ReactorError) in
      if let piece = out.takePiece() { try await sink.write(RecordChunk(piece)) }
    }
    try await sink.write(RecordChunk(out.finish()))
    return count
  }
}
