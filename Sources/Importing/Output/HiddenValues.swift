/// Values that no text may contain. They are found in time linear in the text, however many there are.
struct HiddenValues {
  /// Shorter values are too common in other words.
  private static let shortest = 6

  /// The values by their first six bytes.
  private var values: [UInt64: [String]] = [:]

  /// Adds a value; one with fewer than six bytes is left out.
  mutating func insert(_ value: String) {
    guard value.utf8.count >= Self.shortest else { return }
    let start = value.utf8.prefix(Self.shortest).reduce(0) { $0 << 8 | UInt64($1) }
    guard values[start]?.contains(value) != true else { return }
    values[start, default: []].append(value)
    // Of values of which one begins the other, the longer one counts.
    values[start]?.sort { $0.utf8.count > $1.utf8.count }
  }

  /// The first value in a text, and where it is.
  func first(in text: String) -> (range: Range<String.Index>, value: String)? {
    guard !values.isEmpty else { return nil }
    let bytes = text.utf8
    var (window, count): (UInt64, Int) = (0, 0)
    for byte in bytes {
      window = (window << 8 | UInt64(byte)) & 0xFFFF_FFFF_FFFF
      count += 1
      guard count >= Self.shortest, let candidates = values[window] else { continue }
      let start = bytes.index(bytes.startIndex, offsetBy: count - Self.shortest)
      for value in candidates where bytes[start...].starts(with: value.utf8) {
        return (start..<bytes.index(start, offsetBy: value.utf8.count), value)
      }
    }
    return nil
  }

  /// The text with three stars for each value.
  func masked(_ text: String) -> String {
    guard let found = first(in: text) else { return text }
    return text[..<found.range.lowerBound] + "***" + masked(String(text[found.range.upperBound...]))
  }
}
