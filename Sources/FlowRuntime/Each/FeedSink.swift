internal import ReactorCore
internal import Records
internal import Storage

/// Passes the records of a flow to its child flows, then to the flow's own result.
struct FeedSink: RecordSink {
  let result: any RecordSink
  let writer: RecordFeed.Writer
  /// Whether child flows get the `lines` of each chunk. False when `bytes` are already JSON Lines.
  let takesLines: Bool

  func write(_ part: RecordChunk) async throws(ReactorError) {
    await writer.append(takesLines ? part.lines : part.bytes)
    try await result.write(part)
  }
}

extension RecordFeed {
  /// Passes persisted records on to the child flows, then ends the feed.
  ///
  /// An error here does not change the flow's own outcome. Only the readers get the error.
  ///
  /// - Parameter short: why records are missing, when the flow accepts that
  func hand(on set: RecordSet, short: ReactorError? = nil) async {
    let out = RecordOutput(partOf: MappingPlan(set.schema.persisted), format: .jsonLines)
    let writer = writer
    do throws(ReactorError) {
      try await set.read { (batch) throws(ReactorError) in
        out.append(batch)
      } pause: { () async throws(ReactorError) in
        if let piece = out.takePiece() { await writer.append(piece) }
      }
      await writer.append(out.finish())
      writer.finish(short: short)
    } catch {
      writer.fail(error)
    }
  }
}
