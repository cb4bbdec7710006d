/// Percent-encoding (RFC 3986, section 2.1) in one spelling.
enum PercentText {
  /// The bytes behind the escapes, as text.
  static func decoded(_ text: String) -> String {
    String(decoding: bytes(text), as: UTF8.self)
  }

  static func bytes(_ text: String) -> [UInt8] {
    let source = Array(text.utf8)
    var result: [UInt8] = []
    var place = 0
    while place < source.count {
      if source[place] == UInt8(ascii: "%"), place + 2 < source.count, let high = hex(source[place + 1]),
        let low = hex(source[place + 2])
      {
        result.append(high << 4 | low)
        place += 3
      } else {
        result.append(source[place])
        place += 1
      }
    }
    return result
  }

  /// The same text with escapes in upper case, and none where none is needed (section 6.2.2).
  static func normalized(_ text: Substring) -> String {
    let source = Array(text.utf8)
    guard source.contains(UInt8(ascii: "%")) else { return String(text) }
    var result: [UInt8] = []
    var place = 0
    while place < source.count {
      if source[place] == UInt8(ascii: "%"), place + 2 < source.count, let high = hex(source[place + 1]),
        let low = hex(source[place + 2])
      {
        let byte = high << 4 | low
        if isUnreserved(byte) {
          result.append(byte)
        } else {
          result += [UInt8(ascii: "%"), digit(high), digit(low)]
        }
        place += 3
      } else {
        result.append(source[place])
        place += 1
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  private static func isUnreserved(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
      UInt8(ascii: "~"):
      true
    default: false
    }
  }

  static func hex(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - 48
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - 87
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - 55
    default: nil
    }
  }

  private static func digit(_ value: UInt8) -> UInt8 { value < 10 ? 48 + value : 55 + value }
}
