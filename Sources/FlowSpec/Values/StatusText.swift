/// Reads statuses: `200`, `2xx`, `200-299`.
enum StatusText {
  /// The statuses that a text names, within 100 to 599.
  static func range(_ text: String) -> ClosedRange<Int>? {
    let bytes = Array(text.utf8)
    if bytes.count == 3, (1...5).contains(Int(bytes[0]) - 0x30), bytes[1] | 0x20 == bytes[2] | 0x20,
      bytes[1] | 0x20 == UInt8(ascii: "x")
    {
      let base = (Int(bytes[0]) - 0x30) * 100
      return base...base + 99
    }
    let ends = bytes.split(separator: UInt8(ascii: "-"), maxSplits: 1, omittingEmptySubsequences: false)
    let numbers = ends.compactMap(number)
    guard numbers.count == ends.count, let first = numbers.first, let last = numbers.last, first <= last else {
      return nil
    }
    return first...last
  }

  private static func number(_ bytes: ArraySlice<UInt8>) -> Int? {
    guard bytes.count == 3, bytes.allSatisfy(ASCII.isDigit) else { return nil }
    let number = bytes.reduce(0) { $0 * 10 + Int($1 &- 0x30) }
    return (100...599).contains(number) ? number : nil
  }
}
