extension Checker {
  mutating func unary(_ sign: UnaryOperator, _ operand: SyntaxNode, _ range: Range<Int>) -> ExpressionType {
    let type = needed(operand)
    switch (sign, type) {
    case (.not, .bool), (.not, .dynamic): return .bool
    case (.minus, .int), (.minus, .double), (.minus, .duration), (.minus, .dynamic): return type
    case (.not, _):
      report(.wrongType, "'!' takes a bool, not \(Self.article(type))", at: range, help: Self.truthHelp(type))
      return .bool
    case (.minus, _):
      report(.wrongType, "'-' takes a number or a duration, not \(Self.article(type))", at: range)
      return .dynamic
    }
  }

  mutating func binary(
    _ sign: BinaryOperator, _ left: SyntaxNode, _ right: SyntaxNode, _ range: Range<Int>
  ) -> ExpressionType {
    switch sign {
    case .and:
      condition(left, of: "'&&'")
      let facts = Self.facts(left, when: true)
      assuming(facts) { $0.condition(right, of: "'&&'") }
      return .bool
    case .or:
      if isDefault(left) { return .dynamic }
      condition(left, of: "'||'")
      let facts = Self.facts(left, when: false)
      assuming(facts) { $0.condition(right, of: "'||'") }
      return .bool
    case .equal, .unequal:
      let asks = left.ungrouped.isNull || right.ungrouped.isNull
      let one = asks ? type(of: left) : needed(left)
      let other = asks ? type(of: right) : needed(right)
      if ExpressionType.join(one, other) == nil {
        report(
          .wrongType, "\(Self.article(one)) is never equal to \(Self.article(other))", at: range,
          help: Self.conversionHelp(one, other))
      }
      return .bool
    case .less, .lessOrEqual, .greater, .greaterOrEqual:
      let (one, other) = (needed(left), needed(right))
      if !Self.areOrdered(one, other) {
        report(
          .wrongType, "\(Self.article(one)) cannot be compared with \(Self.article(other))", at: range,
          help: Self.conversionHelp(one, other))
      }
      return .bool
    case .isIn:
      return isIn(left, right, range)
    case .plus, .minus, .times, .divide, .remainder:
      let (one, other) = (needed(left), needed(right))
      if let result = Self.arithmetic(sign, one, other) { return result }
      report(
        .wrongType, Self.refusal(of: sign, one, other), at: range,
        help: hyphenHelp(sign, left, right) ?? Self.durationHelp(sign, one, other, left, right)
          ?? (sign == .plus && (one == .string || other == .string)
            ? "make both texts: string(…)" : Self.conversionHelp(one, other)))
      return .dynamic
    }
  }

  /// Reports `a || b` once if `a` is a value and not a condition: the author probably meant a default or a joined text.
  private mutating func isDefault(_ left: SyntaxNode) -> Bool {
    let type = type(of: left).unwrapped
    guard ![.bool, .dynamic, .null].contains(type) else { return false }
    report(
      .wrongType, "'||' takes a bool, not \(Self.article(type))", at: left.range,
      help: "a default is written coalesce(\(Self.source(left) ?? "value"), default)"
        + (type == .string ? "; texts are joined with '+'" : ""))
    return true
  }

  /// The message for an operator that cannot be applied: it names the operand type that the operator never accepts,
  /// else both operand types.
  private static func refusal(of sign: BinaryOperator, _ one: ExpressionType, _ other: ExpressionType) -> String {
    let operands =
      switch sign {
      case .plus: "numbers, strings, lists, timestamps and durations"
      case .minus: "numbers, timestamps and durations"
      case .times: "numbers, or a duration and an int"
      case .remainder: "ints"
      default: "numbers"
      }
    let stranger = fits(sign, one, isLeft: true) ? (fits(sign, other, isLeft: false) ? nil : other) : one
    if let stranger { return "'\(sign.rawValue)' takes \(operands), not \(article(stranger))" }
    return "'\(sign.rawValue)' cannot be applied to \(article(one)) and \(article(other))"
  }

  private func hyphenHelp(_ sign: BinaryOperator, _ left: SyntaxNode, _ right: SyntaxNode) -> String? {
    guard sign == .minus, Self.source(left) != nil else { return nil }
    return expression.hyphenatedName(at: right.range)?.help
  }

  private static func durationHelp(
    _ sign: BinaryOperator, _ one: ExpressionType, _ other: ExpressionType, _ left: SyntaxNode, _ right: SyntaxNode
  ) -> String? {
    guard sign == .plus || sign == .minus else { return nil }
    guard one == .timestamp && other == .string || one == .string && other == .timestamp else { return nil }
    let text = left.literalText ?? right.literalText ?? "7d"
    return "a length of time is written duration('\(DurationValue.parse(text) == nil ? "7d" : text)')"
  }

  private mutating func isIn(_ left: SyntaxNode, _ right: SyntaxNode, _ range: Range<Int>) -> ExpressionType {
    let (value, collection) = (needed(left), needed(right))
    switch collection {
    case .dynamic: break
    case .list(let element):
      if ExpressionType.join(value, element) == nil {
        report(
          .wrongType, "\(Self.article(value)) is never in a list of \(element)", at: range,
          help: Self.conversionHelp(value, element))
      }
    case .map, .object:
      demand(value, [.string], "a key of a map is a string", at: left)
    default:
      report(
        .wrongType, "'in' looks into a list or a map, not \(Self.article(collection))", at: right.range,
        help: collection == .string ? "for a part of a text write text.contains(part)" : nil)
    }
    return .bool
  }

