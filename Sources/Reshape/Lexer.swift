/// Splits a program's UTF-8 bytes into tokens, one after the other.
struct Lexer {
  let bytes: [UInt8]
  var position = 0

  init(_ text: String) { bytes = Array(text.utf8) }

  /// A token and its offset.
  struct Token: Equatable {
    var kind: Kind
    var offset: Int
  }

  enum Kind: Equatable {
    /// A name or keyword; `::` is not part of the subset.
    case word(String)
    /// A field access, `.name`.
    case field(String)
    /// A variable, `$name`.
    case variable(String)
    /// A format, `@name`.
    case format(String)
    case number(String)
    /// The opening quote of a string.
    case quote
    /// Brackets, operators, `.` and `..`.
    case sign(String)
    case end
  }

  private static let signs = [
    "?//", "|=", "+=", "-=", "*=", "/=", "%=", "//=", "==", "!=", "<=", ">=", "//", "..", "|", ",", "(", ")", "[", "]",
    "{", "}", ":", ";", "=", "<", ">", "+", "-", "*", "/", "%", "?", ".",
  ].sorted { $0.utf8.count > $1.utf8.count }.map { (text: $0, bytes: Array($0.utf8)) }

  private func byte(_ offset: Int) -> UInt8 { offset < bytes.count ? bytes[offset] : 0 }

  static func isWordStart(_ byte: UInt8) -> Bool {
    (0x61...0x7A).contains(byte | 0x20) || byte == UInt8(ascii: "_")
  }

  static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 <= 9 }

  mutating func skipSpace() {
    while position < bytes.count {
      switch bytes[position] {
      case 0x20, 0x09, 0x0A, 0x0D:
        position += 1
      case UInt8(ascii: "#"):
        while position < bytes.count, bytes[position] != 0x0A { position += 1 }
      default:
        return
      }
    }
  }

  private mutating func word() -> String {
    let start = position
    while Self.isWordStart(byte(position)) || Self.isDigit(byte(position)) { position += 1 }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  mutating func next() throws(ReshapeError) -> Token {
    skipSpace()
    let start = position
    guard start < bytes.count else { return Token(kind: .end, offset: start) }
    let first = bytes[start]
    func token(_ kind: Kind) -> Token { Token(kind: kind, offset: start) }
    if Self.isWordStart(first) { return token(.word(word())) }
    if Self.isDigit(first) || first == UInt8(ascii: ".") && Self.isDigit(byte(start + 1)) {
      return token(.number(try number()))
    }
    switch first {
    case UInt8(ascii: "\""):
      position += 1
      return token(.quote)
    case UInt8(ascii: ".") where Self.isWordStart(byte(start + 1)):
      position += 1
      return token(.field(word()))
    case UInt8(ascii: "$") where Self.isWordStart(byte(start + 1)):
      position += 1
      return token(.variable(word()))
    case UInt8(ascii: "@") where Self.isWordStart(byte(start + 1)):
      position += 1
      return token(.format(word()))
    default:
      for sign in Self.signs where bytes[start...].starts(with: sign.bytes) {
        position += sign.bytes.count
        return token(.sign(sign.text))
      }
      throw ReshapeError("unexpected character", at: start)
    }
  }

  private func digits(from start: Int) -> String {
    var offset = start
    while Self.isDigit(byte(offset)) { offset += 1 }
    return String(decoding: bytes[start..<offset], as: UTF8.self)
  }

  /// A number in JSON's grammar.
  ///
  /// As in jq, `.5`, `1.` and `007` are also numbers; they are converted to JSON's grammar.
  private mutating func number() throws(ReshapeError) -> String {
    let start = position
    let whole = String(digits(from: position).drop { $0 == "0" })
    position += digits(from: position).utf8.count
    var text = whole.isEmpty ? "0" : whole
    if byte(position) == UInt8(ascii: ".") {
      position += 1
      let fraction = digits(from: position)
      position += fraction.utf8.count
      if !fraction.isEmpty { text += "." + fraction }
    }
    if byte(position) | 0x20 == UInt8(ascii: "e") {
      var offset = position + 1
      var sign = ""
      if byte(offset) == UInt8(ascii: "-") { sign = "-" }
      if byte(offset) == UInt8(ascii: "+") || byte(offset) == UInt8(ascii: "-") { offset += 1 }
      let exponent = digits(from: offset)
      guard !exponent.isEmpty else { throw ReshapeError("the exponent of the number has no digits", at: start) }
      text += "e" + sign + exponent
      position = offset + exponent.utf8.count
    }
    return text
  }
}
