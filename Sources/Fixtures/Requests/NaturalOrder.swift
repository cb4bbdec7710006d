/// The order in which people expect texts with numbers in them: `page=9` before `page=10`.
enum NaturalOrder {
  static func precedes(_ left: String, _ right: String) -> Bool {
    let (a, b) = (Array(left.utf8), Array(right.utf8))
    var (i, j) = (0, 0)
    while i < a.count, j < b.count {
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
    if a.count - i != b.count - j { return a.count - i < b.count - j }
    // `07` and `7`: some order, always the same.
    return a.lexicographicallyPrecedes(b)
  }

  private static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 < 10 }

  private static func number(_ text: [UInt8], from start: Int) -> ArraySlice<UInt8> {
    text[start...].prefix { isDigit($0) }
  }
}
