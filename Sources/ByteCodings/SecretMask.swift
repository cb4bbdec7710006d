/// Replaces secrets in a text with `***`, in every usual encoding of their values.
///
/// A secret is found in these encodings: as it is, line by line, base64 (both alphabets, at each of the three
/// offsets), percent-encoded (also every byte), form-encoded, JSON-escaped (also every character as `\uXXXX` or `\xNN`),
/// XML-escaped (also every character as `&#NN;`), and hexadecimal. From `foldedFrom` bytes on, it is found in upper and
/// lower case, and with line breaks within it. Transformations that are not listed here are not found.
///
/// Messages quote text from servers and cut it. So the beginning of a secret is masked too, and so are any `piece`
/// consecutive bytes of it.
///
/// Secrets of fewer than `shortest` bytes are not masked, because they would be found everywhere; `unmasked` names
/// them.
package struct SecretMask: Sendable {
  /// The text that replaces a secret.
  package static let replacement = "***"
  /// The minimum length, in bytes, of text that is searched for.
  ///
  /// The text is a secret, its encoding, or the beginning of either before a cut.
  package static let shortest = SecretEncodings.shortest
  /// The minimum length, in bytes, of secrets that are found in upper and lower case.
  ///
  /// Case is ignored because hosts and schemes are shown in lower case.
  static let foldedFrom = 8
  /// The number of bytes at the beginning of a secret that are masked in any text.
  static let beginning = 12
  /// The number of consecutive bytes of a secret that are masked, from any position in it.
  static let piece = 16

  /// The names of secrets that are too short to be masked, in order.
  package private(set) var unmasked: [String] = []
  /// The patterns by their first byte, in lower case.
  private var patterns: [UInt8: [Pattern]] = [:]
  /// The hashes of all pieces of all patterns. A hash collision masks text that is not a secret, which does no harm.
  private var pieces: Set<UInt64> = []

  /// All patterns, so that no pattern is added twice.
  private var known: Set<Pattern> = []

  private struct Pattern: Hashable {
    /// The bytes to search for, in lower case when `isFolded` is true.
    let bytes: [UInt8]
    let isFolded: Bool
  }

  /// Creates a mask without secrets.
  package init() {}

  /// Creates a mask for secrets by name.
  package init(_ secrets: [String: String]) {
    for (name, value) in secrets.sorted(by: { $0.key < $1.key }) where !value.isEmpty {
      guard value.utf8.count >= Self.shortest else {
        unmasked.append(name)
        continue
      }
      add(value)
    }
  }

  /// Adds a secret; a secret that is too short is ignored.
  package mutating func add(_ secret: String) {
    guard secret.utf8.count >= Self.shortest else { return }
    for bytes in SecretEncodings.all(of: secret) where bytes.count >= Self.shortest {
      guard bytes.count >= Self.foldedFrom else {
        let pattern = Pattern(bytes: bytes, isFolded: false)
        guard known.insert(pattern).inserted else { continue }
        patterns[ASCII.lowercased(bytes[0]), default: []].append(pattern)
        continue
      }
      let lower = bytes.map(ASCII.lowercased)
      guard known.insert(Pattern(bytes: lower, isFolded: true)).inserted else { continue }
      patterns[lower[0], default: []].append(Pattern(bytes: lower, isFolded: true))
      for start in 0..<max(0, lower.count - Self.piece + 1) { pieces.insert(Self.hash(lower, at: start)) }
    }
  }

  /// Adds the secrets of another mask.
  package mutating func formUnion(_ other: SecretMask) {
    guard !known.isEmpty else {
      self = other
      return
    }
    let added = other.known.subtracting(known)
    for pattern in added { patterns[ASCII.lowercased(pattern.bytes[0]), default: []].append(pattern) }
    known.formUnion(added)
    pieces.formUnion(other.pieces)
    unmasked += other.unmasked
  }

  /// The text with all secrets replaced.
  package func mask(_ text: String) -> String {
    guard !patterns.isEmpty else { return text }
    let bytes = Array(text.utf8)
    let lower = bytes.map(ASCII.lowercased)
    var result: [UInt8] = []
    var copied = 0
    var index = 0
    while index < bytes.count {
      let count = secretLength(bytes, lower, at: index)
      guard count > 0 else {
        index += 1
        continue
      }
      result += bytes[copied..<index]
      result += Self.replacement.utf8
      index += count
      copied = index
    }
    guard copied > 0 else { return text }
    result += bytes[copied...]
    return String(decoding: result, as: UTF8.self)
  }

  /// The length of the secret that begins at an index; 0 when none begins there.
  private func secretLength(_ bytes: [UInt8], _ lower: [UInt8], at index: Int) -> Int {
    var longest = 0
    for pattern in patterns[lower[index]] ?? [] {
      let text = pattern.isFolded ? lower : bytes
      var count = 0
      var end = index
      while count < pattern.bytes.count {
        // A line break within a secret does not hide the rest of it.
        let next = count > 0 && pattern.isFolded ? end + WrappedText.breakLength(text, at: end) : end
        guard next < text.count, pattern.bytes[count] == text[next] else { break }
        (count, end) = (count + 1, next + 1)
      }
      guard end - index > longest else { continue }
      let isHidden =
        count == pattern.bytes.count || count >= Self.beginning
        || count >= Self.shortest && Self.isCut(bytes, at: end)
      if isHidden { longest = end - index }
    }
    guard index + Self.piece <= lower.count, pieces.contains(Self.hash(lower, at: index)) else { return longest }
    var end = index + Self.piece
    while end < lower.count, pieces.contains(Self.hash(lower, at: end - Self.piece + 1)) { end += 1 }
    return max(longest, end - index)
  }

  /// Whether a message was shortened at an index.
  ///
  /// There, an ellipsis follows, or a replacement character for an incomplete character and then an ellipsis.
  private static func isCut(_ bytes: [UInt8], at index: Int) -> Bool {
    let rest = bytes[index...]
    let half: [UInt8] = [0xEF, 0xBF, 0xBD]
    return (rest.starts(with: half) ? rest.dropFirst(half.count) : rest).starts(with: [0xE2, 0x80, 0xA6])
  }

  /// The FNV-1a hash of a piece.
  private static func hash(_ bytes: [UInt8], at start: Int) -> UInt64 {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in bytes[start..<start + piece] { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    return hash
  }
}
