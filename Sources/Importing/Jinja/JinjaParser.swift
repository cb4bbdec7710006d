/// Parses the expression between `{{` and `}}`, by precedence.
struct JinjaParser {
  private static let maximumDepth = 60

  private let tokens: [JinjaToken]
  private var index = 0
  private var depth = 0

  private init(_ tokens: [JinjaToken]) { self.tokens = tokens }

  /// Parses a whole expression.
  static func parse(_ bytes: ArraySlice<UInt8>) throws(JinjaError) -> JinjaExpression {
    var parser = JinjaParser(try JinjaTokens.all(bytes))
    let result = try parser.expression()
    guard parser.token == .end else { throw parser.unexpected() }
    return result
  }

  /// The head of `{% for %}`: the names, the list, and the condition on its elements.
  struct LoopHead {
    let names: [String]
    let list: JinjaExpression
    let condition: JinjaExpression?
  }

  /// Parses the text after the word `for`.
  static func parseLoop(_ bytes: ArraySlice<UInt8>) throws(JinjaError) -> LoopHead {
    var parser = JinjaParser(try JinjaTokens.all(bytes))
    var names: [String] = []
    repeat {
      guard case .name(let name) = parser.token else { throw parser.unexpected() }
      names.append(name)
      parser.advance()
    } while parser.take(sign: ",")
    guard names.count <= 2, parser.take(word: "in") else { throw parser.unexpected() }
    // A condition after the list is the condition on its elements.
    var list = try parser.or()
    var condition: JinjaExpression?
    if parser.take(word: "if") {
      let first = try parser.or()
      if parser.take(word: "else") {
        list = .conditional(first, then: list, otherwise: try parser.expression())
        if parser.take(word: "if") { condition = try parser.or() }
      } else {
        condition = first
      }
    }
    guard parser.token == .end else { throw parser.unexpected() }
    if names.count == 2 {
      guard case .call(.member(let mapping, .text("items")), let arguments) = list, arguments.isEmpty else {
        throw JinjaError("'{% for %}' with two names can be translated only with '.items()'")
      }
      list = mapping
    }
    return LoopHead(names: names, list: list, condition: condition)
  }

  private var token: JinjaToken { tokens[index] }

  private mutating func advance() { if index + 1 < tokens.count { index += 1 } }

  private func unexpected() -> JinjaError {
    switch token {
    case .end: JinjaError("the expression ends too early")
    case .name(let text), .integer(let text), .number(let text), .sign(let text): JinjaError("unexpected '\(text)'")
    case .text(let text): JinjaError("unexpected text '\(text)'")
    }
  }

  private mutating func take(sign: String) -> Bool {
    guard token == .sign(sign) else { return false }
    advance()
    return true
  }

  private mutating func take(word: String) -> Bool {
    guard token == .name(word) else { return false }
    advance()
    return true
  }

  private mutating func expect(_ sign: String) throws(JinjaError) {
    guard take(sign: sign) else { throw unexpected() }
  }

  private mutating func expression() throws(JinjaError) -> JinjaExpression {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.maximumDepth else { throw JinjaError("the expression is nested too deeply") }
    let first = try or()
    guard take(word: "if") else { return first }
    let condition = try or()
    let otherwise = take(word: "else") ? try expression() : nil
    return .conditional(condition, then: first, otherwise: otherwise)
  }

  /// Throws if one chain has too many operators: each operator of a chain nests the expression one level deeper.
  private func check(_ count: Int) throws(JinjaError) {
    guard count <= 100 else { throw JinjaError("the expression is too long") }
  }

  private mutating func or() throws(JinjaError) -> JinjaExpression {
    var (left, count) = (try and(), 0)
    while take(word: "or") {
      count += 1
      try check(count)
      left = .binary(left, .or, try and())
    }
    return left
  }

  private mutating func and() throws(JinjaError) -> JinjaExpression {
    var (left, count) = (try not(), 0)
    while take(word: "and") {
      count += 1
      try check(count)
      left = .binary(left, .and, try not())
    }
    return left
  }

  private mutating func not() throws(JinjaError) -> JinjaExpression {
    var count = 0
    while token == .name("not") {
      advance()
      count += 1
    }
    let value = try comparison()
    return count % 2 == 1 ? .not(value) : count > 0 ? .not(.not(value)) : value
  }

  private mutating func comparison() throws(JinjaError) -> JinjaExpression {
    var (left, count) = (try sum(), 0)
    // Of `a < b < c`, the comparison of `b` with `c` is joined to the one before.
    var last: JinjaExpression?
    while true {
      count += 1
      try check(count)
      if case .sign(let sign) = token, let kind = JinjaExpression.Operator(rawValue: sign),
        ["==", "!=", "<", "<=", ">", ">="].contains(sign)
      {
        advance()
        let right = try sum()
        left = last.map { .binary(left, .and, .binary($0, kind, right)) } ?? .binary(left, kind, right)
        last = right
      } else if take(word: "in") {
        left = .binary(left, .in, try sum())
      } else if token == .name("not"), index + 1 < tokens.count, tokens[index + 1] == .name("in") {
        advance()
        advance()
        left = .binary(left, .notIn, try sum())
      } else {
        return left
      }
    }
  }

