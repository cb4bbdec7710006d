internal import JSONSyntax

/// Splits the text of an expression into tokens.
struct Lexer {
  private let bytes: [UInt8]
  private var position = 0

  init(_ text: String) { bytes = Array(text.utf8) }

  /// All tokens; the last one is the end token.
  mutating func tokens() throws(ExpressionError) -> [Token] {
    var tokens: [Token] = []
    while true {
      while let byte = current, Self.isSpace(byte) { position += 1 }
      let start = position
      guard let byte = current else {
        tokens.append(Token(kind: .end, range: start..<start))
        return tokens
      }
      let kind = try token(byte)
      tokens.append(Token(kind: kind, range: start..<position))
    }
  }

  private var current: UInt8? { position < bytes.count ? bytes[position] : nil }

  private func byte(_ ahead: Int) -> UInt8? { position + ahead < bytes.count ? bytes[position + ahead] : nil }

  static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D }

  static func isDigit(_ byte: UInt8) -> Bool { byte &- 0x30 <= 9 }

  static func isNameStart(_ byte: UInt8) -> Bool { (byte | 0x20) &- 0x61 <= 25 || byte == UInt8(ascii: "_") }

  static func isNameCharacter(_ byte: UInt8) -> Bool { isNameStart(byte) || isDigit(byte) }

  private mutating func token(_ byte: UInt8) throws(ExpressionError) -> Token.Kind {
    if byte == UInt8(ascii: "'") || byte == UInt8(ascii: "\"") { return .string(try quoted(isRaw: false)) }
    if byte | 0x20 == UInt8(ascii: "r"), let quote = self.byte(1), quote == UInt8(ascii: "'") || quote == 0x22 {
      position += 1
      return .string(try quoted(isRaw: true))
    }
    if Self.isNameStart(byte) {
      let start = position
      while let next = current, Self.isNameCharacter(next) { position += 1 }
      return .name(String(decoding: bytes[start..<position], as: UTF8.self))
    }
    if Self.isDigit(byte) { return try number() }
    if let foreign = ForeignSyntax.signs.first(where: { bytes[position...].starts(with: $0.text.utf8) }) {
      throw foreign.error(.unexpectedCharacter, at: position..<position + foreign.text.utf8.count)
    }
    for sign in ["==", "!=", "<=", ">=", "&&", "||"] where bytes[position...].starts(with: sign.utf8) {
      position += 2
      return .sign(sign)
    }
    if "<>+-*/%!?:.,()[]{}".utf8.contains(byte) {
      position += 1
      return .sign(String(UnicodeScalar(byte)))
    }
    throw unexpected(byte)
  }

  private func unexpected(_ byte: UInt8) -> ExpressionError {
    let range = position..<position + 1
    if let foreign = ForeignSyntax.characters[byte] { return foreign.error(.unexpectedCharacter, at: range) }
    switch byte {
    case UInt8(ascii: "|"):
      return ExpressionError(
        .unexpectedCharacter, "'|' is not an operator", at: range,
        help: ForeignSyntax.filterHelp(trimmed(0..<position), trimmed(position + 1..<bytes.count)))
    case UInt8(ascii: ";"):
      return ExpressionError(
        .unexpectedCharacter, "';' is not expected here", at: range, help: "leave it out: an expression is one value")
    case UInt8(ascii: "`"):
      return ExpressionError(
        .unexpectedCharacter, "'`' is not a quote", at: range,
        help: "write text in ' or \", and join values to it with '+'")
    case UInt8(ascii: "#"), UInt8(ascii: "\\"), UInt8(ascii: "@"):
      return ExpressionError(
        .unexpectedCharacter, "'\(UnicodeScalar(byte))' is not expected here", at: range,
        help: "write text in quotes; an expression has no comments and no line continuations")
    case UInt8(ascii: "$"):
      return ExpressionError(
        .unexpectedCharacter, "'$' is not expected here", at: range,
        help: "'$' begins a JSONPath; an expression begins with a name, for example record.status")
    case 0x80...:
      var end = position + 1
      while end < bytes.count, bytes[end] & 0xC0 == 0x80 { end += 1 }
      let text = String(decoding: bytes[position..<end], as: UTF8.self)
      if let scalar = text.unicodeScalars.first, ForeignSyntax.quotes.contains(scalar) {
        return ExpressionError(
          .unexpectedCharacter, "'\(text)' is a typographic quote", at: position..<end, help: "write text in ' or \"")
      }
      return ExpressionError(
        .unexpectedCharacter, "'\(text)' is not expected here", at: position..<end,
        help: "names are ASCII letters, digits and '_'; write text in quotes")
    case 0..<0x20, 0x7F:
      return ExpressionError(.unexpectedCharacter, "a control character is not expected here", at: range)
    default:
      return ExpressionError(
        .unexpectedCharacter, "'\(String(UnicodeScalar(byte)))' is not expected here", at: range,
        help: "write text in quotes")
    }
  }

  private func trimmed(_ range: Range<Int>) -> String {
    var part = bytes[range]
    while let first = part.first, Self.isSpace(first) { part.removeFirst() }
    while let last = part.last, Self.isSpace(last) { part.removeLast() }
    return String(decoding: part, as: UTF8.self)
  }

  // MARK: - Numbers

  private mutating func number() throws(ExpressionError) -> Token.Kind {
    let start = position
    if current == UInt8(ascii: "0"), let mark = byte(1), mark | 0x20 == UInt8(ascii: "x") {
      position += 2
      let digits = position
      while let byte = current, Self.isNameCharacter(byte) { position += 1 }
      let text = String(decoding: bytes[digits..<position], as: UTF8.self)
      guard !text.isEmpty, text.utf8.first != UInt8(ascii: "_"), let value = UInt64(text, radix: 16) else {
        throw badNumber(start)
      }
      return .int(value)
    }
    skipDigits()
    let wholeEnd = position
    var isDouble = false
    if current == UInt8(ascii: "."), let next = byte(1), Self.isDigit(next) {
      isDouble = true
      position += 1
      skipDigits()
    }
    if let mark = current, mark | 0x20 == UInt8(ascii: "e") {
      let signed = byte(1) == UInt8(ascii: "+") || byte(1) == UInt8(ascii: "-")
      if let digit = byte(signed ? 2 : 1), Self.isDigit(digit) {
        isDouble = true
        position += signed ? 2 : 1
        skipDigits()
      }
    }
    if let next = current, Self.isNameCharacter(next) {
      while let byte = current, Self.isNameCharacter(byte) { position += 1 }
      throw badNumber(start)
    }
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    if wholeEnd - start > 1, bytes[start] == UInt8(ascii: "0") {
      let trimmed = text.drop { $0 == "0" }
      throw ExpressionError(
        .badNumber, "'\(text)' has a leading zero", at: start..<position,
        suggestion: isDouble ? nil : (trimmed.isEmpty ? "0" : String(trimmed)),
        help: "remove the zero, or write a text in quotes")
    }
    if isDouble {
      guard let value = Double(text), value.isFinite else {
        throw ExpressionError(.badNumber, "'\(text)' is beyond the range of a double", at: start..<position)
      }
      return .double(text)
    }
    guard let value = UInt64(text) else {
      throw ExpressionError(
        .badNumber, "'\(text)' is beyond 64 bits", at: start..<position,
        help: "write a longer number as a text in quotes")
    }
    return .int(value)
  }

  private mutating func skipDigits() { while let byte = current, Self.isDigit(byte) { position += 1 } }

  private func badNumber(_ start: Int) -> ExpressionError {
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    let isDuration = DurationValue.parse(text) != nil
    return ExpressionError(
      .badNumber, "'\(text)' is not a number", at: start..<position,
      suggestion: isDuration ? "duration('\(text)')" : nil,
      help: isDuration
        ? "a length of time is written duration('\(text)')" : "write durations and other texts in quotes")
  }

  // MARK: - Texts

  private mutating func quoted(isRaw: Bool) throws(ExpressionError) -> String {
    let start = isRaw ? position - 1 : position
    let quote = bytes[position]
    position += 1
    var content: [UInt8] = []
    while let byte = current {
      if byte == quote {
        position += 1
        return String(decoding: content, as: UTF8.self)
      }
      if byte == UInt8(ascii: "\\"), !isRaw {
        try escape(into: &content)
      } else {
        content.append(byte)
        position += 1
      }
    }
    let sign = quote == UInt8(ascii: "'") ? "'" : "\""
    throw ExpressionError(
      .unclosedText, "the text that begins here does not end", at: start..<bytes.count, help: "close it with \(sign)")
  }

  private mutating func escape(into content: inout [UInt8]) throws(ExpressionError) {
    let start = position
    position += 1
    guard let letter = current else { return }
    position += 1
    switch letter {
    case UInt8(ascii: "n"): content.append(0x0A)
    case UInt8(ascii: "r"): content.append(0x0D)
    case UInt8(ascii: "t"): content.append(0x09)
    case UInt8(ascii: "b"): content.append(0x08)
    case UInt8(ascii: "f"): content.append(0x0C)
    case UInt8(ascii: "v"): content.append(0x0B)
    case UInt8(ascii: "a"): content.append(0x07)
    case UInt8(ascii: "\\"), UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "`"), UInt8(ascii: "?"):
      content.append(letter)
    case UInt8(ascii: "x"): try scalar(digits: 2, from: start, into: &content)
    case UInt8(ascii: "u"): try scalar(digits: 4, from: start, into: &content)
    case UInt8(ascii: "U"): try scalar(digits: 8, from: start, into: &content)
    default:
      while let byte = current, byte & 0xC0 == 0x80 { position += 1 }
      throw ExpressionError(
        .badEscape, "'\(String(decoding: bytes[start..<position], as: UTF8.self))' is not an escape",
        at: start..<position,
        help: #"write \\ for a backslash, or r'…' for a text without escapes"#)
    }
  }

  private mutating func scalar(digits: Int, from start: Int, into content: inout [UInt8]) throws(ExpressionError) {
    let end = min(position + digits, bytes.count)
    let text = String(decoding: bytes[position..<end], as: UTF8.self)
    let isHex = text.utf8.allSatisfy { Self.isDigit($0) || ($0 | 0x20) &- 0x61 <= 5 }
    guard text.utf8.count == digits, isHex, let code = UInt32(text, radix: 16), let scalar = Unicode.Scalar(code) else {
      throw ExpressionError(
        .badEscape, "the escape needs \(digits) hexadecimal digits of a Unicode scalar", at: start..<end)
    }
    position = end
    content.append(contentsOf: String(Character(scalar)).utf8)
  }
}
