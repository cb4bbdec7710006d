/// Encodes and decodes base64 (RFC 4648, section 4).
package enum Base64 {
  /// The deviations that decoding accepts.
  package struct Leniency: OptionSet, Sendable {
    package let rawValue: Int
    package init(rawValue: Int) { self.rawValue = rawValue }

    /// Accepts `-` and `_` for `+` and `/` (section 5).
    package static let urlSafe = Leniency(rawValue: 1)
    /// Accepts any number of `=` at the end.
    ///
    /// Without this option, the text has either no `=` or the number that its length requires.
    package static let padding = Leniency(rawValue: 2)
    /// Accepts unused bits of the last digit that are not zero.
    package static let spareBits = Leniency(rawValue: 4)
    /// Ignores blanks, tabs and line ends.
    package static let whiteSpace = Leniency(rawValue: 8)
  }

  private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  /// The base64 text of bytes, with padding.
  package static func encode(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      var word: UInt32 = 0
      for byte in group { word = word << 8 | UInt32(byte) }
      word <<= UInt32(8 * (3 - group.count))
      for position in 0..<4 {
        text.append(position <= group.count ? digits[Int(word >> UInt32(18 - 6 * position) & 63)] : UInt8(ascii: "="))
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// The base64 text of bytes in the alphabet of URLs (section 5), without padding.
  package static func encodeURLSafe(_ bytes: [UInt8]) -> String {
    var text = Array(encode(bytes).utf8)
    while text.last == UInt8(ascii: "=") { text.removeLast() }
    for index in text.indices {
      switch text[index] {
      case UInt8(ascii: "+"): text[index] = UInt8(ascii: "-")
      case UInt8(ascii: "/"): text[index] = UInt8(ascii: "_")
      default: continue
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// The bytes that a base64 text encodes; nil when the text is not valid base64.
  package static func decode(_ text: [UInt8], allowing leniency: Leniency = []) -> [UInt8]? {
    let text = leniency.contains(.whiteSpace) ? text.filter { ![0x20, 0x09, 0x0A, 0x0D].contains($0) } : text
    var digits = text[...]
    while digits.last == UInt8(ascii: "=") { digits.removeLast() }
    let padding = text.count - digits.count
    let isPadded = padding == 0 || (padding <= 2 && text.count % 4 == 0)
    guard isPadded || leniency.contains(.padding), digits.count % 4 != 1 else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(digits.count / 4 * 3 + 3)
    var word: UInt32 = 0
    var bits = 0
    for digit in digits {
      guard let value = value(digit, isURLSafe: leniency.contains(.urlSafe)) else { return nil }
      word = (word << 6 | value) & 0xFFFF
      bits += 6
      if bits >= 8 {
        bits -= 8
        bytes.append(UInt8(truncatingIfNeeded: word >> UInt32(bits)))
      }
    }
    return leniency.contains(.spareBits) || word & (1 << UInt32(bits) - 1) == 0 ? bytes : nil
  }

  private static func value(_ digit: UInt8, isURLSafe: Bool) -> UInt32? {
    switch digit {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(digit - UInt8(ascii: "A"))
    case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(digit - UInt8(ascii: "a") + 26)
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(digit - UInt8(ascii: "0") + 52)
    case UInt8(ascii: "+"): 62
    case UInt8(ascii: "/"): 63
    case UInt8(ascii: "-") where isURLSafe: 62
    case UInt8(ascii: "_") where isURLSafe: 63
    default: nil
    }
  }
}
