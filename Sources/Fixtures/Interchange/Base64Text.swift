/// Base64 (RFC 4648, section 4).
enum Base64Text {
  private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  /// The bytes behind a text; white space is passed over; nil when it is none.
  static func decoded(_ text: String) -> [UInt8]? {
    var result: [UInt8] = []
    var buffer: UInt32 = 0
    var bits = 0
    for byte in text.utf8 {
      if [0x20, 0x09, 0x0A, 0x0D, UInt8(ascii: "=")].contains(byte) { continue }
      guard let value = digits.firstIndex(of: byte) else { return nil }
      buffer = (buffer << 6 | UInt32(value)) & 0xFFFF
      bits += 6
      if bits >= 8 {
        bits -= 8
        result.append(UInt8(truncatingIfNeeded: buffer >> UInt32(bits)))
      }
    }
    return result
  }

  /// The text of bytes, with what fills it up.
  static func encoded(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let piece = bytes[start..<min(start + 3, bytes.count)]
      let value = piece.reduce(UInt32(0)) { $0 << 8 | UInt32($1) } << UInt32(8 * (3 - piece.count))
      for place in 0..<4 {
        text.append(place <= piece.count ? digits[Int(value >> UInt32(18 - 6 * place) & 63)] : UInt8(ascii: "="))
      }
    }
    return String(decoding: text, as: UTF8.self)
  }
}
