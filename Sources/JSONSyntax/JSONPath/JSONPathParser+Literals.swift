internal import ByteCodings

extension JSONPathParser {
  /// Parses a string literal in single or double quotes.
  mutating func stringLiteral() throws(JSONPathError) -> String {
    let open = position
    let quote = bytes[position]
    position += 1
    var content: [UInt8] = []
    while let byte = current {
      if byte == quote {
        position += 1
        return String(decoding: content, as: UTF8.self)
      }
      if byte == UInt8(ascii: "\\") {
        try escape(quote: quote, into: &content)
        continue
      }
      guard byte >= 0x20 else {
        throw error("\(found) in quotes; write it as an escape such as \\n or \\u000a")
      }
      content.append(byte)
      position += 1
    }
    throw error("the closing quote is missing; the text was opened at offset \(open)")
  }

  /// Parses one escape; the position is on its backslash.
  private mutating func escape(quote: UInt8, into content: inout [UInt8]) throws(JSONPathError) {
    let start = position
    guard let code = byte(after: 1) else { throw error("the query ends in the middle of an escape sequence") }
    position += 2
    switch code {
    case UInt8(ascii: "b"): content.append(0x08)
    case UInt8(ascii: "t"): content.append(0x09)
    case UInt8(ascii: "n"): content.append(0x0A)
    case UInt8(ascii: "f"): content.append(0x0C)
    case UInt8(ascii: "r"): content.append(0x0D)
    case UInt8(ascii: "/"), UInt8(ascii: "\\"), quote: content.append(code)
    case UInt8(ascii: "u"):
      let unit = try hexadecimal(of: start)
      switch unit {
      case 0xDC00...0xDFFF:
        throw error("a low surrogate without a high one before it", at: start)
      case 0xD800...0xDBFF:
        guard current == UInt8(ascii: "\\"), byte(after: 1) == UInt8(ascii: "u") else {
          throw error("a high surrogate without a low one after it", at: start)
        }
        position += 2
        let low = try hexadecimal(of: position - 2)
        guard (0xDC00...0xDFFF).contains(low) else {
          throw error("a high surrogate without a low one after it", at: start)
        }
        append(0x10000 + ((unit - 0xD800) << 10) + (low - 0xDC00), to: &content)
      default:
        append(unit, to: &content)
      }
    case UInt8(ascii: "'"), UInt8(ascii: "\""):
      throw error("only the quote that encloses the text can be escaped", at: start)
    default:
      throw error("not an escape; known are \\b \\f \\n \\r \\t \\/ \\\\ \\uXXXX and the quote", at: start)
    }
  }

  private mutating func hexadecimal(of start: Int) throws(JSONPathError) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<4 {
      guard let byte = current, let digit = Hex.value(byte) else {
        throw error("four hexadecimal digits must follow \\u", at: start)
      }
      value = value << 4 | UInt32(digit)
      position += 1
    }
    return value
  }

  private func append(_ value: UInt32, to content: inout [UInt8]) {
    // The callers exclude surrogates, so every value is a scalar.
    guard let scalar = Unicode.Scalar(value) else { return }
    content.append(contentsOf: UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
  }

  /// Parses `(int / "-0") [frac] [exp]`, which is the grammar of JSON numbers. The text of the number is retained, so
  /// it is not rounded.
  mutating func numberLiteral() throws(JSONPathError) -> JSONValue {
    let start = position
    if current == UInt8(ascii: "-") { position += 1 }
    let whole = position
    try digits(after: "'-'")
    if bytes[whole] == UInt8(ascii: "0"), position > whole + 1 {
      throw error("a number cannot have leading zeros", at: start)
    }
    if current == UInt8(ascii: ".") {
      position += 1
      try digits(after: "'.'")
    }
    if let byte = current, byte | 0x20 == UInt8(ascii: "e") {
      position += 1
      if current == UInt8(ascii: "+") || current == UInt8(ascii: "-") { position += 1 }
      try digits(after: "the 'e' of an exponent")
    }
    return .number(JSONNumber(validated: String(decoding: bytes[start..<position], as: UTF8.self)))
  }

  private mutating func digits(after what: String) throws(JSONPathError) {
    let start = position
    while let byte = current, Self.isDigit(byte) { position += 1 }
    guard position > start else { throw error("digits must follow \(what)") }
  }
}
