/// Base64 (RFC 4648).
enum Base64 {
  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  static func encode(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count / 3 * 4 + 4)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      var word: UInt32 = 0
      for byte in group { word = word << 8 | UInt32(byte) }
      word <<= UInt32(8 * (3 - group.count))
      for place in 0..<4 {
        text.append(place <= group.count ? alphabet[Int(word >> UInt32(18 - 6 * place) & 63)] : UInt8(ascii: "="))
      }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Nil for what is in neither alphabet, has wrong padding, or bits that no byte takes up.
  static func decode(_ text: [UInt8]) -> [UInt8]? {
    var digits = text[...]
    while digits.last == UInt8(ascii: "=") { digits.removeLast() }
    let padding = text.count - digits.count
    guard padding == 0 || (padding <= 2 && text.count % 4 == 0), digits.count % 4 != 1 else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(digits.count / 4 * 3 + 3)
    var word: UInt32 = 0
    var bits = 0
    for digit in digits {
      guard let value = value(digit) else { return nil }
      word = (word << 6 | value) & 0xFFFF
      bits += 6
      if bits >= 8 {
        bits -= 8
        bytes.append(UInt8(truncatingIfNeeded: word >> UInt32(bits)))
      }
    }
    return word & (1 << UInt32(bits) - 1) == 0 ? bytes : nil
  }

  private static func value(_ digit: UInt8) -> UInt32? {
    switch digit {
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt32(digit - UInt8(ascii: "A"))
    case UInt8(ascii: "a")...UInt8(ascii: "z"): UInt32(digit - UInt8(ascii: "a") + 26)
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt32(digit - UInt8(ascii: "0") + 52)
    case UInt8(ascii: "+"), UInt8(ascii: "-"): 62
    case UInt8(ascii: "/"), UInt8(ascii: "_"): 63
    default: nil
    }
  }
}
