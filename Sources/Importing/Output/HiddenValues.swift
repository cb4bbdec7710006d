/// Secret values, which texts must not contain.
///
/// The search takes time linear in the text, whatever the number of values, as long as values with the same first six
/// bytes have few different lengths: where these bytes occur, each length is one lookup.
struct HiddenValues {
  /// The minimum length of a value in bytes: shorter values would often be found inside of other words.
  private static let shortest = 6

  /// The values with the same first six bytes.
  private struct Group {
    /// The values by their lengths in bytes.
    var values: [Int: Set<String>] = [:]
    /// The lengths, from the longest: if one value is the beginning of another, the longer one is found.
    var lengths: [Int] = []

    mutating func insert(_ value: String) {
      let length = value.utf8.count
      if values[length] == nil {
        lengths.insert(length, at: lengths.firstIndex { $0 < length } ?? lengths.endIndex)
      }
      values[length, default: []].insert(value)
    }

    /// The longest value with which a text begins.
    func first(in text: Substring.UTF8View) -> String? {
      let count = text.count
      for length in lengths where length <= count {
        // A part of a character is not a text, so it cannot be a value.
        guard let part = String(text.prefix(length)) else { continue }
        if values[length]?.contains(part) == true { return part }
      }
      return nil
    }
  }

  /// The values by their first six bytes.
  private var groups: [UInt64: Group] = [:]

  /// Adds a value; a value with fewer than six bytes is ignored.
  mutating func insert(_ value: String) {
    guard value.utf8.count >= Self.shortest else { return }
    let start = value.utf8.prefix(Self.shortest).reduce(0) { $0 << 8 | UInt64($1) }
    groups[start, default: Group()].insert(value)
  }

  /// The first hidden value in a text, with its range; nil if the text contains none.
  func first(in text: Substring) -> (range: Range<String.Index>, value: String)? {
    guard !groups.isEmpty else { return nil }
    let bytes = text.utf8
    var (window, count): (UInt64, Int) = (0, 0)
    for byte in bytes {
      window = (window << 8 | UInt64(byte)) & 0xFFFF_FFFF_FFFF
      count += 1
      guard count >= Self.shortest, let group = groups[window] else { continue }
      let start = bytes.index(bytes.startIndex, offsetBy: count - Self.shortest)
      guard let value = group.first(in: bytes[start...]) else { continue }
      return (start..<bytes.index(start, offsetBy: value.utf8.count), value)
    }
    return nil
  }

  /// The text with `***` instead of each hidden value.
  func masked(_ text: String) -> String {
    var (result, rest) = ("", text[...])
    while let found = first(in: rest) {
      result += rest[..<found.range.lowerBound] + "***"
      rest = rest[found.range.upperBound...]
    }
    return result.isEmpty ? text : result + rest
  }
}
