/// The positions of the records of a pull in a store, by key. It needs 16 bytes for each key, and the memory of the
/// rank.
///
/// Of the records with one key, the one with the greatest rank is used; among equal ranks, the last one.
///
/// The caller passes each part, written by `RecordOutput(partOf:format:key:)`, to `add` in order, and appends the
/// returned bytes to the store.
public struct RecordIndex: Sendable {
  /// The position of a record in the store.
  struct Position {
    var start: Int64
    var length: Int32
    /// The rank of the record, which is compared with the ranks of other records with the same key.
    var rank = RecordRank.absent
    /// Whether the record is already in the result, or a persisted record with its key has a greater rank.
    var isPlaced = false
    /// Whether the record with this key is deleted: it has no bytes.
    var isDeletion: Bool { length == 0 }
  }

  /// For each key, the position of the record that is used.
  private(set) var positions: [RecordFingerprint: Position] = [:]
  private var storedCount: Int64 = 0
  /// The beginning of a record that continues in the next part.
  private var rest: [UInt8] = []

  /// Creates an empty index.
  public init() {}

  /// Adds the records of a part; returns their bytes for the store.
  public mutating func add(_ part: [UInt8]) -> [UInt8] {
    var bodies: [UInt8] = []
    bodies.reserveCapacity(part.count)
    let whole = rest.isEmpty ? part : rest + part
    var end = 0
    whole.withUnsafeBytes { part in
      var at = 0
      while let frame = RecordFrame(part, at: at) {
        at = frame.end
        if let known = positions[frame.print], !frame.rank.replaces(known.rank) { continue }
        positions[frame.print] = Position(
          start: storedCount + Int64(bodies.count), length: Int32(truncatingIfNeeded: frame.body.count),
          rank: frame.rank)
        bodies.append(contentsOf: frame.body)
      }
      end = at
    }
    rest = end < whole.count ? Array(whole[end...]) : []
    storedCount += Int64(bodies.count)
    return bodies
  }
}
