internal import JSONSyntax
internal import SourceDiagnostics

extension Parser {
  /// Parses `@name` or `@name "…\(…)…"`.
  mutating func format(_ name: String) throws(ReshapeError) -> Ref {
    guard let format = Format(rawValue: name) else {
      let near = NearMiss.suggestion(for: name, in: Format.allCases.map(\.rawValue))
      throw ReshapeError("unknown format '@\(name)'", at: token.offset, help: near.map { "did you mean '@\($0)'?" })
    }
    try advance()
    if token.kind == .quote { return try string(format: format) }
    return program.add(.native(.format(format), arguments: 0))
  }

  /// Parses a string; the current token is its opening quote.
  ///
  /// The format is applied to the parts in `\(…)`.
  mutating func string(format: Format?) throws(ReshapeError) -> Ref {
    let start = token.offset
    var parts: [Ref] = []
    var piece: [UInt8] = []
    func text() -> JSONValue { .string(String(decoding: piece, as: UTF8.self)) }
    reading: while true {
      guard lexer.position < lexer.bytes.count else {
        throw ReshapeError("the string is not closed", at: start)
      }
      let byte = lexer.bytes[lexer.position]
      lexer.position += 1
      switch byte {
      case UInt8(ascii: "\""):
        break reading
      case UInt8(ascii: "\\"):
        if lexer.position < lexer.bytes.count, lexer.bytes[lexer.position] == UInt8(ascii: "(") {
          lexer.position += 1
          if !piece.isEmpty || parts.isEmpty { parts.append(program.constant(text())) }
          piece.removeAll()
          try advance()
          let inner = try pipe()
          guard isSign(")") else { throw unexpected("')'") }
          // The next token is not read yet, because text of the string follows.
          let shown = program.add(.native(.format(format ?? .text), arguments: 0))
          parts.append(program.add(.pipe(inner, shown)))
        } else {
          try escape(into: &piece)
        }
      default:
        piece.append(byte)
      }
    }
    if !piece.isEmpty || parts.isEmpty { parts.append(program.constant(text())) }
    try advance()
    var result = parts[0]
    for part in parts.dropFirst() { result = program.add(.arithmetic(.add, result, part)) }
    return result
  }

  private mutating func escape(into piece: inout [UInt8]) throws(ReshapeError) {
    let start = lexer.position - 1
    guard lexer.position < lexer.bytes.count else { throw ReshapeError("the string is not closed", at: start) }
    let byte = lexer.bytes[lexer.position]
    lexer.position += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): piece.append(byte)
    case UInt8(ascii: "b"): piece.append(0x08)
    case UInt8(ascii: "f"): piece.append(0x0C)
    case UInt8(ascii: "n"): piece.append(0x0A)
    case UInt8(ascii: "r"): piece.append(0x0D)
    case UInt8(ascii: "t"): piece.append(0x09)
    case UInt8(ascii: "u"):
      var value = try hexadecimal(start)
      if (0xD800...0xDBFF).contains(value) {
        guard lexer.bytes[lexer.position...].starts(with: [UInt8(ascii: "\\"), UInt8(ascii: "u")]) else {
          throw ReshapeError("half of a surrogate pair", at: start)
        }
        lexer.position += 2
        let low = try hexadecimal(start)
        guard (0xDC00...0xDFFF).contains(low) else { throw ReshapeError("half of a surrogate pair", at: start) }
        value = 0x10000 + (value - 0xD800) << 10 + (low - 0xDC00)
      }
      guard let scalar = Unicode.Scalar(value) else { throw ReshapeError("half of a surrogate pair", at: start) }
      piece.append(contentsOf: Array(String(Character(scalar)).utf8))
    default:
      throw ReshapeError("unknown escape sequence", at: start, help: "a backslash itself is written '\\\\'")
    }
  }

  private mutating func hexadecimal(_ start: Int) throws(ReshapeError) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<4 {
      guard lexer.position < lexer.bytes.count,
        let digit = Character(Unicode.Scalar(lexer.bytes[lexer.position])).hexDigitValue
      else { throw ReshapeError("'\\u' needs four hexadecimal digits", at: start) }
      value = value << 4 + UInt32(digit)
      lexer.position += 1
    }
    return value
  }
}
