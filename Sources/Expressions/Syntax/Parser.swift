/// Parses expressions; see ``ExpressionReference/grammar``.
///
/// ``maximumDepth`` bounds the recursion. It also bounds the height of the tree, because later steps visit the tree
/// recursively.
struct Parser {
  /// The maximum length of an expression in UTF-8 bytes.
  static let maximumLength = 4096
  /// The maximum nesting depth; each operator of a chain also counts as a level.
  static let maximumDepth = 64

  let tokens: [Token]
  private(set) var position = 0
  private var depth = 0

  init(_ text: String) throws(ExpressionError) {
    guard text.utf8.count <= Self.maximumLength else {
      throw ExpressionError(
        .tooLong, "the expression is longer than \(Self.maximumLength) bytes",
        at: Self.maximumLength..<text.utf8.count)
    }
    var lexer = Lexer(text)
    tokens = try lexer.tokens()
  }

  mutating func parse() throws(ExpressionError) -> SyntaxNode {
    if current.kind == .end {
      throw ExpressionError(.empty, "the expression is empty", at: 0..<current.range.upperBound)
    }
    let node = try expression().node
    guard current.kind == .end else { throw unexpected("the end or an operator") }
    return node
  }

  /// A node with its height.
  private struct Sized {
    var node: SyntaxNode
    var height = 1
  }

  var current: Token { tokens[position] }

  private mutating func advance() { if position < tokens.count - 1 { position += 1 } }

  private mutating func skip(_ sign: String) -> Range<Int>? {
    guard current.kind == .sign(sign) else { return nil }
    defer { advance() }
    return current.range
  }

  private func sized(_ node: SyntaxNode, over parts: Int...) throws(ExpressionError) -> Sized {
    try sized(node, over: parts)
  }

  private func sized(_ node: SyntaxNode, over parts: [Int]) throws(ExpressionError) -> Sized {
    let height = 1 + (parts.max() ?? 0)
    guard height <= Self.maximumDepth else { throw tooDeep(node.range) }
    return Sized(node: node, height: height)
  }

  private func tooDeep(_ range: Range<Int>) -> ExpressionError {
    ExpressionError(
      .tooDeep, "the expression nests deeper than \(Self.maximumDepth) levels", at: range,
      help: "many texts are joined with join([…], '')")
  }

  // MARK: - Operators

  /// `or ["?" expression ":" expression]`
  private mutating func expression() throws(ExpressionError) -> Sized {
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.maximumDepth else { throw tooDeep(current.range) }
    let condition = try binary(1)
    guard skip("?") != nil else { return condition }
    let value = try expression()
    guard skip(":") != nil else { throw unexpected("':' and the other value") }
    let other = try expression()
    return try sized(
      .conditional(condition.node, value.node, other.node), over: condition.height, value.height, other.height)
  }

  private mutating func binary(_ minimum: Int) throws(ExpressionError) -> Sized {
    var left = try unary()
    while let sign = binaryOperator, sign.precedence >= minimum {
      let range = current.range
      advance()
      let right = try binary(sign.precedence + 1)
      left = try sized(.binary(sign, left.node, right.node, sign: range), over: left.height, right.height)
    }
    return left
  }

  private var binaryOperator: BinaryOperator? {
    switch current.kind {
    case .sign(let sign): BinaryOperator(rawValue: sign)
    case .name("in"): .isIn
    default: nil
    }
  }

  private mutating func unary() throws(ExpressionError) -> Sized {
    let start = current.range.lowerBound
    if skip("!") != nil {
      depth += 1
      defer { depth -= 1 }
      guard depth <= Self.maximumDepth else { throw tooDeep(current.range) }
      let operand = try unary()
      return try sized(.unary(.not, operand.node, start..<operand.node.range.upperBound), over: operand.height)
    }
    guard skip("-") != nil else { return try postfix() }
    // The magnitude of the smallest integer is too large without its minus sign.
    if case .int(let magnitude) = current.kind {
      guard magnitude <= 1 << 63 else { throw beyond64Bits() }
      let literal = SyntaxNode.int(Int64(truncatingIfNeeded: 0 &- magnitude), start..<current.range.upperBound)
      advance()
      return try postfix(of: Sized(node: literal))
    }
    if case .double(let text) = current.kind {
      let literal = SyntaxNode.double("-" + text, start..<current.range.upperBound)
      advance()
      return try postfix(of: Sized(node: literal))
    }
    depth += 1
    defer { depth -= 1 }
    guard depth <= Self.maximumDepth else { throw tooDeep(current.range) }
    let operand = try unary()
    return try sized(.unary(.minus, operand.node, start..<operand.node.range.upperBound), over: operand.height)
  }

