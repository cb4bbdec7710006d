internal import ByteCodings

/// Names that a template sets by `{% set NAME = EXPRESSION %}`. After that, each name means its expression.
struct JinjaDefinitions {
  struct Value {
    let expression: JinjaExpression
    fileprivate let size: Size
  }

  /// How many parts an expression has, and how deeply they are nested.
  fileprivate struct Size {
    var count = 0
    var depth = 0
  }

  /// The maximum number of parts that an expression may have after its names were replaced. When names are set from other
  /// names, the number can grow very fast.
  private static let maximumCount = 1_000
  /// The maximum depth of an expression after its names were replaced.
  private static let maximumDepth = 100

  /// The values by name; a member of a namespace has the name `space.member`.
  private(set) var values: [String: Value] = [:]

  /// Adds the name that a statement `{% set … %}` defines. The expression can use names from earlier statements.
  ///
  /// - Parameter statement: what follows the word `set`
  mutating func add(_ statement: ArraySlice<UInt8>) throws(JinjaError) {
    guard let sign = statement.firstIndex(of: UInt8(ascii: "=")) else {
      throw JinjaError("a block '{% set %}' whose value is the text up to '{% endset %}' cannot be translated")
    }
    let name = ASCII.trimmed(statement[..<sign])
    let text = String(decoding: name, as: UTF8.self)
    let words = text.split(separator: ".", omittingEmptySubsequences: false)
    guard words.count == 1 || words.count == 2 && values[text] != nil,
      words.allSatisfy({ word in
        word.utf8.first.map { ASCII.isLetter($0) || $0 == UInt8(ascii: "_") } ?? false
          && word.utf8.allSatisfy { ASCII.isLetter($0) || ASCII.isDigit($0) || $0 == UInt8(ascii: "_") }
      })
    else { throw JinjaError("'{% set \(text) %}' cannot be translated: only a single name can be set") }
    let parsed = try JinjaParser.parse(statement[(sign + 1)...])
    if case .call(.name("namespace"), let members) = parsed {
      for member in members { try set("\(text).\(member.name ?? "")", to: resolved(member.value)) }
    } else {
      try set(text, to: resolved(parsed))
    }
  }

  /// Sets a name to an expression that no longer contains names from statements.
  mutating func set(_ name: String, to expression: JinjaExpression) throws(JinjaError) {
    var size = Size()
    _ = try JinjaDefinitions().replaced(expression, 1, &size)
    values[name] = Value(expression: expression, size: size)
  }

  /// Whether a statement set the name.
  func has(_ name: String) -> Bool { values[name] != nil }

  /// Returns the expression in which names are replaced by the expressions that they were set to.
  func resolved(_ expression: JinjaExpression) throws(JinjaError) -> JinjaExpression {
    guard !values.isEmpty else { return expression }
    var size = Size()
    return try replaced(expression, 1, &size)
  }

  private func replaced(
    _ expression: JinjaExpression, _ depth: Int, _ size: inout Size
  ) throws(JinjaError) -> JinjaExpression {
    if case .name(let name) = expression, let value = values[name] {
      size.count += value.size.count
      size.depth = max(size.depth, depth + value.size.depth)
      try Self.check(size)
      return value.expression
    }
    if case .member(.name(let space), .text(let member)) = expression, let value = values["\(space).\(member)"] {
      size.count += value.size.count
      size.depth = max(size.depth, depth + value.size.depth)
      try Self.check(size)
      return value.expression
    }
    size.count += 1
    size.depth = max(size.depth, depth)
    try Self.check(size)
    func inner(_ part: JinjaExpression) throws(JinjaError) -> JinjaExpression { try replaced(part, depth + 1, &size) }
    func all(_ parts: [JinjaExpression]) throws(JinjaError) -> [JinjaExpression] {
      try parts.map { part throws(JinjaError) in try inner(part) }
    }
    func optional(_ part: JinjaExpression?) throws(JinjaError) -> JinjaExpression? {
      try part.map { part throws(JinjaError) in try inner(part) }
    }
    func passed(_ arguments: [JinjaArgument]) throws(JinjaError) -> [JinjaArgument] {
      try arguments.map { argument throws(JinjaError) in
        JinjaArgument(name: argument.name, value: try inner(argument.value))
      }
    }
    switch expression {
    case .none, .bool, .integer, .number, .text, .name: return expression
    case .list(let elements): return .list(try all(elements))
    case .mapping(let pairs):
      return .mapping(
        try pairs.map { pair throws(JinjaError) in
          JinjaExpression.Pair(name: try inner(pair.name), value: try inner(pair.value))
        })
    case .member(let base, let key): return .member(try inner(base), try inner(key))
    case .range(let value, let from, let to):
      return .range(try inner(value), from: try optional(from), to: try optional(to))
    case .call(let function, let arguments): return .call(try inner(function), try passed(arguments))
    case .filter(let value, let name, let arguments): return .filter(try inner(value), name, try passed(arguments))
    case .test(let value, let name, let operands, let isNegated):
      return .test(try inner(value), name, try all(operands), isNegated: isNegated)
    case .not(let value): return .not(try inner(value))
    case .negative(let value): return .negative(try inner(value))
    case .binary(let left, let kind, let right): return .binary(try inner(left), kind, try inner(right))
    case .conditional(let condition, let then, let otherwise):
      return .conditional(try inner(condition), then: try inner(then), otherwise: try optional(otherwise))
    case .collected:
      // Its names were replaced inside of the loop.
      for part in expression.parts { _ = try JinjaDefinitions().replaced(part, depth + 1, &size) }
      return expression
    }
  }

  private static func check(_ size: Size) throws(JinjaError) {
    guard size.count <= maximumCount, size.depth <= maximumDepth else {
      throw JinjaError("the expressions of names that are set are too large")
    }
  }
}
