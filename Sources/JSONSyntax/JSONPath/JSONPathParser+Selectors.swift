extension JSONPathParser {
  /// Parses `"[" S selector *(S "," S selector) S "]"`.
  mutating func bracketed() throws(JSONPathError) -> [JSONPath.Selector] {
    let open = position
    position += 1
    skipSpace()
    if current == UInt8(ascii: "]") {
      throw error("empty brackets; write [*] for all children")
    }
    var selectors: [JSONPath.Selector] = []
    while true {
      selectors.append(try selector())
      skipSpace()
      switch current {
      case UInt8(ascii: ","):
        position += 1
        skipSpace()
        if current == UInt8(ascii: "]") { throw error("a selector must follow ','") }
      case UInt8(ascii: "]"):
        position += 1
        return selectors
      case nil:
        throw error("']' is missing; the bracket was opened at offset \(open)")
      default:
        throw error("',' or ']' was expected, not \(found)")
      }
    }
  }

  private mutating func selector() throws(JSONPathError) -> JSONPath.Selector {
    guard let first = current else { throw error("the query ends inside brackets") }
    switch first {
    case UInt8(ascii: "'"), UInt8(ascii: "\""):
      return .name(try stringLiteral())
    case UInt8(ascii: "*"):
      position += 1
      return .wildcard
    case UInt8(ascii: "?"):
      position += 1
      try descend()
      skipSpace()
      let start = position
      let expression = try logicalExpression()
      depth -= 1
      return .filter(try condition(expression, from: start))
    case UInt8(ascii: "-"), UInt8(ascii: ":"),
      _ where Self.isDigit(first):
      return try indexOrSlice()
    case UInt8(ascii: "("):
      throw error("a name or index cannot be computed; [-1] selects the last element, and [?…] is a filter")
    case UInt8(ascii: "@"), UInt8(ascii: "$"):
      throw error("a query in brackets must be a filter: [?\(found == "'@'" ? "@.name" : "$.name") == 1]")
    case UInt8(ascii: "+"):
      throw error("an index cannot start with '+'")
    case _ where Self.isNameByte(first):
      let start = position
      var end = position
      while end < bytes.count, Self.isNameByte(bytes[end]) || bytes[end] == UInt8(ascii: "-") { end += 1 }
      let name = String(decoding: bytes[start..<end], as: UTF8.self)
      throw error("a name in brackets must be quoted: ['\(name)']")
    default:
      throw error("a quoted name, an index, a slice, '*' or a filter '?' was expected, not \(found)")
    }
  }

  /// Parses an index, or a slice `[start S] ":" S [end S] [":" [S step]]`.
  private mutating func indexOrSlice() throws(JSONPathError) -> JSONPath.Selector {
    let start = try optionalInteger()
    let afterStart = position
    skipSpace()
    guard current == UInt8(ascii: ":") else {
      position = afterStart
      guard let start else { throw error("a number was expected, not \(found)") }
      return .index(start)
    }
    position += 1
    skipSpace()
    var slice = JSONPath.Slice(start: start)
    slice.end = try optionalInteger()
    let afterEnd = position
    skipSpace()
    guard current == UInt8(ascii: ":") else {
      position = afterEnd
      return .slice(slice)
    }
    position += 1
    skipSpace()
    slice.step = try optionalInteger()
    return .slice(slice)
  }

  /// Parses an `int` if a digit or a minus is at the position, else returns nil.
  ///
  /// An `int` has no leading zeros, is not `-0`, and is within ±(2^53 - 1).
  private mutating func optionalInteger() throws(JSONPathError) -> Int? {
    guard let first = current, Self.isDigit(first) || first == UInt8(ascii: "-") else { return nil }
    let start = position
    if first == UInt8(ascii: "-") { position += 1 }
    let digits = position
    while let byte = current, Self.isDigit(byte) { position += 1 }
    guard position > digits else { throw error("digits must follow '-'") }
    if bytes[digits] == UInt8(ascii: "0") {
      if position > digits + 1 { throw error("a number cannot have leading zeros", at: start) }
      if digits > start { throw error("'-0' is not an index; 0 is the first element, -1 the last", at: start) }
    }
    if let next = current, next == UInt8(ascii: ".") || next | 0x20 == UInt8(ascii: "e") {
      throw error("an index must be a whole number, without '.' and exponent", at: start)
    }
    guard let value = Int(String(decoding: bytes[start..<position], as: UTF8.self)),
      value.magnitude <= (1 << 53) - 1
    else { throw error("the number is outside ±9007199254740991", at: start) }
    return value
  }
}
