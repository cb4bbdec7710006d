/// The encodings in which a secret may appear in output.
package enum SecretEncodings {
  /// The minimum number of bytes of a secret, or of a line of it, because shorter text occurs everywhere.
  package static let shortest = 4

  /// All encodings of a secret. For a secret with several lines, the encodings of each line are included.
  package static func all(of secret: String) -> Set<[UInt8]> {
    let whole = Array(secret.utf8)
    var values = [whole]
    let trimmed = trimmed(whole)
    if trimmed.count != whole.count { values.append(trimmed) }
    let lines = whole.split { $0 == 0x0A || $0 == 0x0D }
    if lines.count > 1 { values += lines.map(Array.init) }
    var all: Set<[UInt8]> = []
    for value in values where value.count >= shortest {
      all.insert(value)
      // First the encoding of the whole value, with all bits of the last byte; then the value as a part of a longer
      // text.
      let padded = Array(Base64.encode(value).utf8)
      let texts = [padded, padded.filter { $0 != UInt8(ascii: "=") }] + (0..<3).map { base64(value, offset: $0) }
      for text in texts {
        all.formUnion([text, webAlphabet(text)] + percent(text, keeping: PercentCoding.isUnreserved))
      }
      let hex = Array(Hex.text(value).utf8)
      all.formUnion([hex, hex.map { ASCII.isLetter($0) ? $0 & ~0x20 : $0 }])
      for isKept in [{ _ in false }, isAlphanumeric, PercentCoding.isUnreserved, isPathCharacter, isPrintable] {
        for once in percent(value, keeping: isKept) {
          // This covers a URL inside a URL, for example the target of a login.
          all.formUnion([once] + percent(once, keeping: PercentCoding.isUnreserved))
        }
      }
      for isKept in [isAlphanumeric, PercentCoding.isUnreserved] {
        all.formUnion(percent(value, keeping: isKept, space: UInt8(ascii: "+")))
      }
      let text = String(decoding: value, as: UTF8.self)
      for escapesSlash in [false, true] {
        all.insert(json(text, escapesSlash: escapesSlash, isASCII: false))
        all.insert(json(text, escapesSlash: escapesSlash, isASCII: true))
      }
      all.insert(Array(XMLText.escaped(text).utf8))
      all.formUnion(numbered(text))
    }
    return all
  }

  private static func trimmed(_ value: [UInt8]) -> [UInt8] {
    let blanks: Set<UInt8> = [0x20, 0x09, 0x0A, 0x0D]
    let start = value.firstIndex { !blanks.contains($0) } ?? value.endIndex
    let end = value.lastIndex { !blanks.contains($0) }.map { $0 + 1 } ?? start
    return Array(value[start..<end])
  }

  /// The base64 digits that depend only on the secret, when `offset` other bytes precede the secret.
  private static func base64(_ value: [UInt8], offset: Int) -> [UInt8] {
    let digits = Base64.encode([UInt8](repeating: 0, count: offset) + value).utf8
    return Array(digits.prefix((offset + value.count) * 8 / 6).dropFirst(offset == 0 ? 0 : offset + 1))
  }

  /// Converts base64 to the URL-safe alphabet of RFC 4648, section 5.
  private static func webAlphabet(_ text: [UInt8]) -> [UInt8] {
    text.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: "-") : $0 == UInt8(ascii: "/") ? UInt8(ascii: "_") : $0 }
  }

  /// Whether encoders that preserve only letters and digits leave a byte unescaped.
  private static func isAlphanumeric(_ byte: UInt8) -> Bool { ASCII.isLetter(byte) || ASCII.isDigit(byte) }

  /// Whether a byte needs no escape in a path (RFC 3986, section 3.3).
  private static func isPathCharacter(_ byte: UInt8) -> Bool {
    PercentCoding.isPathCharacter(byte) || byte == UInt8(ascii: "/")
  }

  /// Whether a byte is left unchanged by URL parsers, which only encode blanks and bytes outside ASCII.
  private static func isPrintable(_ byte: UInt8) -> Bool { (0x21...0x7E).contains(byte) }

  /// The percent-encoded value, once with escapes in upper case and once in lower case.
  private static func percent(
    _ value: [UInt8], keeping isKept: (UInt8) -> Bool, space: UInt8? = nil
  ) -> [[UInt8]] {
    [true, false].map { isUpper in
      value.reduce(into: []) { text, byte in
        if isKept(byte) {
          text.append(byte)
        } else if byte == 0x20, let space {
          text.append(space)
        } else {
          text.append(UInt8(ascii: "%"))
          Hex.append(byte, to: &text, isUpper: isUpper)
        }
      }
    }
  }

  /// The text with each character as its number: `\u0041`, `\x41`, `&#65;`, `&#x41;`; hexadecimal digits in upper and in
  /// lower case.
  private static func numbered(_ text: String) -> [[UInt8]] {
    func hex(_ value: UInt32, _ width: Int, _ isUpper: Bool) -> String {
      let digits = String(value, radix: 16, uppercase: isUpper)
      return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
    var forms = [text.unicodeScalars.map { "&#\($0.value);" }.joined()]
    for isUpper in [false, true] {
      forms.append(text.utf16.map { "\\u" + hex(UInt32($0), 4, isUpper) }.joined())
      forms.append(text.utf8.map { "\\x" + hex(UInt32($0), 2, isUpper) }.joined())
      forms.append(text.unicodeScalars.map { "&#x" + hex($0.value, 1, isUpper) + ";" }.joined())
    }
    return forms.map { Array($0.utf8) }
  }

  /// The text as the content of a JSON string (RFC 8259, section 7).
  private static func json(_ text: String, escapesSlash: Bool, isASCII: Bool) -> [UInt8] {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "/" where escapesSlash: result += "\\/"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      case _ where scalar.value < 0x20 || (isASCII && scalar.value > 0x7E):
        for unit in String(scalar).utf16 {
          let digits = String(unit, radix: 16)
          result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
        }
      default: result.unicodeScalars.append(scalar)
      }
    }
    return Array(result.utf8)
  }
}
