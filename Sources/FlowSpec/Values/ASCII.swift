/// Classes of ASCII bytes.
enum ASCII {
  /// `0` to `9`.
  static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 <= 9 }

  /// `A` to `Z`, `a` to `z`.
  static func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- 0x61 <= 25 }

  /// `0` to `9`, `a` to `f`, `A` to `F`.
  static func isHexDigit(_ byte: UInt8) -> Bool { isDigit(byte) || (byte | 0x20) &- 0x61 <= 5 }

  /// C0 controls and DEL.
  static func isControl(_ byte: UInt8) -> Bool { byte < 0x20 || byte == 0x7F }

  /// Space, tab, line feed and carriage return.
  static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D }

  /// The characters of a token (RFC 9110, section 5.6.2).
  static func isTokenCharacter(_ byte: UInt8) -> Bool {
    isDigit(byte) || isLetter(byte) || "!#$%&'*+-.^_`|~".utf8.contains(byte)
  }

  /// A letter or an underscore.
  static func isNameStart(_ byte: UInt8) -> Bool { isLetter(byte) || byte == UInt8(ascii: "_") }

  /// A letter, a digit or an underscore.
  static func isNameCharacter(_ byte: UInt8) -> Bool { isNameStart(byte) || isDigit(byte) }
}
