/// Replaces secrets by `***` wherever they appear: by value, in every encoding in which they usually travel.
///
/// A secret is found as it is, line by line, in base64 (both alphabets, at each of the three offsets), percent-encoded,
/// in a form, JSON-escaped, XML-escaped and in hexadecimal. Secrets of fewer than `shortest` bytes are not masked, since
/// they would be found everywhere; `unmasked` names them. Transformations not listed here are not found.
package struct SecretMask: Sendable {
  /// What stands in a secret's place.
  package static let replacement = "***"
  /// Bytes that a secret, or an encoding of it, must have to be looked for.
  package static let shortest = 4

  /// Names of secrets that are too short to be hidden, in order.
  package private(set) var unmasked: [String] = []
  /// Patterns by their first byte, longest first.
  private var patterns: [UInt8: [[UInt8]]] = [:]

  /// Hides nothing.
  package init() {}

  /// Takes secrets by name.
  package init(_ secrets: [String: String]) {
    var all: Set<[UInt8]> = []
    for (name, value) in secrets.sorted(by: { $0.key < $1.key }) where !value.isEmpty {
      guard value.utf8.count >= Self.shortest else {
        unmasked.append(name)
        continue
      }
      all.formUnion(SecretEncodings.all(of: value))
    }
    for pattern in all where pattern.count >= Self.shortest { patterns[pattern[0], default: []].append(pattern) }
    for byte in Array(patterns.keys) { patterns[byte]?.sort { $0.count > $1.count } }
  }

  /// The text with all secrets replaced.
  package func mask(_ text: String) -> String {
    guard !patterns.isEmpty else { return text }
    let bytes = Array(text.utf8)
    var result: [UInt8] = []
    var kept = 0
    var place = 0
    while place < bytes.count {
      guard let found = patterns[bytes[place]]?.first(where: { bytes[place...].starts(with: $0) }) else {
        place += 1
        continue
      }
      result += bytes[kept..<place]
      result += Self.replacement.utf8
      place += found.count
      kept = place
    }
    guard kept > 0 else { return text }
    result += bytes[kept...]
    return String(decoding: result, as: UTF8.self)
  }
}
