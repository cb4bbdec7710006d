/// Translates expressions of manifests into expressions of the flow language.
struct JinjaTranslator {
  let names: JinjaNames

  init(_ names: JinjaNames) { self.names = names }

  /// Translates an expression.
  func translate(_ expression: JinjaExpression) throws(JinjaError) -> FlowExpression {
    switch expression {
    case .none: return FlowExpression("null", .null)
    case .bool(let value): return FlowExpression(value ? "true" : "false", .bool)
    case .integer(let digits):
      guard Int64(digits) != nil else { throw JinjaError("the number \(digits) is too large") }
      return FlowExpression(digits, .integer)
    case .number(let digits): return FlowExpression(digits, .number)
    case .text(let text): return .literal(text)
    case .list(let elements):
      var texts: [String] = []
      for element in elements {
        let value = try translate(element)
        texts.append(value.mayBeMissing && value.isLookUp ? "coalesce(\(value.text), null)" : value.text)
      }
      return FlowExpression("[\(texts.joined(separator: ", "))]", .list)
    case .mapping(let pairs):
      var texts: [String] = []
      for pair in pairs {
        let value = try translate(pair.value)
        // A member without a value is null.
        let text = value.mayBeMissing && value.isLookUp ? "coalesce(\(value.text), null)" : value.text
        texts.append("\(try translate(pair.name).text): \(text)")
      }
      return FlowExpression("{\(texts.joined(separator: ", "))}", .map)
    case .name(let name): return try root(name)
    case .member(let base, let key): return try member(base, key)
    case .range(let value, let from, let to): return try range(value, from, to)
    case .call(let function, let arguments): return try call(function, arguments)
    case .filter(let value, let name, let arguments): return try filter(value, name, arguments)
    case .test(let value, let name, let operands, let isNegated):
      let result = try test(value, name, operands)
      return isNegated ? negated(result) : result
    case .not(let value): return negated(try truth(value))
    case .negative(let value):
      let value = try translate(value)
      return FlowExpression("-\(value.operand(.value))", value.kind, .unary)
    case .binary(let left, let kind, let right): return try binary(left, kind, right)
    case .collected(let value, let loop): return try LoopTranslator(names).collected(value, from: loop)
    case .conditional(let condition, let then, let otherwise):
      // A side that is never chosen need not be translatable.
      switch try truth(condition).text {
      case "true": return try translate(then)
      case "false": return try otherwise.map { other throws(JinjaError) in try translate(other) } ?? .undefined
      default: break
      }
      return try conditional(
        condition, try translate(then), otherwise.map { other throws(JinjaError) in try translate(other) })
    }
  }

  /// The names by which expressions refer to a stream's slices. Their values are empty objects if the stream has
  /// neither a cursor nor partitions.
  private static let slices: Set<String> = ["stream_slice", "stream_interval", "stream_partition"]

  /// Whether an expression is an object that always has a value: an object of the configuration, or the state, which
  /// contains the start of the cursor also in the first run.
  func isObject(_ expression: JinjaExpression) -> Bool {
    guard let path = chain(expression) else { return false }
    if Self.slices.contains(path.root), path.keys.isEmpty {
      return !names.intervals.isEmpty || !names.partitions.isEmpty
    }
    if path.root == "stream_state" { return path.keys.isEmpty && names.states.values.contains { !$0.mayBeMissing } }
    return path.root == "config" && !path.keys.isEmpty && names.variables.isObject(path.keys)
  }

  func truth(_ expression: JinjaExpression) throws(JinjaError) -> FlowExpression {
    if isObject(expression) { return FlowExpression("true", .bool) }
    if let path = chain(expression), path.keys.isEmpty, Self.slices.contains(path.root), names.locals[path.root] == nil
    {
      return FlowExpression("false", .bool)
    }
    switch expression {
    case .not(let value): return negated(try truth(value))
    case .binary(let left, .and, let right): return Self.both(try truth(left), .and, try truth(right))
    case .binary(let left, .or, let right): return Self.both(try truth(left), .or, try truth(right))
    default: return try translate(expression).truth
    }
  }

  /// Joins two conditions with an operator; a condition that is constant is left out.
  static func both(
    _ left: FlowExpression, _ kind: JinjaExpression.Operator, _ right: FlowExpression
  ) -> FlowExpression {
    let (neutral, final) = kind == .or ? ("false", "true") : ("true", "false")
    if left.text == neutral || right.text == final { return right }
    if right.text == neutral || left.text == final { return left }
    let level: FlowExpression.Level = kind == .or ? .or : .and
    return FlowExpression(
      "\(left.operand(level)) \(kind == .or ? "||" : "&&") \(right.operand(kind == .or ? .and : .relation))", .bool,
      level)
  }

