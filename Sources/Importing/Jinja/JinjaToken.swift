internal import ByteCodings

/// A token of a Jinja expression.
enum JinjaToken: Hashable {
  case name(String)
  case integer(String)
  case number(String)
  case text(String)
  case sign(String)
  case end
}

/// Splits a Jinja expression into tokens.
struct JinjaTokens {
  private static let signs = ["**", "//", "==", "!=", "<=", ">="]
  private static let single = Array("()[]{}.,:|+-~*/%<>=".utf8)

  private let bytes: ArraySlice<UInt8>
  private var offset: Int

  init(_ bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    offset = bytes.startIndex
  }

  /// Returns all tokens, with `end` as the last one.
  static func all(_ bytes: ArraySlice<UInt8>) throws(JinjaError) -> [JinjaToken] {
    var tokens = JinjaTokens(bytes)
    var result: [JinjaToken] = []
    repeat { result.append(try tokens.next()) } while result.last != .end
    return result
  }

  private mutating func next() throws(JinjaError) -> JinjaToken {
    while offset < bytes.endIndex, bytes[offset] <= 0x20 { offset += 1 }
    guard offset < bytes.endIndex else { return .end }
    let byte = bytes[offset]
    if byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"") { return .text(try text(byte)) }
    if ASCII.isDigit(byte) { return number() }
    if Self.isNameByte(byte) {
      return .name(take { Self.isNameByte($0) || ASCII.isDigit($0) })
    }
    if offset + 1 < bytes.endIndex {
      let pair = String(decoding: bytes[offset...offset + 1], as: UTF8.self)
      if Self.signs.contains(pair) {
        offset += 2
        return .sign(pair)
      }
    }
    guard Self.single.contains(byte) else {
      throw JinjaError("unexpected character '\(String(decoding: [byte], as: UTF8.self))'")
    }
    offset += 1
    return .sign(String(decoding: [byte], as: UTF8.self))
  }

  private static func isNameByte(_ byte: UInt8) -> Bool {
    ASCII.isLetter(byte) || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "$") || byte >= 0x80
  }

  private mutating func take(while isTaken: (UInt8) -> Bool) -> String {
    let start = offset
    while offset < bytes.endIndex, isTaken(bytes[offset]) { offset += 1 }
    return String(decoding: bytes[start..<offset], as: UTF8.self)
  }

  private mutating func number() -> JinjaToken {
    let whole = take { ASCII.isDigit($0) || $0 == UInt8(ascii: "_") }.filter { $0 != "_" }
    guard offset + 1 < bytes.endIndex, bytes[offset] == UInt8(ascii: "."), ASCII.isDigit(bytes[offset + 1]) else {
      // Leading zeros have no meaning in an integer.
      let digits = whole.drop { $0 == "0" }
      return .integer(digits.isEmpty ? "0" : String(digits))
    }
    offset += 1
    return .number("\(whole).\(take { ASCII.isDigit($0) })")
  }

  private mutating func text(_ quote: UInt8) throws(JinjaError) -> String {
    offset += 1
    var result: [UInt8] = []
    while offset < bytes.endIndex {
      let byte = bytes[offset]
      offset += 1
      if byte == quote { return String(decoding: result, as: UTF8.self) }
      guard byte == UInt8(ascii: "\\"), offset < bytes.endIndex else {
        result.append(byte)
        continue
      }
      let escaped = bytes[offset]
      offset += 1
      switch escaped {
      case UInt8(ascii: "n"): result.append(0x0A)
      case UInt8(ascii: "t"): result.append(0x09)
      case UInt8(ascii: "r"): result.append(0x0D)
      case UInt8(ascii: "\\"), UInt8(ascii: "'"), UInt8(ascii: "\""): result.append(escaped)
      default: result += [UInt8(ascii: "\\"), escaped]
      }
    }
    throw JinjaError("a text is not closed")
  }
}
