extension JSONPathParser {
  /// An expression whose use is not known yet: it may be tested or compared.
  enum Expression {
    case literal(JSONValue)
    case query(JSONPath.FilterQuery)
    /// A call of a function that returns a value, with the function's name.
    case value(JSONPath.Operand, function: String)
    /// A call of a function that returns true or false, with the function's name.
    case test(JSONPath.Condition, function: String)
    /// A comparison, a negation, a group or a combination.
    case condition(JSONPath.Condition)
  }

  /// Parses `logical-and *(S "||" S logical-and)`.
  mutating func logicalExpression() throws(JSONPathError) -> Expression {
    let start = position
    let first = try conjunction()
    var parts: [JSONPath.Condition] = []
    while try operatorFollows(UInt8(ascii: "|"), "||") {
      if parts.isEmpty { parts.append(try condition(first, from: start)) }
      let next = position
      let part = try conjunction()
      parts.append(try condition(part, from: next))
    }
    return parts.isEmpty ? first : .condition(.any(parts))
  }

  /// Parses `basic-expr *(S "&&" S basic-expr)`.
  private mutating func conjunction() throws(JSONPathError) -> Expression {
    let start = position
    let first = try basicExpression()
    var parts: [JSONPath.Condition] = []
    while try operatorFollows(UInt8(ascii: "&"), "&&") {
      if parts.isEmpty { parts.append(try condition(first, from: start)) }
      let next = position
      let part = try basicExpression()
      parts.append(try condition(part, from: next))
    }
    return parts.isEmpty ? first : .condition(.all(parts))
  }

  /// Parses a doubled operator, such as `&&`, and the white space around it; false if another token follows.
  private mutating func operatorFollows(_ byte: UInt8, _ name: String) throws(JSONPathError) -> Bool {
    skipSpace()
    guard current == byte else { return false }
    guard self.byte(after: 1) == byte else { throw error("the second sign of '\(name)' is missing") }
    position += 2
    skipSpace()
    return true
  }

  /// Parses a group, a negation, a comparison or a test.
  private mutating func basicExpression() throws(JSONPathError) -> Expression {
    let start = position
    let expression: Expression
    switch current {
    case UInt8(ascii: "!"):
      position += 1
      skipSpace()
      let inner = position
      switch current {
      case UInt8(ascii: "("):
        expression = .condition(.not(try group()))
      case UInt8(ascii: "!"):
        throw error("'!!' is not known")
      default:
        let operand = try primary()
        expression = .condition(.not(try condition(operand, from: inner)))
      }
      if try comparisonFollows() != nil {
        throw error("'!' before a comparison needs parentheses: !(@.a == 1)", at: start)
      }
    case UInt8(ascii: "("):
      expression = .condition(try group())
      if try comparisonFollows() != nil { throw error("an expression in parentheses cannot be compared", at: start) }
    default:
      let left = try primary()
      guard let comparison = try comparisonFollows() else { return left }
      let leftOperand = try operand(left, from: start)
      skipSpace()
      let rightStart = position
      if current == UInt8(ascii: "(") { throw error("an expression in parentheses cannot be compared") }
      let right = try primary()
      let rightOperand = try operand(right, from: rightStart)
      expression = .condition(.comparison(leftOperand, comparison, rightOperand))
      let end = position
      if try comparisonFollows() != nil {
        position = end
        skipSpace()
        throw error("comparisons cannot be chained; join two comparisons with '&&'")
      }
    }
    return expression
  }

  /// Parses `"(" S logical-expr S ")"`.
  private mutating func group() throws(JSONPathError) -> JSONPath.Condition {
    let open = position
    position += 1
    try descend()
    skipSpace()
    let start = position
    let expression = try logicalExpression()
    let inner = try condition(expression, from: start)
    skipSpace()
    guard current == UInt8(ascii: ")") else {
      throw error("')' was expected, not \(found); the parenthesis was opened at offset \(open)")
    }
    position += 1
    depth -= 1
    return inner
  }

