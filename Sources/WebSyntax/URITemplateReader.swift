internal import ByteCodings

/// Reads the parts of a URI template, RFC 6570 section 2.
struct URITemplateReader {
  private let bytes: ArraySlice<UInt8>
  private var position = 0

  init(_ text: String) { bytes = Array(text.utf8)[...] }

  mutating func read() throws(URITemplateError) -> [URITemplate.Part] {
    var parts: [URITemplate.Part] = []
    while position < bytes.count {
      if bytes[position] == UInt8(ascii: "{") {
        parts.append(.expression(try readExpression()))
      } else {
        parts.append(.literal(try readLiteral()))
      }
    }
    return parts
  }

  private mutating func readLiteral() throws(URITemplateError) -> String {
    var result: [UInt8] = []
    while position < bytes.count, bytes[position] != UInt8(ascii: "{") {
      let byte = bytes[position]
      if byte >= 0x80 {
        PercentCoding.appendEscape(byte, to: &result)
      } else if PercentCoding.isUnreserved(byte) || PercentCoding.isReserved(byte)
        || PercentCoding.escapedByte(at: position, in: bytes) != nil
      {
        result.append(byte)
      } else {
        throw error(byte == UInt8(ascii: "}") ? .strayBrace : .literalCharacter)
      }
      position += 1
    }
    return String(decoding: result, as: UTF8.self)
  }

  private mutating func readExpression() throws(URITemplateError) -> URITemplate.Expression {
    let start = position
    guard bytes[start...].contains(UInt8(ascii: "}")) else { throw error(.unclosedBrace) }
    position += 1
    var expression = URITemplate.Expression(expansionOperator: .simple, variables: [])
    if isReservedOperator(bytes[position]) { throw error(.reservedOperator) }
    if let found = URITemplate.Operator(rawValue: bytes[position]) {
      expression.expansionOperator = found
      position += 1
    }
    while true {
      expression.variables.append(try readVariable())
      // A closing brace was found earlier, so this byte exists.
      let byte = bytes[position]
      position += 1
      if byte == UInt8(ascii: "}") { return expression }
    }
  }

  /// Reads a variable with its modifier, up to the next comma or the closing brace.
  private mutating func readVariable() throws(URITemplateError) -> URITemplate.Variable {
    let start = position
    try readName()
    var variable = URITemplate.Variable(
      name: String(decoding: bytes[start..<position], as: UTF8.self), prefix: nil, explodes: false, offset: start)
    if bytes[position] == UInt8(ascii: "*") {
      variable.explodes = true
      position += 1
    } else if bytes[position] == UInt8(ascii: ":") {
      position += 1
      variable.prefix = try readPrefix()
    }
    guard endsVariable(bytes[position]) else { throw error(.nameCharacter) }
    return variable
  }

  private mutating func readName() throws(URITemplateError) {
    var mayHaveDot = false
    while true {
      let byte = bytes[position]
      if ASCII.isLetter(byte) || ASCII.isDigit(byte) || byte == UInt8(ascii: "_") {
        position += 1
        mayHaveDot = true
      } else if PercentCoding.escapedByte(at: position, in: bytes) != nil {
        position += 3
        mayHaveDot = true
      } else if byte == UInt8(ascii: "."), mayHaveDot {
        position += 1
        mayHaveDot = false
      } else {
        break
      }
    }
    let byte = bytes[position]
    let ends = endsVariable(byte) || byte == UInt8(ascii: "*") || byte == UInt8(ascii: ":")
    guard ends else { throw error(.nameCharacter) }
    guard mayHaveDot else { throw error(.missingName) }
  }

  private mutating func readPrefix() throws(URITemplateError) -> Int {
    let digits = bytes[position...].prefix(while: ASCII.isDigit)
    guard (1...4).contains(digits.count), digits.first != UInt8(ascii: "0"), endsVariable(bytes[digits.endIndex])
    else { throw error(.prefix) }
    position = digits.endIndex
    return digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
  }

  private func endsVariable(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "}") || byte == UInt8(ascii: ",") }

  private func isReservedOperator(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "="), UInt8(ascii: ","), UInt8(ascii: "!"), UInt8(ascii: "@"), UInt8(ascii: "|"): true
    default: false
    }
  }

  private func error(_ reason: URITemplateError.Reason) -> URITemplateError {
    URITemplateError(reason: reason, offset: position)
  }
}
