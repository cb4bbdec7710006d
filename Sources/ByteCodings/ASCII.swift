/// Classifies and converts single ASCII bytes.
package enum ASCII {
  /// Whether a byte is `0` to `9`.
  package static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 <= 9 }

  /// Whether a byte is `A` to `Z` or `a` to `z`.
  package static func isLetter(_ byte: UInt8) -> Bool { (byte | 0x20) &- 0x61 <= 25 }

  /// Whether a byte is `tchar` (RFC 9110, section 5.6.2), a character of header names.
  package static func isTokenCharacter(_ byte: UInt8) -> Bool {
    isLetter(byte) || isDigit(byte) || "!#$%&'*+-.^_`|~".utf8.contains(byte)
  }

  /// The byte, with `A` to `Z` converted to `a` to `z`.
  package static func lowercased(_ byte: UInt8) -> UInt8 { byte &- 0x41 <= 25 ? byte | 0x20 : byte }

  /// The bytes without blanks and tabs at both ends.
  package static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var rest = bytes
    while let first = rest.first, first == 0x20 || first == 0x09 { rest = rest.dropFirst() }
    while let last = rest.last, last == 0x20 || last == 0x09 { rest = rest.dropLast() }
    return rest
  }
}
