/// The forms in which a secret may leave a server or a program again.
package enum SecretEncodings {
  /// Bytes that a secret, or a line of it, must have to be looked for: shorter ones are found everywhere.
  package static let shortest = 4

  private static let base64Digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  /// All forms of a secret; of one with several lines also those of each line.
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
      // Whole, so that nothing of its last byte stays behind.
      for text in [padded(value, []), padded(value, [UInt8(ascii: "=")])] {
        all.insert(text)
        all.insert(webAlphabet(text))
        all.insert(percent(text, keeps: unreserved, space: nil, isUpper: true))
        all.insert(percent(text, keeps: unreserved, space: nil, isUpper: false))
      }
      for offset in 0..<3 {
        let text = base64(value, offset: offset)
        all.insert(text)
        all.insert(percent(text, keeps: unreserved, space: nil, isUpper: true))
        all.insert(percent(text, keeps: unreserved, space: nil, isUpper: false))
        all.insert(webAlphabet(text))
      }
      all.insert(hex(value))
      all.insert(upperCased(hex(value)))
      for keeps in [alphanumeric, unreserved, pathCharacters, printable] {
        for isUpper in [true, false] {
          let once = percent(value, keeps: keeps, space: nil, isUpper: isUpper)
          all.insert(once)
          // A URL inside a URL: the target of a login, for one.
          all.insert(percent(once, keeps: unreserved, space: nil, isUpper: isUpper))
        }
      }
      for keeps in [alphanumeric, unreserved] {
        all.insert(percent(value, keeps: keeps, space: UInt8(ascii: "+"), isUpper: true))
        all.insert(percent(value, keeps: keeps, space: UInt8(ascii: "+"), isUpper: false))
      }
      let text = String(decoding: value, as: UTF8.self)
      for escapesSlash in [false, true] {
        all.insert(json(text, escapesSlash: escapesSlash, isASCII: false))
        all.insert(json(text, escapesSlash: escapesSlash, isASCII: true))
      }
      all.insert(xml(text))
    }
    return all
  }

  private static func trimmed(_ value: [UInt8]) -> [UInt8] {
    let blanks: Set<UInt8> = [0x20, 0x09, 0x0A, 0x0D]
    let start = value.firstIndex { !blanks.contains($0) } ?? value.endIndex
    let end = value.lastIndex { !blanks.contains($0) }.map { $0 + 1 } ?? start
    return Array(value[start..<end])
  }

  /// The digits that depend on the secret alone when `offset` other bytes stand before it.
  private static func base64(_ value: [UInt8], offset: Int) -> [UInt8] {
    var digits: [UInt8] = []
    var buffer = 0
    var bits = 0
    for byte in [UInt8](repeating: 0, count: offset) + value {
      buffer = (buffer << 8 | Int(byte)) & 0xFFFF
      bits += 8
      while bits >= 6 {
        bits -= 6
        digits.append(base64Digits[buffer >> bits & 0x3F])
      }
    }
    return Array(digits.dropFirst(offset == 0 ? 0 : offset + 1))
  }

  /// All digits of it alone, and what fills the last four.
  private static func padded(_ value: [UInt8], _ filler: [UInt8]) -> [UInt8] {
    var digits = base64(value + [UInt8](repeating: 0, count: 2), offset: 0)
    let count = (value.count * 8 + 5) / 6
    digits = Array(digits.prefix(count))
    while !filler.isEmpty, digits.count % 4 != 0 { digits += filler }
    return digits
  }

  /// RFC 4648, section 5.
  private static func webAlphabet(_ text: [UInt8]) -> [UInt8] {
    text.map { $0 == UInt8(ascii: "+") ? UInt8(ascii: "-") : $0 == UInt8(ascii: "/") ? UInt8(ascii: "_") : $0 }
  }

  private static func hex(_ value: [UInt8]) -> [UInt8] {
    Array(Hex.text(value).utf8)
  }

  private static func upperCased(_ text: [UInt8]) -> [UInt8] {
    text.map { $0 >= UInt8(ascii: "a") && $0 <= UInt8(ascii: "z") ? $0 - 32 : $0 }
  }

  /// What stays in encoders that trust nothing else.
  private static let alphanumeric = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789".utf8)

  /// RFC 3986, section 2.3.
  private static let unreserved = Set(
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~".utf8)
  /// What may also stand plainly in a path, section 3.3.
  private static let pathCharacters = unreserved.union("!$&'()*+,;=:@/".utf8)

  /// What parsers of URLs leave as it is: they encode blanks and what is beyond ASCII.
  private static let printable = Set(UInt8(0x21)...UInt8(0x7E))

  private static func percent(_ value: [UInt8], keeps: Set<UInt8>, space: UInt8?, isUpper: Bool) -> [UInt8] {
    var text: [UInt8] = []
    for byte in value {
      if keeps.contains(byte) {
        text.append(byte)
      } else if byte == 0x20, let space {
        text.append(space)
      } else {
        text.append(UInt8(ascii: "%"))
        Hex.append(byte, to: &text, isUpper: isUpper)
      }
    }
    return text
  }

  /// Inside a JSON string (RFC 8259, section 7).
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

  private static func xml(_ text: String) -> [UInt8] {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&#39;"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return Array(result.utf8)
  }
}