  // MARK: - Members and calls

  private mutating func postfix() throws(ExpressionError) -> Sized { try postfix(of: try primary()) }

  private mutating func postfix(of first: Sized) throws(ExpressionError) -> Sized {
    var target = first
    let start = first.node.range.lowerBound
    while true {
      if skip(".") != nil {
        guard case .name(let name) = current.kind else { throw unexpected("a member's name") }
        let nameRange = current.range
        advance()
        if skip("(") != nil {
          let (others, heights, end) = try arguments(until: ")")
          let call = SyntaxNode.Call(
            name: name, nameRange: nameRange, arguments: [target.node] + others, isMethod: true, range: start..<end)
          target = try sized(.call(call), over: [target.height] + heights)
        } else {
          target = try sized(.member(target.node, name, nameRange), over: target.height)
        }
      } else if skip("[") != nil {
        let key = try expression()
        guard let close = skip("]") else { throw unexpected("']'") }
        target = try sized(.index(target.node, key.node, start..<close.upperBound), over: target.height, key.height)
      } else {
        return target
      }
    }
  }

  private mutating func arguments(
    until close: String
  ) throws(ExpressionError) -> (nodes: [SyntaxNode], heights: [Int], end: Int) {
    var nodes: [SyntaxNode] = []
    var heights: [Int] = []
    if let end = skip(close) { return (nodes, heights, end.upperBound) }
    while true {
      let argument = try expression()
      nodes.append(argument.node)
      heights.append(argument.height)
      if let end = skip(close) { return (nodes, heights, end.upperBound) }
      guard skip(",") != nil else { throw unexpected("',' or '\(close)'") }
      // A comma is allowed at the end of a list, but not at the end of a call.
      if close == "]", let end = skip(close) { return (nodes, heights, end.upperBound) }
    }
  }

  // MARK: - Values

  private mutating func primary() throws(ExpressionError) -> Sized {
    let token = current
    switch token.kind {
    case .int(let magnitude):
      guard let value = Int64(exactly: magnitude) else { throw beyond64Bits() }
      advance()
      return Sized(node: .int(value, token.range))
    case .double(let text):
      advance()
      return Sized(node: .double(text, token.range))
    case .string(let text):
      advance()
      return Sized(node: .string(text, token.range))
    case .name(let name):
      return try named(name, token.range)
    case .sign("("):
      advance()
      let inner = try expression()
      guard let close = skip(")") else { throw unexpected("')'") }
      return Sized(node: .group(inner.node, token.range.lowerBound..<close.upperBound), height: inner.height)
    case .sign("["):
      advance()
      let (nodes, heights, end) = try arguments(until: "]")
      return try sized(.list(nodes, token.range.lowerBound..<end), over: heights)
    case .sign("{"):
      advance()
      return try map(from: token.range.lowerBound)
    case .sign, .end:
      throw unexpected("a value")
    }
  }

  private mutating func named(_ name: String, _ range: Range<Int>) throws(ExpressionError) -> Sized {
    switch name {
    case "true", "false":
      advance()
      return Sized(node: .bool(name == "true", range))
    case "null":
      advance()
      return Sized(node: .null(range))
    case "in":
      throw unexpected("a value")
    default:
      advance()
      if let literal = ForeignSyntax.literals[name], current.kind != .sign("("), current.kind != .sign(".") {
        throw ExpressionError(
          .unknownName, "'\(name)' is not known here", at: range, suggestion: literal, help: "write \(literal)")
      }
      guard skip("(") != nil else { return Sized(node: .name(name, range)) }
      let (nodes, heights, end) = try arguments(until: ")")
      let call = SyntaxNode.Call(
        name: name, nameRange: range, arguments: nodes, isMethod: false, range: range.lowerBound..<end)
      return try sized(.call(call), over: heights)
    }
  }

  private mutating func map(from start: Int) throws(ExpressionError) -> Sized {
    var entries: [(key: SyntaxNode, value: SyntaxNode)] = []
    var heights: [Int] = []
    while true {
      if let end = skip("}") { return try sized(.map(entries, start..<end.upperBound), over: heights) }
      if !entries.isEmpty {
        guard skip(",") != nil else { throw unexpected("',' or '}'") }
        if let end = skip("}") { return try sized(.map(entries, start..<end.upperBound), over: heights) }
      }
      let key = try expression()
      guard skip(":") != nil else { throw unexpected("':' and the value of the key") }
      let value = try expression()
      entries.append((key.node, value.node))
      heights += [key.height, value.height]
    }
  }

  // MARK: - Errors

  private func beyond64Bits() -> ExpressionError {
    ExpressionError(.badNumber, "the number is beyond 64 bits", at: current.range)
  }
}
