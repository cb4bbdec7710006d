internal import ReactorCore
internal import Storage

/// Holds the records of one partition until it is complete and all partitions before it are written.
///
/// A small part is in memory, the rest in a file without a name.
struct PartitionBuffer: RecordSink {
  private let bytes: RecordFeed
  private let lines: RecordFeed

  init(in environment: FlowEnvironment) {
    bytes = environment.newFeed()
    lines = environment.newFeed()
  }

  func write(_ part: RecordChunk) async throws(ReactorError) {
    await bytes.writer.append(part.bytes)
    await lines.writer.append(part.lines)
  }

  /// Writes all records to another sink.
  ///
  /// - Returns: the size of the records in the result's format, in bytes, including the separator before each record.
  @discardableResult func pour(into sink: any RecordSink) async throws(ReactorError) -> Int {
    var count = 0
    bytes.writer.finish()
    lines.writer.finish()
    var reader = bytes.reader(batch: 256 << 10)
    while let piece = try await reader.nextBytes() {
      count += piece.count
      try await sink.write(RecordChunk(piece))
    }
    reader = lines.reader(batch: 256 << 10)
    while let piece = try await reader.nextBytes() { try await sink.write(RecordChunk(lines: piece)) }
    return count
  }
}
