/// Percent-encoding (RFC 3986, section 2.1).
enum PercentText {
  static func encode(_ text: String) -> String {
    var out: [UInt8] = []
    for byte in text.utf8 {
      let isUnreserved =
        (byte | 0x20) &- 0x61 <= 25 || byte &- 0x30 <= 9 || "-._~".utf8.contains(byte)
      if isUnreserved {
        out.append(byte)
      } else {
        out += [UInt8(ascii: "%"), digit(byte >> 4), digit(byte & 15)]
      }
    }
    return String(decoding: out, as: UTF8.self)
  }

  /// Nil when a `%` is not followed by two hexadecimal digits.
  static func decode(_ text: String) -> [UInt8]? {
    let bytes = Array(text.utf8)
    var out: [UInt8] = []
    var place = 0
    while place < bytes.count {
      guard bytes[place] == UInt8(ascii: "%") else {
        out.append(bytes[place])
        place += 1
        continue
      }
      guard place + 2 < bytes.count, let high = value(bytes[place + 1]), let low = value(bytes[place + 2]) else {
        return nil
      }
      out.append(high << 4 | low)
      place += 3
    }
    return out
  }

  private static func digit(_ value: UInt8) -> UInt8 { value < 10 ? 0x30 + value : UInt8(ascii: "A") + value - 10 }

  private static func value(_ digit: UInt8) -> UInt8? {
    switch digit {
    case 0x30...0x39: digit - 0x30
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
