/// The characters of header fields, RFC 9110 section 5.
enum HeaderSyntax {
  /// Whether a byte may stand in a field name or a method.
  static func isToken(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5a, 0x61...0x7a: true
    case 0x21, 0x23...0x27, 0x2a, 0x2b, 0x2d, 0x2e, 0x5e, 0x5f, 0x60, 0x7c, 0x7e: true
    default: false
    }
  }

  /// Whether there is a control byte other than the tab. All bytes are looked at, so that several are at once.
  static func hasControlByte(_ bytes: UnsafeRawBufferPointer) -> Bool {
    var found: UInt8 = 0
    for byte in bytes { found |= (byte < 0x20 ? 1 : 0) & (byte == 0x09 ? 0 : 1) | (byte == 0x7f ? 1 : 0) }
    return found != 0
  }

  /// Whether a text may be sent as a field value: no control byte but the tab.
  static func isValue(_ text: String) -> Bool { text.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7f || $0 == 0x09 } }
}
