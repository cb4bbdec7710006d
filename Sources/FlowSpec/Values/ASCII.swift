/// Checks for classes of ASCII characters.
enum ASCII {
  /// Whether a byte is a digit, `0` to `9`.
  static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 <= 9 }

  /// Whether a byte is a letter, `A` to `Z` or `a` to `z`.
  static func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- 0x61 <= 25 }

  /// Whether a byte is a hexadecimal digit, `0` to `9`, `a` to `f` or `A` to `F`.
  static func isHexDigit(_ byte: UInt8) -> Bool { isDigit(byte) || (byte | 0x20) &- 0x61 <= 5 }

  /// Whether a byte is a C0 control character or DEL.
  static func isControl(_ byte: UInt8) -> Bool { byte < 0x20 || byte == 0x7F }

  /// Whether a byte is a space, a tab, a line feed or a carriage return.
  static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D }

  /// Whether a byte may be part of a token (RFC 9110, section 5.6.2).
  static func isTokenCharacter(_ byte: UInt8) -> Bool {
    isDigit(byte) || isLetter(byte) || "!#$%&'*+-.^_`|~".utf8.contains(byte)
  }

  /// Whether a byte is a letter or an underscore.
  static func isNameStart(_ byte: UInt8) -> Bool { isLetter(byte) || byte == UInt8(ascii: "_") }

  /// Whether a byte is a letter, a digit or an underscore.
  static func isNameCharacter(_ byte: UInt8) -> Bool { isNameStart(byte) || isDigit(byte) }
}