  /// Parses a literal, a query or a function call.
  mutating func primary() throws(JSONPathError) -> Expression {
    guard let first = current else { throw error("the query ends where a filter expression was expected") }
    switch first {
    case UInt8(ascii: "@"), UInt8(ascii: "$"):
      position += 1
      return .query(JSONPath.FilterQuery(startsAtRoot: first == UInt8(ascii: "$"), query: try segments()))
    case UInt8(ascii: "'"), UInt8(ascii: "\""):
      return .literal(.string(try stringLiteral()))
    case UInt8(ascii: "-"),
      _ where Self.isDigit(first):
      return .literal(try numberLiteral())
    case _ where Self.isLetter(first) || first == UInt8(ascii: "_"):
      return try word()
    case UInt8(ascii: "."):
      throw error("in a filter, a path starts with '@' (this node) or '$' (the document), and a number with a digit")
    case UInt8(ascii: "["), UInt8(ascii: "{"):
      throw error("a list or object cannot be written in a filter; compare with a query that selects it")
    case UInt8(ascii: "]"), UInt8(ascii: ")"), UInt8(ascii: ","):
      throw error("an expression is missing before \(found)")
    case UInt8(ascii: "*"):
      throw error("'*' must be after '@.' or in brackets: @.*")
    case UInt8(ascii: "+"):
      throw error("a number cannot start with '+'")
    default:
      throw error("a query, a function, a literal, '!' or '(' was expected, not \(found)")
    }
  }

  /// Parses `true`, `false`, `null` or a function call.
  private mutating func word() throws(JSONPathError) -> Expression {
    let start = position
    while let byte = current, byte < 0x80, Self.isNameByte(byte) { position += 1 }
    let word = String(decoding: bytes[start..<position], as: UTF8.self)
    if current == UInt8(ascii: "(") { return try call(word, at: start) }
    switch word {
    case "true": return .literal(.bool(true))
    case "false": return .literal(.bool(false))
    case "null": return .literal(.null)
    case "True", "TRUE", "False", "FALSE", "Null", "NULL":
      throw error("\(word) must be written \(word.lowercased())", at: start)
    case "None", "nil", "undefined":
      throw error("\(word) must be written null; to test whether a path exists, write only the path: @.name", at: start)
    case "length", "count", "match", "search", "value":
      throw error("'(' must directly follow the function name \(word)")
    default:
      throw error("'\(word)' is not known; names start with '@.' and text is in quotes", at: start)
    }
  }

  /// Parses a comparison operator after white space; nil, without moving the position, if another token follows.
  private mutating func comparisonFollows() throws(JSONPathError) -> JSONComparison? {
    let before = position
    skipSpace()
    let next = byte(after: 1)
    let equals = UInt8(ascii: "=")
    var comparison: JSONComparison?
    switch current {
    case equals:
      if next == UInt8(ascii: "~") { throw error("'=~' is not known; use match(@.name, 'pattern') or search(…)") }
      guard next == equals else { throw error("'=' must be written '=='") }
      if byte(after: 2) == equals { throw error("'===' must be written '=='") }
      comparison = .equal
    case UInt8(ascii: "!"):
      guard next == equals else { throw error("'!=' was expected, not '!'") }
      if byte(after: 2) == equals { throw error("'!==' must be written '!='") }
      comparison = .notEqual
    case UInt8(ascii: "<"):
      if next == UInt8(ascii: ">") { throw error("'<>' must be written '!='") }
      comparison = next == equals ? .lessOrEqual : .less
    case UInt8(ascii: ">"):
      comparison = next == equals ? .greaterOrEqual : .greater
    default:
      try refuseForeignOperator()
    }
    if let comparison { position += comparison.rawValue.utf8.count } else { position = before }
    return comparison
  }

  /// Rejects operators of other languages, such as `and` or `=~`, with a message that names the operator of JSONPath.
  private func refuseForeignOperator() throws(JSONPathError) {
    switch current {
    case UInt8(ascii: "+"), UInt8(ascii: "*"), UInt8(ascii: "/"), UInt8(ascii: "%"), UInt8(ascii: "-"):
      throw error("\(found): JSONPath filters have no arithmetic")
    case UInt8(ascii: "~"):
      throw error("'~' is not known; use match(@.name, 'pattern') or search(…)")
    default:
      let rest = bytes[position...].prefix(4)
      for (word, remedy) in [("and", "'&&'"), ("or", "'||'"), ("in", "as several '==' joined by '||'")]
      where rest.starts(with: Array(word.utf8))
        && !rest.dropFirst(word.utf8.count).prefix(1).contains(where: Self.isNameByte)
      {
        throw error("'\(word)' must be written \(remedy)")
      }
    }
  }
}
