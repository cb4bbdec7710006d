internal import ReactorCore
internal import Records
internal import Storage

/// The records of a flow's older result by the parents that they belong to.
///
/// The result is looked at when it is first needed: as long as no parent fails, a run does not read it. It is the one that
/// lies under the spool's lock, so that nobody changes it meanwhile, and it counts only with the identity, the schema and
/// the content that its stamp speaks of.
actor EarlierPartitions {
  /// The records of one parent.
  struct Chunk: Sendable {
    var records: ParentRecords
    /// When they were asked for, in milliseconds since 1970.
    var since: Int64
    /// Where they lie in the file, without the separator before the first one.
    fileprivate var start: Int64
    fileprivate var length: Int64
  }

  private let flow: DeclaredFlow
  private let spool: RecordSpool
  private var isRead = false
  private var file: StoredFile?
  private var chunks: [Chunk] = []
  /// The places of each parent's chunks.
  private var indices: [String: [Int]] = [:]

  init(_ flow: DeclaredFlow, under spool: RecordSpool) {
    self.flow = flow
    self.spool = spool
  }

  /// All chunks in the order of the result; nil where it is not known which records belong to which parent.
  func all() async throws(ReactorError) -> [Chunk]? {
    try await read()
    return file == nil ? nil : chunks
  }

  /// The records of a parent; nil where none are known.
  ///
  /// - Parameter occurrence: of several parents with one identity, how many of them come before
  func chunk(of key: String, _ occurrence: Int) async throws(ReactorError) -> Chunk? {
    try await read()
    guard let indices = indices[key], indices.indices.contains(occurrence) else { return nil }
    return chunks[indices[occurrence]]
  }

  /// The records of parents that are not among some.
  func others(than keys: Set<String>) async throws(ReactorError) -> [Chunk] {
    try await read()
    return chunks.filter { !keys.contains($0.records.key) }
  }

  /// Gives the records of a chunk to a sink.
  ///
  /// - Returns: their bytes, each record with the separator before it
  func pour(_ chunk: Chunk, into sink: any RecordSink) async throws(ReactorError) -> Int {
    guard let file, chunk.records.count > 0 else { return 0 }
    let format = spool.path.format
    let slice = ResultSlice(
      file: file, head: RecordJoint(flow.plan.records.schema.plan, format: format).head, start: chunk.start,
      length: chunk.length,
      tail: format == .json ? [UInt8(ascii: "]")] : [])
    let set = RecordSet(
      schema: flow.plan.records.schema.schema, count: chunk.records.count, format: format, content: .file(slice))
    let copied = try await Self.copy(
      set, RecordOutput(partOf: flow.plan.records.schema.persistedPlan, format: format),
      isHandedOn: flow.streamsRecords, to: sink)
    guard copied.count == chunk.records.count else {
      throw .persistence("\(spool.path) holds other records than it did", path: spool.path.text)
    }
    return copied.bytes
  }

  private nonisolated static func copy(
    _ set: RecordSet, _ out: RecordOutput, isHandedOn: Bool, to sink: any RecordSink
  ) async throws(ReactorError) -> (bytes: Int, count: Int) {
    let lines =
      isHandedOn && set.format != .jsonLines
      ? RecordOutput(partOf: MappingPlan(set.schema.persisted), format: .jsonLines) : nil
    var (bytes, count) = (0, 0)
    try await set.read { (batch) throws(ReactorError) in
      count += batch.count
      out.append(batch)
      lines?.append(batch)
    } pause: { () async throws(ReactorError) in
      guard let piece = out.takePiece() else { return }
      bytes += piece.count
      try await sink.write(RecordChunk(piece, lines: lines?.finish() ?? []))
    }
    let rest = RecordChunk(out.finish(), lines: lines?.finish() ?? [])
    bytes += rest.bytes.count
    if !rest.isEmpty { try await sink.write(rest) }
    return (bytes, count)
  }

  // MARK: - Reading

  private func read() async throws(ReactorError) {
    guard !isRead else { return }
    isRead = true
    let schema = flow.plan.records.schema.fingerprint
    let persisted = await spool.persisted { $0.provenance.schema == schema }
    guard let persisted, let state = try await flow.state(of: persisted.stamp),
      state.source == flow.plan.result.recordsKey,
      !state.records.isEmpty
    else { return }
    let isArray = spool.path.format == .json
    var end = Int64(RecordJoint(flow.plan.records.schema.plan, format: spool.path.format).head.count)
    var isFirst = true
    var found: [Chunk] = []
    for records in state.records {
      let (size, start) = (Int64(records.bytes), end)
      // In an array a comma comes before all records but the first.
      let comma: Int64 = isArray && size > 0 ? 1 : 0
      found.append(
        Chunk(
          records: records, since: records.since ?? persisted.stamp.provenance.writtenAt,
          start: start + (isFirst ? 0 : comma), length: size - comma))
      let (next, isTooFar) = end.addingReportingOverflow(size - (isFirst ? comma : 0))
      guard !isTooFar else { return }
      end = next
      if size > 0 { isFirst = false }
    }
    if isArray { end += isFirst ? 2 : 3 }
    // What does not add up to the file says nothing of it.
    guard end == persisted.file.size else { return }
    file = persisted.file
    chunks = found
    for index in found.indices { indices[found[index].records.key, default: []].append(index) }
  }
}

/// Some records of a result, as a result of their own.
private struct ResultSlice: RecordFile {
  let file: StoredFile
  /// What comes before the first record of a result.
  let head: [UInt8]
  let start: Int64
  let length: Int64
  let tail: [UInt8]

  func body() async throws(ReactorError) -> ResponseBody {
    ResponseBody(StoredBytes(file, from: start, count: length, head: head, tail: tail))
  }
}
