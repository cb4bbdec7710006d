/// The positions of the records of a pull in a store, by key: 16 bytes for each key.
///
/// Every part, written by `RecordOutput(partOf:format:key:)`, is given to `add` in order; what that gives is put at the end of
/// the store.
public struct RecordIndex: Sendable {
  /// Where a record is.
  struct Position {
    var start: Int64
    var length: Int32
    /// Whether a result has it already.
    var isPlaced = false
    /// Whether the record with this key is deleted.
    var isDeletion: Bool { length == 0 }
  }

  /// The last record of each key.
  private(set) var positions: [RecordFingerprint: Position] = [:]
  private var storedCount: Int64 = 0
  /// The beginning of a record whose rest comes with the next part.
  private var rest: [UInt8] = []

  /// An index of nothing.
  public init() {}

  /// Takes records; gives their bytes for the store.
  public mutating func add(_ part: [UInt8]) -> [UInt8] {
    var bodies: [UInt8] = []
    bodies.reserveCapacity(part.count)
    let whole = rest.isEmpty ? part : rest + part
    var end = 0
    whole.withUnsafeBytes { part in
      var at = 0
      while let frame = RecordFrame(part, at: at) {
        positions[frame.print] = Position(
          start: storedCount + Int64(bodies.count), length: Int32(truncatingIfNeeded: frame.body.count))
        bodies.append(contentsOf: frame.body)
        at = frame.end
      }
      end = at
    }
    rest = end < whole.count ? Array(whole[end...]) : []
    storedCount += Int64(bodies.count)
    return bodies
  }
}
