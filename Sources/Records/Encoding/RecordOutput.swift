internal import JSONSyntax

/// Writes batches in a format into a buffer; the owner empties the buffer in pieces of about 256 KiB.
///
/// One task owns an output at a time.
public final class RecordOutput {
  private static let pieceBytes = 256 << 10
  private let writer: RecordWriter
  private let out = ByteBuffer(capacity: 4096)
  private let isPart: Bool
  /// Creates fingerprints for a merge; nil when the output is not for a merge.
  private var prints: RecordFingerprints?
  private var key: [String] = []
  private var ranks: RecordRanks?
  private var rank: String?

  /// Creates an output for all records in a format.
  public init(_ plan: MappingPlan, format: RecordFormat) {
    writer = RecordWriter(plan, format: format)
    isPart = false
    writer.begin(out)
  }

  /// Creates an output for some of the records.
  ///
  /// The bytes before the first record and after the last record are not written. `RecordJoint` joins the parts. Each
  /// record of a part has the separator before it.
  public init(partOf plan: MappingPlan, format: RecordFormat) {
    writer = RecordWriter(plan, format: format, follows: true)
    isPart = true
  }

  /// Creates an output for some of the records. Only `RecordMerge` reads the written bytes.
  ///
  /// Without a key this initializer is the same as `init(partOf:format:)`.
  ///
  /// - Parameters:
  ///   - key: names of fields of the schema
  ///   - rank: the field that decides which of two records with one key is newer, by its greater value
  public convenience init(partOf plan: MappingPlan, format: RecordFormat, key: [String]?, rank: String? = nil) {
    self.init(partOf: plan, format: format)
    prints = key.flatMap { RecordFingerprints(plan, key: $0) }
    self.key = key ?? []
    ranks = RecordRanks(plan, field: rank)
    self.rank = rank
  }

  /// Writes all records of a batch. A batch of deleted keys is written only in an output for a merge.
  public func append(_ batch: RecordBatch) {
    if batch.isDeletion { return appendDeletions(batch) }
    guard let prints else { return writer.append(batch, to: out) }
    for row in 0..<batch.count {
      let rank = ranks?.of(batch, row) ?? .absent
      RecordFrame.append(prints.of(batch, row), rank, to: out) { writer.appendBody(batch, row, to: out) }
    }
  }

  private func appendDeletions(_ batch: RecordBatch) {
    // A batch of deleted keys has its own plan, which contains only the key and the rank.
    guard prints != nil, let prints = RecordFingerprints(batch.plan, key: key) else { return }
    let ranks = RecordRanks(batch.plan, field: rank)
    for row in 0..<batch.count {
      RecordFrame.append(prints.of(batch, row), ranks?.of(batch, row) ?? .absent, to: out) {}
    }
  }

  /// Removes and returns the written bytes when they are at least one piece (256 KiB); otherwise nil.
  public func takePiece() -> [UInt8]? {
    guard out.count >= Self.pieceBytes else { return nil }
    return takeAll()
  }

  /// Writes the end of the format and returns the remaining bytes.
  public func finish() -> [UInt8] {
    if !isPart { writer.end(out) }
    return takeAll()
  }

  private func takeAll() -> [UInt8] {
    defer { out.removeAll() }
    return out.copy()
  }
}
