/// The natural order of texts with numbers: `page=9` comes before `page=10`.
enum NaturalOrder {
  /// The UTF-8 bytes of a text, or of a part of it.
  typealias Text = Slice<UnsafeBufferPointer<UInt8>>

  static func precedes(_ left: String, _ right: String) -> Bool {
    var (left, right) = (left, right)
    return left.withUTF8 { left in right.withUTF8 { right in precedes(left[...], right[...]) } }
  }

  static func precedes(_ a: Text, _ b: Text) -> Bool {
    var (i, j) = (a.startIndex, b.startIndex)
    while i < a.endIndex, j < b.endIndex {
      if isDigit(a[i]), isDigit(b[j]) {
        let (first, second) = (number(a, from: i), number(b, from: j))
        let (x, y) = (first.drop { $0 == 0x30 }, second.drop { $0 == 0x30 })
        if x.count != y.count { return x.count < y.count }
        if !x.elementsEqual(y) { return x.lexicographicallyPrecedes(y) }
        i += first.count
        j += second.count
      } else {
        if a[i] != b[j] { return a[i] < b[j] }
        i += 1
        j += 1
      }
    }
    if a.endIndex - i != b.endIndex - j { return a.endIndex - i < b.endIndex - j }
    // Texts such as `07` and `7` need an order that is always the same; which order does not matter.
    return a.lexicographicallyPrecedes(b)
  }

  private static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }

  private static func number(_ text: Text, from start: Int) -> Text { text[start...].prefix { isDigit($0) } }
}
