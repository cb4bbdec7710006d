internal import JSONSyntax
public import ReactorCore

/// Writes batches in a format and hands the bytes on in pieces of about 256 KiB.
///
/// One task owns an output at a time.
public final class RecordOutput {
  private static let pieceBytes = 256 << 10
  private let writer: RecordWriter
  private let out = ByteBuffer(capacity: 4096)
  private let sink: (UnsafeBufferPointer<UInt8>) throws(ReactorError) -> Void

  /// An output in a format; `sink` gets the bytes in order, valid only during the call.
  public init(
    _ plan: MappingPlan, format: RecordFormat,
    sink: @escaping (UnsafeBufferPointer<UInt8>) throws(ReactorError) -> Void
  ) {
    writer = RecordWriter(plan, format: format)
    self.sink = sink
    writer.begin(out)
  }

  /// Writes all records of a batch.
  public func append(_ batch: RecordBatch) throws(ReactorError) {
    writer.append(batch, to: out)
    if out.count >= Self.pieceBytes { try flush() }
  }

  /// Writes what the format puts after the last record, and hands on the rest.
  public func finish() throws(ReactorError) {
    writer.end(out)
    try flush()
  }

  private func flush() throws(ReactorError) {
    guard out.count > 0 else { return }
    try sink(out.bytes)
    out.removeAll()
  }
}