  /// The expression for one of two values, depending on a condition.
  func conditional(
    _ condition: JinjaExpression, _ then: FlowExpression, _ otherwise: FlowExpression?
  ) throws(JinjaError) -> FlowExpression {
    let otherwise = otherwise ?? .undefined
    let isTrue = try truth(condition)
    if isTrue.text == "true" { return then }
    if isTrue.text == "false" { return otherwise }
    // `x if x else d` is a default.
    if case .some(let value) = try? translate(condition), value.text == then.text, value.isLookUp, value.mayBeMissing,
      otherwise.kind != .null, !otherwise.mayBeMissing, value.kind != .any || value.text.hasPrefix("cursor.")
    {
      return value.filled(with: otherwise)
    }
    let (first, second) = sameKind(then, otherwise)
    let kind: FlowExpression.Kind =
      first.kind == second.kind || second.kind == .null ? first.kind : first.kind == .null ? second.kind : .any
    var result = FlowExpression(
      "\(isTrue.operand(.or)) ? \(first.operand(.or)) : \(second.text)", kind, .choice,
      mayBeMissing: first.mayBeMissing || second.mayBeMissing || first.kind == .null || second.kind == .null,
      mayBeEmpty: first.mayBeEmpty || second.mayBeEmpty)
    result.isDay = first.isDay && second.isDay
    return result
  }

  /// Translates an expression whose value becomes a text: if its value may be a text or a number, the number is
  /// converted to a text.
  func choiceOfTexts(_ expression: JinjaExpression) throws(JinjaError) -> FlowExpression {
    let (condition, then, otherwise): (JinjaExpression, JinjaExpression, JinjaExpression)
    switch expression {
    case .conditional(let test, let one, let other?): (condition, then, otherwise) = (test, one, other)
    case .binary(let one, .or, let other): (condition, then, otherwise) = (one, one, other)
    default: return try translate(expression)
    }
    let plain: Set<FlowExpression.Kind> = [.integer, .number, .bool]
    guard let one = try? choiceOfTexts(then), let other = try? choiceOfTexts(otherwise), !one.isLookUp,
      plain.contains(one.kind) && other.kind == .string || one.kind == .string && plain.contains(other.kind)
    else { return try translate(expression) }
    return try conditional(condition, one.asText, other.asText)
  }

  /// Converts two alternative values to the same kind: an instant becomes a text if the other value is a text.
  func sameKind(_ left: FlowExpression, _ right: FlowExpression) -> (FlowExpression, FlowExpression) {
    switch (left.kind, right.kind) {
    case (.timestamp, .string): (left.asText, right)
    case (.string, .timestamp): (left, right.asText)
    default: (left, right)
    }
  }

  /// The opposite of a condition.
  func negated(_ value: FlowExpression) -> FlowExpression {
    if value.text == "true" { return FlowExpression("false", .bool) }
    if value.text == "false" { return FlowExpression("true", .bool) }
    if value.level == .unary, value.text.hasPrefix("!(coalesce("), value.text.hasSuffix(" in ['', 0, false, [], {}])") {
      return FlowExpression(String(value.text.dropFirst(2).dropLast()), .bool, .relation)
    }
    for (sign, opposite) in [(" == ", " != "), (" != ", " == ")] where value.level == .relation {
      let parts = value.text.split(separator: sign, omittingEmptySubsequences: false)
      if parts.count == 2, !value.text.contains("&&"), !value.text.contains("||") {
        return FlowExpression(parts.joined(separator: opposite), .bool, .relation)
      }
    }
    return FlowExpression("!\(value.operand(.value))", .bool, .unary)
  }

  private func root(_ name: String) throws(JinjaError) -> FlowExpression {
    if let local = names.locals[name] ?? names.roots[name] { return local }
    switch name {
    case "config": throw JinjaError("the whole configuration cannot be translated")
    case "next_page_token":
      guard let token = names.pageToken else { throw JinjaError("'next_page_token' cannot be translated here") }
      return token
    case "stream_state":
      // It is empty in the first run.
      guard let state = names.states.values.first else { throw JinjaError("'stream_state' cannot be translated here") }
      return state
    case "parameters", "options", "stream_slice", "stream_partition", "stream_interval":
      throw JinjaError("'\(name)' as a whole cannot be translated")
    case "inf": throw JinjaError("infinity cannot be translated")
    default: throw JinjaError("'\(name)' cannot be translated here")
    }
  }
}

extension FlowExpression {
  /// Whether the expression is a literal.
  var isLiteral: Bool {
    guard level == .value, !isLookUp else { return false }
    return kind == .string && text.hasPrefix("'") && text.hasSuffix("'")
      || (kind == .integer || kind == .number) && text.utf8.allSatisfy { $0 &- 0x30 < 10 || $0 == 0x2E }
      || kind == .bool && (text == "true" || text == "false")
  }

  /// A literal of the same kind that is not equal to this literal.
  var fallback: String {
    switch kind {
    case .string: text == "''" ? "'-'" : "''"
    case .bool: text == "true" ? "false" : "true"
    default: text == "0" ? "-1" : "0"
    }
  }
}
