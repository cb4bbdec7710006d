/// Replaces byte patterns in one pass: at each place the longest pattern that fits, and nothing inside a replacement.
struct ByteReplacer: Sendable {
  /// What may stand beside a match.
  enum Edge: Sendable, Hashable {
    /// Anything.
    case free
    /// Not what would make a longer port of it.
    case port
    /// Not what would make a longer host of it.
    case host
  }

  /// A text to look for.
  struct Pattern: Sendable {
    var bytes: [UInt8]
    var replacement: [UInt8]
    /// Whether ASCII letters match in both cases.
    var isFolded = false
    /// What may not stand in front.
    var before = Edge.free
    /// What may not follow.
    var after = Edge.free
  }

  private var patterns: [[Pattern]?] = Array(repeating: nil, count: 256)
  private(set) var isEmpty = true

  init(_ all: [Pattern]) {
    for var pattern in all.sorted(by: { $0.bytes.count > $1.bytes.count }) {
      guard let first = pattern.bytes.first else { continue }
      isEmpty = false
      if pattern.isFolded { pattern.bytes = pattern.bytes.map(Self.folded) }
      let firsts = pattern.isFolded ? Set([Self.folded(first), Self.raised(first)]) : [first]
      for byte in firsts { patterns[Int(byte)] = (patterns[Int(byte)] ?? []) + [pattern] }
    }
  }

  /// The bytes with every pattern replaced.
  func replace(_ bytes: [UInt8]) -> [UInt8] {
    guard !isEmpty else { return bytes }
    var result: [UInt8] = []
    var kept = 0
    var place = 0
    while place < bytes.count {
      guard let candidates = patterns[Int(bytes[place])],
        let pattern = candidates.first(where: { Self.matches($0, bytes, place) })
      else {
        place += 1
        continue
      }
      result += bytes[kept..<place]
      result += pattern.replacement
      place += pattern.bytes.count
      kept = place
    }
    guard kept > 0 else { return bytes }
    result += bytes[kept...]
    return result
  }

  func replace(_ text: String) -> String { String(decoding: replace(Array(text.utf8)), as: UTF8.self) }

  /// Whether any pattern is in the bytes.
  func finds(in bytes: [UInt8]) -> Bool {
    guard !isEmpty else { return false }
    return bytes.indices.contains { place in
      patterns[Int(bytes[place])]?.contains { Self.matches($0, bytes, place) } ?? false
    }
  }

  private static func matches(_ pattern: Pattern, _ bytes: [UInt8], _ place: Int) -> Bool {
    let end = place + pattern.bytes.count
    guard end <= bytes.count else { return false }
    for offset in pattern.bytes.indices {
      let byte = bytes[place + offset]
      guard pattern.bytes[offset] == (pattern.isFolded ? folded(byte) : byte) else { return false }
    }
    if place > 0, !allows(pattern.before, bytes[place - 1]) { return false }
    return end == bytes.count || allows(pattern.after, bytes[end])
  }

  private static func allows(_ edge: Edge, _ byte: UInt8) -> Bool {
    let isDigit = byte &- 0x30 < 10
    switch edge {
    case .free: return true
    case .port: return !isDigit
    case .host:
      let isLetter = folded(byte) &- 0x61 < 26
      return !isDigit && !isLetter && byte != UInt8(ascii: "-") && byte != UInt8(ascii: ".")
        && byte != UInt8(ascii: ":")
    }
  }

  static func folded(_ byte: UInt8) -> UInt8 { byte &- 0x41 < 26 ? byte | 0x20 : byte }
  private static func raised(_ byte: UInt8) -> UInt8 { byte &- 0x61 < 26 ? byte & ~0x20 : byte }
}
