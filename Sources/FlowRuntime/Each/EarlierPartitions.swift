internal import ReactorCore
internal import Records
internal import Storage

/// The records of a flow's older result, grouped by parent.
///
/// The result is read only when it is first needed: a run in which no parent fails does not read it. The spool's lock
/// protects the result, so no other run changes it meanwhile. It is used only if the identity, the schema and the
/// content match its stamp.
actor EarlierPartitions {
  /// The records of one parent.
  struct Chunk: Sendable {
    var records: ParentRecords
    /// When the records were requested, in milliseconds since 1970.
    var since: Int64
    /// The byte offset of the first record in the file, without the separator before it.
    fileprivate var start: Int64
    fileprivate var length: Int64
  }

  private let flow: DeclaredFlow
  private let spool: RecordSpool
  private var isRead = false
  private var file: StoredFile?
  private var chunks: [Chunk] = []
  /// The indices of each parent's chunks, by the parent's identity.
  private var indices: [String: [Int]] = [:]

  init(_ flow: DeclaredFlow, under spool: RecordSpool) {
    self.flow = flow
    self.spool = spool
  }

  /// All chunks in the order of the result; nil when the parents of the records are not known.
  func all() async throws(ReactorError) -> [Chunk]? {
    try await read()
    return file == nil ? nil : chunks
  }

  /// The records of a parent; nil when no records are known.
  ///
  /// - Parameter occurrence: the zero-based index of the parent among the parents with the same identity
  func chunk(of key: String, _ occurrence: Int) async throws(ReactorError) -> Chunk? {
    try await read()
    guard let indices = indices[key], indices.indices.contains(occurrence) else { return nil }
    return chunks[indices[occurrence]]
  }

  /// The records of all parents except the given ones.
  func others(than keys: Set<String>) async throws(ReactorError) -> [Chunk] {
    try await read()
    return chunks.filter { !keys.contains($0.records.key) }
  }

  /// Writes the records of a chunk to a sink.
  ///
  /// - Returns: the size of the records in bytes, including the separator before each record
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
      throw .persistence("the records in \(spool.path) were changed during the run", path: spool.path.text)
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
    guard let persisted, let state = try await flow.state(of: persisted.stamp.provenance),
      state.source == flow.plan.recordsKey,
      !state.records.isEmpty
    else { return }
    let isArray = spool.path.format == .json
    var end = Int64(RecordJoint(flow.plan.records.schema.plan, format: spool.path.format).head.count)
    var isFirst = true
    var found: [Chunk] = []
    for records in state.records {
      let (size, start) = (Int64(records.bytes), end)
      // In a JSON array, a comma precedes every record except the first.
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
    // If the sizes of the groups do not add up to the content's size, the remembered state does not belong to this
    // file.
    guard let scratch = spool.scratch(), let file = try await persisted.file.seekable(in: scratch, upTo: end),
      end == file.size
    else { return }
    self.file = file
    chunks = found
    for index in found.indices { indices[found[index].records.key, default: []].append(index) }
  }
}

/// Some records of a result, readable as a complete result.
private struct ResultSlice: RecordFile {
  let file: StoredFile
  /// The bytes before the first record of a result.
  let head: [UInt8]
  let start: Int64
  let length: Int64
  let tail: [UInt8]

  func body() async throws(ReactorError) -> ResponseBody {
    ResponseBody(StoredBytes(file, from: start, count: length, head: head, tail: tail))
  }
}
