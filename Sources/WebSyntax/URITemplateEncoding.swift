/// The two ways in which RFC 6570 encodes text.
enum URITemplateEncoding {
  /// Everything but letters, digits and `-._~` is escaped.
  static func appendUnreserved(_ bytes: ArraySlice<UInt8>, to result: inout [UInt8]) {
    for byte in bytes {
      if isUnreserved(byte) { result.append(byte) } else { ASCII.appendEscaped(byte, to: &result) }
    }
  }

  /// Reserved characters and escapes pass.
  static func appendReserved(_ bytes: ArraySlice<UInt8>, to result: inout [UInt8]) {
    for index in bytes.indices {
      let byte = bytes[index]
      if isUnreserved(byte) || isReserved(byte) || ASCII.isEscape(at: index, in: bytes) {
        result.append(byte)
      } else {
        ASCII.appendEscaped(byte, to: &result)
      }
    }
  }

  static func isUnreserved(_ byte: UInt8) -> Bool {
    ASCII.isLetter(byte) || ASCII.isDigit(byte) || byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".")
      || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "~")
  }

  static func isReserved(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "!"), UInt8(ascii: "#"), UInt8(ascii: "$"), UInt8(ascii: "&"), UInt8(ascii: "'"),
      UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "*"), UInt8(ascii: "+"), UInt8(ascii: ","),
      UInt8(ascii: "/"), UInt8(ascii: ":"), UInt8(ascii: ";"), UInt8(ascii: "="), UInt8(ascii: "?"),
      UInt8(ascii: "@"), UInt8(ascii: "["), UInt8(ascii: "]"):
      true
    default: false
    }
  }
}
