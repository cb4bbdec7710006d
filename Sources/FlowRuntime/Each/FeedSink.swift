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
  /// An error here does not change the flow's own outcome. Only the child flows get the error.
  ///
  /// - Parameters:
  ///   - name: the name of the file in errors if a person wrote it; nil for a result of this program
  ///   - short: why records are missing, if the flow accepts an incomplete result
  func hand(on set: RecordSet, from name: String? = nil, short: ReactorError? = nil) async {
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
      writer.fail(name.map { error.about(file: $0) } ?? error)
    }
  }
}

extension ReactorError {
  /// The error for content that was read from a file written by a person, and not from a response.
  fileprivate func about(file name: String) -> ReactorError {
    guard kind == .parser else { return self }
    var error = self
    error.message = message.replacing("the response", with: "the file")
    if !error.message.contains(name) { error.message = "\(name): \(error.message)" }
    error.path = name
    error.help = help ?? "correct the file, or the flow's 'each'"
    return error
  }
}
