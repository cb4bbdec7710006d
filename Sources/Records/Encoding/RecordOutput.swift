internal import JSONSyntax

/// Writes batches in a format into a buffer that its owner empties in pieces of about 256 KiB.
///
/// One task owns an output at a time.
public final class RecordOutput {
  private static let pieceBytes = 256 << 10
  private let writer: RecordWriter
  private let out = ByteBuffer(capacity: 4096)
  private let isPart: Bool
  /// Present when records are written for a merge.
  private var prints: RecordFingerprints?
  private var key: [String] = []

  /// An output in a format.
  public init(_ plan: MappingPlan, format: RecordFormat) {
    writer = RecordWriter(plan, format: format)
    isPart = false
    writer.begin(out)
  }

  /// An output of some of the records, without what the format puts before the first and after the last one.
  ///
  /// Parts are joined by `RecordJoint`; each record of a part comes with the separator before it.
  public init(partOf plan: MappingPlan, format: RecordFormat) {
    writer = RecordWriter(plan, format: format, follows: true)
    isPart = true
  }

  /// An output of some of the records for `RecordMerge`, which alone reads it; without a key as `init(partOf:format:)`.
  ///
  /// - Parameter key: names of fields of the schema.
  public convenience init(partOf plan: MappingPlan, format: RecordFormat, key: [String]?) {
    self.init(partOf: plan, format: format)
    prints = key.flatMap { RecordFingerprints(plan, key: $0) }
    self.key = key ?? []
  }

  /// Writes all records of a batch; of keys of some that are gone only a merge takes notice.
  public func append(_ batch: RecordBatch) {
    if batch.isDeletion { return appendDeletions(batch) }
    guard let prints else { return writer.append(batch, to: out) }
    for row in 0..<batch.count {
      RecordFrame.append(prints.of(batch, row), to: out) { writer.appendBody(batch, row, to: out) }
    }
  }

  private func appendDeletions(_ batch: RecordBatch) {
    // These have a plan of their own, of the key alone.
    guard prints != nil, let prints = RecordFingerprints(batch.plan, key: key) else { return }
    for row in 0..<batch.count { RecordFrame.append(prints.of(batch, row), to: out) {} }
  }

  /// What was written, once it is a piece worth handing on; nil before.
  public func takePiece() -> [UInt8]? {
    guard out.count >= Self.pieceBytes else { return nil }
    return takeAll()
  }

  /// Writes what the format puts after the last record, and gives the rest.
  public func finish() -> [UInt8] {
    if !isPart { writer.end(out) }
    return takeAll()
  }

  private func takeAll() -> [UInt8] {
    defer { out.removeAll() }
    return out.copy()
  }
}