  private mutating func chain(
    _ signs: [String], _ next: (inout JinjaParser) throws(JinjaError) -> JinjaExpression
  ) throws(JinjaError) -> JinjaExpression {
    var (left, count) = (try next(&self), 0)
    while case .sign(let sign) = token, signs.contains(sign), let kind = JinjaExpression.Operator(rawValue: sign) {
      count += 1
      try check(count)
      advance()
      left = .binary(left, kind, try next(&self))
    }
    return left
  }

  private mutating func sum() throws(JinjaError) -> JinjaExpression {
    try chain(["+", "-"]) { parser throws(JinjaError) in
      try parser.chain(["~"]) { parser throws(JinjaError) in
        try parser.chain(["*", "/", "//", "%"]) { parser throws(JinjaError) in try parser.unary() }
      }
    }
  }

  private mutating func unary() throws(JinjaError) -> JinjaExpression {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.maximumDepth else { throw JinjaError("the expression is nested too deeply") }
    if take(sign: "-") { return .negative(try unary()) }
    if take(sign: "+") { return try unary() }
    let value = try postfix(try primary())
    return take(sign: "**") ? .binary(value, .power, try unary()) : value
  }

  private mutating func postfix(_ first: JinjaExpression) throws(JinjaError) -> JinjaExpression {
    var (value, count) = (first, 0)
    while true {
      count += 1
      try check(count)
      if take(sign: ".") {
        switch token {
        case .name(let name): value = .member(value, .text(name))
        case .integer(let digits): value = .member(value, .integer(digits))
        default: throw unexpected()
        }
        advance()
      } else if take(sign: "[") {
        value = try subscripted(value)
      } else if take(sign: "(") {
        value = .call(value, try arguments())
      } else if take(sign: "|") {
        guard case .name(let name) = token else { throw unexpected() }
        advance()
        value = .filter(value, name, take(sign: "(") ? try arguments() : [])
      } else if take(word: "is") {
        value = try test(value)
      } else {
        return value
      }
    }
  }

  private mutating func subscripted(_ value: JinjaExpression) throws(JinjaError) -> JinjaExpression {
    var from: JinjaExpression?
    if token != .sign(":") { from = try expression() }
    guard take(sign: ":") else {
      try expect("]")
      return .member(value, from ?? .none)
    }
    let to = token == .sign("]") ? nil : try expression()
    try expect("]")
    return .range(value, from: from, to: to)
  }

  private mutating func arguments() throws(JinjaError) -> [JinjaArgument] {
    var result: [JinjaArgument] = []
    while !take(sign: ")") {
      if !result.isEmpty {
        try expect(",")
        if take(sign: ")") { break }
      }
      var name: String?
      if case .name(let word) = token, index + 1 < tokens.count, tokens[index + 1] == .sign("=") {
        name = word
        advance()
        advance()
      }
      result.append(JinjaArgument(name: name, value: try expression()))
    }
    return result
  }

  private mutating func test(_ value: JinjaExpression) throws(JinjaError) -> JinjaExpression {
    let isNegated = take(word: "not")
    guard case .name(let name) = token else { throw unexpected() }
    advance()
    var operands: [JinjaExpression] = []
    if take(sign: "(") {
      operands = try arguments().map(\.value)
    } else if ["in", "equalto", "eq", "ne", "divisibleby", "sameas", "gt", "lt", "ge", "le"].contains(name) {
      operands = [try postfix(try primary())]
    }
    return .test(value, name, operands, isNegated: isNegated)
  }

  private mutating func primary() throws(JinjaError) -> JinjaExpression {
    let first = token
    switch first {
    case .text(var text):
      advance()
      // Adjacent texts are one.
      while case .text(let more) = token {
        text += more
        advance()
      }
      return .text(text)
    case .integer(let digits):
      advance()
      return .integer(digits)
    case .number(let digits):
      advance()
      return .number(digits)
    case .name(let name):
      advance()
      switch name {
      case "true", "True": return .bool(true)
      case "false", "False": return .bool(false)
      case "none", "None", "null": return .none
      case "if", "else", "and", "or", "in", "is", "not":
        index -= 1
        throw unexpected()
      default: return .name(name)
      }
    case .sign("("):
      advance()
      let items = try items(until: ")")
      return items.list.count == 1 && !items.hasComma ? items.list[0] : .list(items.list)
    case .sign("["):
      advance()
      return .list(try items(until: "]").list)
    case .sign("{"):
      advance()
      var pairs: [JinjaExpression.Pair] = []
      while !take(sign: "}") {
        if !pairs.isEmpty {
          try expect(",")
          if take(sign: "}") { break }
        }
        let name = try expression()
        try expect(":")
        pairs.append(JinjaExpression.Pair(name: name, value: try expression()))
      }
      return .mapping(pairs)
    default: throw unexpected()
    }
  }

  private mutating func items(until close: String) throws(JinjaError) -> (list: [JinjaExpression], hasComma: Bool) {
    var (list, hasComma): ([JinjaExpression], Bool) = ([], false)
    while !take(sign: close) {
      if !list.isEmpty {
        try expect(",")
        hasComma = true
        if take(sign: close) { break }
      }
      list.append(try expression())
    }
    return (list, hasComma)
  }
}