  mutating func condition(_ node: SyntaxNode, of what: String) {
    let type = needed(node)
    demand(type, [.bool], "\(what) takes a bool", at: node, help: Self.truthHelp(type))
  }

  mutating func conditional(_ test: SyntaxNode, _ one: SyntaxNode, _ other: SyntaxNode) -> ExpressionType {
    condition(test, of: "the condition")
    let first = assuming(Self.facts(test, when: true)) { $0.type(of: one) }
    let second = assuming(Self.facts(test, when: false)) { $0.type(of: other) }
    if let joined = ExpressionType.join(first, second) { return joined }
    report(
      .wrongType, "the values are of different types: \(Self.article(first)) and \(Self.article(second))",
      at: one.range.lowerBound..<other.range.upperBound, help: Self.conversionHelp(first, second))
    return .dynamic
  }

  // MARK: - Rules

  private static func areOrdered(_ one: ExpressionType, _ other: ExpressionType) -> Bool {
    one.isOrdered && other.isOrdered && ExpressionType.join(one, other) != nil
  }

  static func arithmetic(_ sign: BinaryOperator, _ one: ExpressionType, _ other: ExpressionType) -> ExpressionType? {
    switch (sign, one, other) {
    case (_, .int, .int): return .int
    case (.remainder, .dynamic, .int), (.remainder, .int, .dynamic), (.remainder, .dynamic, .dynamic): return .int
    case (.remainder, _, _): return nil
    case (_, .double, .double), (_, .int, .double), (_, .double, .int): return .double
    case (.plus, .string, .string): return .string
    case (.plus, .list(let left), .list(let right)): return .list(ExpressionType.join(left, right) ?? .dynamic)
    case (.plus, .timestamp, .duration), (.plus, .duration, .timestamp), (.minus, .timestamp, .duration):
      return .timestamp
    case (.minus, .timestamp, .timestamp), (.plus, .duration, .duration), (.minus, .duration, .duration),
      (.times, .duration, .int), (.times, .int, .duration):
      return .duration
    case (_, .dynamic, .dynamic): return .dynamic
    case (_, .dynamic, let known), (_, let known, .dynamic):
      guard fits(sign, known, isLeft: other == .dynamic) else { return nil }
      if known == .string { return .string }
      return .dynamic
    default: return nil
    }
  }

  /// Whether an operator accepts an operand of this type, if the other operand has a suitable type.
  private static func fits(_ sign: BinaryOperator, _ type: ExpressionType, isLeft: Bool) -> Bool {
    if type == .dynamic { return true }
    let partners: [ExpressionType] = [.int, .double, .string, .timestamp, .duration, .list(.dynamic)]
    return partners.contains { arithmetic(sign, isLeft ? type : $0, isLeft ? $0 : type) != nil }
  }

  private static func truthHelp(_ type: ExpressionType) -> String? {
    switch type {
    case .string: "compare it: … != ''"
    case .int, .double: "compare it: … != 0"
    case .list, .map: "compare its length: length(…) > 0"
    default: nil
    }
  }

  static func conversionHelp(_ one: ExpressionType, _ other: ExpressionType) -> String? {
    let types: Set = [one.unwrapped, other.unwrapped]
    if types == [.string, .int] { return "convert one of them: int(…) or string(…)" }
    if types == [.string, .double] { return "convert one of them: float(…) or string(…)" }
    if types == [.string, .bool] { return "convert one of them: bool(…) or string(…)" }
    if types == [.string, .timestamp] { return "convert one of them: timestamp(…) or format(…, '%Y-%m-%d')" }
    if types == [.string, .duration] { return "convert the text: duration(…)" }
    if types == [.int, .timestamp] { return "convert one of them: int(…) or timestamp(…, 'epoch_s')" }
    if types == [.int, .duration] { return "a length of time has a unit: duration('30s')" }
    return nil
  }

  // MARK: - Facts of conditions

  /// The lookups that must have a value if the result of a condition is `outcome`.
  static func facts(_ node: SyntaxNode, when outcome: Bool) -> Set<[String]> {
    switch node.ungrouped {
    case .unary(.not, let inner, _):
      return facts(inner, when: !outcome)
    case .binary(.and, let left, let right, _) where outcome:
      return facts(left, when: true).union(facts(right, when: true))
    case .binary(.or, let left, let right, _) where !outcome:
      return facts(left, when: false).union(facts(right, when: false))
    case .binary(let sign, let left, let right, _) where sign == (outcome ? .unequal : .equal):
      if right.ungrouped.isNull { return paths(left) }
      if left.ungrouped.isNull { return paths(right) }
      return []
    case .call(let call) where call.name == "has" && outcome && call.arguments.count == 1:
      return paths(call.arguments[0])
    default:
      return []
    }
  }

  /// The path of the lookup and all its prefixes.
  private static func paths(_ node: SyntaxNode) -> Set<[String]> {
    guard let path = path(node) else { return [] }
    return Set(path.indices.map { Array(path[...$0]) })
  }
}

extension SyntaxNode {
  /// Whether the node is the literal `null`.
  fileprivate var isNull: Bool { if case .null = self { true } else { false } }
}
