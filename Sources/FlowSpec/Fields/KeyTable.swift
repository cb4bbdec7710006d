/// The places of a construct's keys, found without hashing a whole text: reading a file asks for a key once for each that
/// it holds and once for each that it may hold.
struct KeyTable: Sendable {
  /// Entries of the table: a power of two well above the keys of any construct, so that few share one.
  private static let width = 64

  private let names: [String]
  /// For each hash the place of the first key that has it, or -1.
  private var first = [Int16](repeating: -1, count: Self.width)
  /// For each key the place of the next one with the same hash, or -1.
  private var next: [Int16]

  /// Takes the keys in the order of their places; of equal ones the first is found.
  init(_ names: [String]) {
    self.names = names
    next = [Int16](repeating: -1, count: names.count)
    for place in names.indices.reversed() {
      let hash = Self.hash(names[place])
      next[place] = first[hash]
      first[hash] = Int16(truncatingIfNeeded: place)
    }
  }

  /// The place of a key.
  subscript(_ name: String) -> Int? {
    var place = Int(first[Self.hash(name)])
    while place >= 0 {
      if names[place] == name { return place }
      place = Int(next[place])
    }
    return nil
  }

  /// Length, first and last byte: they tell nearly all keys apart.
  private static func hash(_ name: String) -> Int {
    var name = name
    return name.withUTF8 { bytes in
      guard let lead = bytes.first, let trail = bytes.last else { return 0 }
      return (bytes.count &* 7 &+ Int(lead) &* 3 &+ Int(trail)) & (width - 1)
    }
  }
}
