internal import ByteCodings

/// Replaces byte patterns in one pass.
///
/// At each index the longest matching pattern is used. Replacements are not searched again.
struct ByteReplacer: Sendable {
  /// The bytes that are allowed next to a match.
  enum Edge: Sendable, Hashable {
    /// Any byte.
    case free
    /// Any byte except a digit, which would make the port longer.
    case port
    /// Any byte except a letter, a digit, `-`, `.` or `:`, which would make the host longer.
    case host
  }

  /// A text to replace.
  struct Pattern: Sendable {
    var bytes: [UInt8]
    var replacement: [UInt8]
    /// Whether the case of ASCII letters is ignored, and line breaks within the text.
    var isFolded = false
    /// The bytes that are allowed directly before a match.
    var before = Edge.free
    /// The bytes that are allowed directly after a match.
    var after = Edge.free
  }

  private var patterns: [[Pattern]?] = Array(repeating: nil, count: 256)
  private(set) var isEmpty = true

  init(_ all: [Pattern]) {
    for var pattern in all.sorted(by: { $0.bytes.count > $1.bytes.count }) {
      guard let first = pattern.bytes.first else { continue }
      isEmpty = false
      if pattern.isFolded { pattern.bytes = pattern.bytes.map(ASCII.lowercased) }
      let firsts = pattern.isFolded ? Set([ASCII.lowercased(first), Self.raised(first)]) : [first]
      for byte in firsts { patterns[Int(byte)] = (patterns[Int(byte)] ?? []) + [pattern] }
    }
  }

  /// Returns the bytes with every match replaced.
  func replace(_ bytes: [UInt8]) -> [UInt8] {
    guard !isEmpty else { return bytes }
    var result: [UInt8] = []
    var copied = 0
    var index = 0
    while index < bytes.count {
      guard let (pattern, end) = match(bytes, at: index) else {
        index += 1
        continue
      }
      result += bytes[copied..<index]
      result += pattern.replacement
      index = end
      copied = index
    }
    guard copied > 0 else { return bytes }
    result += bytes[copied...]
    return result
  }

  func replace(_ text: String) -> String { String(decoding: replace(Array(text.utf8)), as: UTF8.self) }

  /// Whether any pattern matches in the bytes.
  func finds(in bytes: [UInt8]) -> Bool {
    guard !isEmpty else { return false }
    return bytes.indices.contains { match(bytes, at: $0) != nil }
  }

  /// The first pattern that matches at an index, with the end of the match; nil if none does.
  private func match(_ bytes: [UInt8], at index: Int) -> (pattern: Pattern, end: Int)? {
    for pattern in patterns[Int(bytes[index])] ?? [] {
      if let end = Self.end(of: pattern, bytes, index) { return (pattern, end) }
    }
    return nil
  }

  /// The end of a match at an index; nil if the pattern does not match there.
  private static func end(of pattern: Pattern, _ bytes: [UInt8], _ index: Int) -> Int? {
    var end = index
    for wanted in pattern.bytes {
      func isNext() -> Bool {
        end < bytes.count && wanted == (pattern.isFolded ? ASCII.lowercased(bytes[end]) : bytes[end])
      }
      if !isNext() {
        guard pattern.isFolded, end > index else { return nil }
        end += WrappedText.breakLength(bytes, at: end)
        guard isNext() else { return nil }
      }
      end += 1
    }
    if index > 0, !allows(pattern.before, bytes[index - 1]) { return nil }
    return end == bytes.count || allows(pattern.after, bytes[end]) ? end : nil
  }

  private static func allows(_ edge: Edge, _ byte: UInt8) -> Bool {
    switch edge {
    case .free: return true
    case .port: return !ASCII.isDigit(byte)
    case .host: return !ASCII.isDigit(byte) && !ASCII.isLetter(byte) && !"-.:".utf8.contains(byte)
    }
  }

  private static func raised(_ byte: UInt8) -> UInt8 { byte &- 0x61 < 26 ? byte & ~0x20 : byte }
}
