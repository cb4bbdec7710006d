internal import JSONSyntax

/// Joins the records of a pull with those of an older result by key, in memory that grows with the keys of the new ones alone.
///
/// The new records are in a store and known by their index; every old batch is given to `pass`, in order, and what
/// `takePieces` gives is the joined result; `finish` ends it.
///
/// A new record replaces the old one with its key; new keys come last, in the order of the pull. Of new records
/// with one key the last is taken; where that says that the record is gone, there is none. Old records whose key no new one has stay as they are.
///
/// One task owns a merge at a time.
public final class RecordMerge {
  /// A part of the result.
  public enum Piece: Sendable, Hashable {
    /// These bytes.
    case bytes([UInt8])
    /// Bytes of the store: where they begin and how many they are.
    case stored(Int64, Int)
  }

  private let writer: RecordWriter
  private let prints: RecordFingerprints
  private var positions: [RecordFingerprint: RecordIndex.Position]
  /// New records that replace none, the next one last; set after all old ones have passed.
  private var waiting: [RecordIndex.Position]?
  private let out = ByteBuffer(capacity: 4096)
  private var pieces: [Piece] = []
  private var hasBegun = false
  private var isWhole = false

  /// Records of the result so far.
  public private(set) var count = 0

  /// A merge into a format.
  ///
  /// - Parameters:
  ///   - key: names of fields of the schema; nil is given when one of them is not, and when there are none
  ///   - index: all new records
  public init?(_ plan: MappingPlan, format: RecordFormat, key: [String], index: RecordIndex) {
    guard let prints = RecordFingerprints(plan, key: key) else { return nil }
    self.prints = prints
    positions = index.positions
    writer = RecordWriter(plan, format: format)
  }

  /// Takes the next old records.
  public func pass(_ batch: RecordBatch) {
    begin()
    for row in 0..<batch.count {
      let found = positions.index(forKey: prints.of(batch, row))
      if let found, positions.values[found].isDeletion { continue }
      writer.beginRecord(out)
      count += 1
      if let found {
        // Several old records with one key, which no run writes, are all replaced by the one.
        positions.values[found].isPlaced = true
        put(positions.values[found])
      } else {
        writer.appendBody(batch, row, to: out)
      }
      writer.endRecord(out)
    }
  }

  /// The parts of the result made so far, in order.
  public func takePieces() -> [Piece] {
    flush()
    defer { pieces = [] }
    return pieces
  }

  /// Appends the records that replace none; gives at most a few thousand pieces at a time, and nil when the result
  /// is whole.
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
