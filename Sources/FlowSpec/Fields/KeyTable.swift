/// The places of a construct's keys, found without hashing a whole text: reading a file asks for a key once for each that
/// it holds and once for each that it may hold.
struct KeyTable: Sendable {
  /// Entries of the table: a power of two well above the keys of any construct, so that few share one.
  private static let width = 64

  private let names: [String]
  /// The hash of each key, by its place.
  private let hashes: [UInt8]
  /// For each hash the place of the first key that has it, or -1.
  private var first = [Int16](repeating: -1, count: Self.width)
  /// For each key the place of the next one with the same hash, or -1.
  private var next: [Int16]

  /// Takes the keys in the order of their places; of equal ones the first is found.
  init(_ names: [String]) {
    self.names = names
    next = [Int16](repeating: -1, count: names.count)
    hashes = names.map { UInt8(truncatingIfNeeded: Self.hash($0)) }
    for place in names.indices.reversed() {
      let hash = Int(hashes[place])
      next[place] = first[hash]
      first[hash] = Int16(truncatingIfNeeded: place)
    }
  }

  /// The place of a key.
  subscript(_ name: String) -> Int? { self[name, among: Marks(all: ())] }

  /// The place of a key that is among those that were marked; mostly nil at once for any other one.
  subscript(_ name: String, among marks: Marks) -> Int? {
    let hash = Self.hash(name)
    guard marks.bits & 1 &<< UInt64(hash) != 0 else { return nil }
    var place = Int(first[hash])
    while place >= 0 {
      if names[place] == name { return place }
      place = Int(next[place])
    }
    return nil
  }

  /// Adds the key at a place to some keys.
  func mark(_ place: Int, in marks: inout Marks) { marks.bits |= 1 &<< UInt64(hashes[place]) }

  /// Some of a table's keys, by a bit for each hash: a mapping has few of the keys that it may have, and is asked for all.
  struct Marks: Sendable {
    fileprivate var bits: UInt64

    /// None.
    init() { bits = 0 }

    fileprivate init(all: Void) { bits = .max }
  }

  /// Length, first and last byte: they tell nearly all keys apart.
  private static func hash(_ name: String) -> Int {
    name.utf8.withContiguousStorageIfAvailable { hash($0) } ?? hash(Array(name.utf8))
  }

  private static func hash(_ bytes: some RandomAccessCollection<UInt8>) -> Int {
    guard let lead = bytes.first, let trail = bytes.last else { return 0 }
    return (bytes.count &* 7 &+ Int(lead) &* 3 &+ Int(trail)) & (width - 1)
  }
}
