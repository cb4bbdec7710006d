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
    /// Whether the case of ASCII letters, and line breaks within the text, are ignored.
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
  func replace(_ bytes: [UInt8]) -> [UInt8] { replace(bytes, from: 0, isEnd: true).result }

  /// Replaces every match from an index on.
  ///
  /// - Parameter isEnd: whether nothing follows the bytes
  /// - Returns: the result, and the index of the first byte that it does not include, because only later bytes decide
  ///   whether a match begins there
  func replace(_ bytes: [UInt8], from start: Int, isEnd: Bool) -> (result: [UInt8], next: Int) {
    guard !isEmpty else { return (start == 0 ? bytes : Array(bytes[start...]), bytes.count) }
    var result: [UInt8] = []
    var copied = start
    var index = start
    while index < bytes.count {
      switch match(bytes, at: index, isEnd: isEnd) {
      case .none: index += 1
      case .open:
        result += bytes[copied..<index]
        return (result, index)
      case .found(let pattern, let end):
        result += bytes[copied..<index]
        result += pattern.replacement
        index = end
        copied = index
      }
    }
    guard copied > 0 else { return (bytes, index) }
    result += bytes[copied...]
    return (result, index)
  }

  func replace(_ text: String) -> String { String(decoding: replace(Array(text.utf8)), as: UTF8.self) }

  /// Whether any pattern matches in the bytes.
  func finds(in bytes: [UInt8]) -> Bool {
    guard !isEmpty else { return false }
    return bytes.indices.contains { if case .found = match(bytes, at: $0, isEnd: true) { true } else { false } }
  }

  private enum Match {
    case none
    /// A match of the pattern, with its end.
    case found(Pattern, end: Int)
    /// Only later bytes decide whether it is a match.
    case open
  }

  /// The first pattern that matches at an index.
  private func match(_ bytes: [UInt8], at index: Int, isEnd: Bool) -> Match {
    for pattern in patterns[Int(bytes[index])] ?? [] {
      let match = Self.match(pattern, bytes, index, isEnd: isEnd)
      if case .none = match { continue }
      return match
    }
    return .none
  }

  private static func match(_ pattern: Pattern, _ bytes: [UInt8], _ index: Int, isEnd: Bool) -> Match {
    if index > 0, !allows(pattern.before, bytes[index - 1]) { return .none }
    var end = index
    for wanted in pattern.bytes {
      func isNext() -> Bool {
        end < bytes.count && wanted == (pattern.isFolded ? ASCII.lowercased(bytes[end]) : bytes[end])
      }
      if !isNext() {
        if end == bytes.count, !isEnd { return .open }
        guard pattern.isFolded, end > index else { return .none }
        end += WrappedText.breakLength(bytes, at: end)
        // The last byte may be the first half of an escaped line break.
        let isCut = end == bytes.count || end == bytes.count - 1 && bytes[end] == UInt8(ascii: "\\")
        if isCut, !isEnd { return .open }
        guard isNext() else { return .none }
      }
      end += 1
    }
    guard end < bytes.count else { return isEnd || pattern.after == .free ? .found(pattern, end: end) : .open }
    return allows(pattern.after, bytes[end]) ? .found(pattern, end: end) : .none
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
