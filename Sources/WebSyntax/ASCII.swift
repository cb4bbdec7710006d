/// What the syntax of the web asks about single bytes.
enum ASCII {
  static func isDigit(_ byte: UInt8) -> Bool { byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9") }

  static func isLetter(_ byte: UInt8) -> Bool {
    let lower = byte | 0x20
    return lower >= UInt8(ascii: "a") && lower <= UInt8(ascii: "z")
  }

  static func lowercased(_ byte: UInt8) -> UInt8 {
    byte >= UInt8(ascii: "A") && byte <= UInt8(ascii: "Z") ? byte | 0x20 : byte
  }

  /// The value of a hexadecimal digit.
  static func hexValue(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }

  static func appendEscaped(_ byte: UInt8, to bytes: inout [UInt8]) {
    let digits: StaticString = "0123456789ABCDEF"
    bytes.append(UInt8(ascii: "%"))
    bytes.append(digits.utf8Start[Int(byte >> 4)])
    bytes.append(digits.utf8Start[Int(byte & 15)])
  }

  /// Whether a percent sign and two hexadecimal digits stand at an index.
  static func isEscape(at index: Int, in bytes: ArraySlice<UInt8>) -> Bool {
    index + 2 < bytes.endIndex && bytes[index] == UInt8(ascii: "%") && hexValue(bytes[index + 1]) != nil
      && hexValue(bytes[index + 2]) != nil
  }

  /// Blanks and tabs off both ends.
  static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var rest = bytes
    while let first = rest.first, first == 0x20 || first == 0x09 { rest = rest.dropFirst() }
    while let last = rest.last, last == 0x20 || last == 0x09 { rest = rest.dropLast() }
    return rest
  }
}
