internal import ReactorCore
internal import Records
internal import Storage

/// Hands the records of a flow on to those that take them, on their way to the flow's own result.
struct FeedSink: RecordSink {
  let result: any RecordSink
  let writer: RecordFeed.Writer
  /// Whether a part's lines are handed on, because its own bytes are something else.
  let takesLines: Bool

  func write(_ part: RecordChunk) async throws(ReactorError) {
    await writer.append(takesLines ? part.lines : part.bytes)
    try await result.write(part)
  }
}

extension RecordFeed {
  /// Hands on records that are persisted already, then ends well or ill.
  ///
  /// A flow's own outcome does not depend on this: what goes wrong here is reported to the readers alone.
  ///
  /// - Parameter short: why the records are less than there should be, when that is accepted
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
