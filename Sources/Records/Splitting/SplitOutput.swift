internal import JSONSyntax
public import ReactorCore

/// Writes batches as frames of records with the paths of their files, for `SplitFrames`.
///
/// One task owns an output at a time.
public final class SplitOutput: RecordEncoder {
  private static let pieceBytes = 256 << 10
  private let template: SplitTemplate
  private let writer: RecordWriter
  private let out = ByteBuffer(capacity: 4096)

  /// Creates an output of records in a format, JSON Lines or CSV.
  public init(_ plan: MappingPlan, format: RecordFormat, paths template: SplitTemplate) {
    self.template = template
    writer = RecordWriter(plan, format: format, follows: true)
  }

  /// Writes all records of a batch. A batch of deleted keys is not written.
  ///
  /// - Throws: a parser error that names the record and the expression, when a value cannot be a part of a name
  public func append(_ batch: RecordBatch) throws(ReactorError) {
    if batch.isDeletion { return }
    for row in 0..<batch.count {
      SplitFrames.append(try template.path(of: batch, row), to: out) {
        writer.appendBody(batch, row, to: out)
        writer.endRecord(out)
      }
    }
  }

  /// Removes and returns the written bytes when they are at least one piece (256 KiB); otherwise nil.
  public func takePiece() -> [UInt8]? {
    guard out.count >= Self.pieceBytes else { return nil }
    return finish()
  }

  /// The remaining bytes.
  public func finish() -> [UInt8] {
    defer { out.removeAll() }
    return out.copy()
  }
}
