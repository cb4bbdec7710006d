internal import JSONSyntax

/// Merges the records of a pull into an older result by key.
///
/// Memory use grows only with the number of keys of the new records. The new records are in a store, and `index` has
/// their positions. The caller passes every old batch to `pass` in order, reads the merged result with `takePieces`,
/// and calls `finish` at the end.
///
/// A new record replaces the old record with the same key, unless the old one has a greater rank. Records with new keys
/// are last, in the order of the pull. If several new records have one key, the one with the greatest rank is used, and
/// among equal ranks the last one; if it is a deletion, the result has no record with this key. Other old records
/// remain unchanged.
///
/// One task owns a merge at a time.
public final class RecordMerge {
  /// A part of the result.
  public enum Piece: Sendable, Hashable {
    /// Bytes to write into the result.
    case bytes([UInt8])
    /// A range of the store to copy into the result: its start and its length in bytes.
    case stored(Int64, Int)
  }

  private let writer: RecordWriter
  private let prints: RecordFingerprints
  private let ranks: RecordRanks?
  private var positions: [RecordFingerprint: RecordIndex.Position]
  /// New records that replace no old record, in reverse order; set after all old records have passed.
  private var waiting: [RecordIndex.Position]?
  private let out = ByteBuffer(capacity: 4096)
  private var pieces: [Piece] = []
  private var hasBegun = false
  private var isWhole = false

  /// The number of records in the result so far.
  public private(set) var count = 0

  /// Creates a merge that writes a format; nil when the key is empty or one of its fields is not in the schema.
  ///
  /// - Parameters:
  ///   - key: names of fields of the schema
  ///   - rank: the field that decides which record is newer, by its greater value; nil if the later record is always
  ///     newer
  ///   - index: all new records
  public init?(_ plan: MappingPlan, format: RecordFormat, key: [String], rank: String? = nil, index: RecordIndex) {
    guard let prints = RecordFingerprints(plan, key: key) else { return nil }
    self.prints = prints
    ranks = RecordRanks(plan, field: rank)
    positions = index.positions
    writer = RecordWriter(plan, format: format)
  }

  /// Merges the next old records.
  public func pass(_ batch: RecordBatch) {
    begin()
    for row in 0..<batch.count {
      var found = positions.index(forKey: prints.of(batch, row))
      if let newer = found, let ranks, !positions.values[newer].rank.replaces(ranks.of(batch, row)) {
        positions.values[newer].isPlaced = true
        found = nil
      }
      if let found, positions.values[found].isDeletion { continue }
      writer.beginRecord(out)
      count += 1
      if let found {
        // No run writes several old records with one key. If there are any, the new record replaces all of them.
        positions.values[found].isPlaced = true
        put(positions.values[found])
      } else {
        writer.appendBody(batch, row, to: out)
      }
      writer.endRecord(out)
    }
  }

  /// The pieces of the result since the last call, in order.
  public func takePieces() -> [Piece] {
    flush()
    defer { pieces = [] }
    return pieces
  }

  /// Appends the new records that replace no old record.
  ///
  /// A call returns at most a few thousand pieces. It returns nil when the result is complete.
  public func finish() -> [Piece]? {
    guard !isWhole else { return nil }
    begin()
    var waiting = waiting ?? positions.values.filter { !$0.isPlaced && !$0.isDeletion }.sorted { $0.start > $1.start }
    self.waiting = nil
    positions = [:]
    for _ in 0..<2048 {
      guard let position = waiting.popLast() else {
        writer.end(out)
        isWhole = true
        break
      }
      writer.beginRecord(out)
      count += 1
      put(position)
      writer.endRecord(out)
    }
    self.waiting = waiting
    return takePieces()
  }

  private func begin() {
    guard !hasBegun else { return }
    hasBegun = true
    writer.begin(out)
  }

  private func put(_ position: RecordIndex.Position) {
    flush()
    pieces.append(.stored(position.start, Int(position.length)))
  }

  private func flush() {
    guard out.count > 0 else { return }
    pieces.append(.bytes(out.copy()))
    out.removeAll()
  }
}
