extension JinjaTranslator {
  func binary(
    _ left: JinjaExpression, _ kind: JinjaExpression.Operator, _ right: JinjaExpression
  ) throws(JinjaError) -> FlowExpression {
    if let text = constantText(.binary(left, kind, right)) { return .literal(text) }
    switch kind {
    case .or, .and: return try logical(left, kind, right)
    case .equal, .different: return try equality(left, kind == .equal, right)
    case .less, .lessOrEqual, .greater, .greaterOrEqual:
      let (before, after) = (try translate(left), try translate(right))
      guard before.kind != .null, after.kind != .null else {
        throw JinjaError("a comparison with an undefined name cannot be translated")
      }
      let (first, second) = try comparable(before, after)
      return FlowExpression("\(first.operand(.sum)) \(kind.rawValue) \(second.operand(.sum))", .bool, .relation)
    case .in, .notIn:
      let found = try membership(left, of: right)
      return kind == .in ? found : negated(found)
    case .join:
      return try sum(try translate(left).asText, try translate(right).asText)
    case .plus: return try sum(try translate(left), try translate(right))
    case .minus: return try difference(left, right)
    case .rest where constantText(left) != nil:
      let values = if case .list(let elements) = right { elements } else { [right] }
      return try formatted(percent: constantText(left) ?? "", values)
    case .times, .divided, .wholeDivided, .rest:
      let (first, second) = (try number(try translate(left)), try number(try translate(right)))
      let quotient =
        "\(first.text.hasPrefix("float(") ? first.text : "float(\(first.text))") / \(second.operand(.unary))"
      if kind == .divided { return FlowExpression(quotient, .number, .product) }
      let areWhole = first.kind == .integer && second.kind == .integer
      if kind == .wholeDivided, !areWhole { return FlowExpression("floor(\(quotient))", .integer) }
      let sign = kind == .wholeDivided ? "/" : kind.rawValue
      return FlowExpression(
        "\(first.operand(.product)) \(sign) \(second.operand(.unary))", Self.kind(of: first, and: second), .product)
    case .power:
      let (base, exponent) = (try number(try translate(left)), try number(try translate(right)))
      guard exponent.kind != .number else { throw JinjaError("'**' can be translated only with an integer exponent") }
      return FlowExpression("power(\(base.text), \(exponent.text))", base.kind)
    }
  }

  /// The kind of number that an operation with two numbers returns.
  private static func kind(of first: FlowExpression, and second: FlowExpression) -> FlowExpression.Kind {
    if first.kind == second.kind, first.kind == .integer { return .integer }
    return first.kind == .number || second.kind == .number ? .number : .any
  }

  /// Translates `in`: whether the configuration, a record or another value has an element or a member.
  private func membership(
    _ element: JinjaExpression, of whole: JinjaExpression
  ) throws(JinjaError) -> FlowExpression {
    if let path = chain(whole), path.root == "config", path.keys.isEmpty || isObject(whole) {
      guard let key = constantText(element) else {
        throw JinjaError("a flow cannot look up a configuration value by a computed name")
      }
      return try truth(.member(whole, .text(key)))
    }
    let (element, value) = (try translate(element), try translate(whole))
    if case .name = whole, value.kind == .any, value.isLookUp, element.kind == .string {
      // A record or a response: whether it has the member.
      let subject = value.text == "source" ? value.text : "coalesce(\(value.text), {})"
      return FlowExpression("\(element.operand(.sum)) in \(subject)", .bool, .relation)
    }
    return try contains(element, in: value)
  }

  func logical(
    _ left: JinjaExpression, _ kind: JinjaExpression.Operator, _ right: JinjaExpression
  ) throws(JinjaError) -> FlowExpression {
    // `x and y or z` gives `y or z` where `x` counts as true, else `z`.
    if kind == .or, case .binary(let condition, .and, let value) = left, !isObject(condition) {
      return try conditional(condition, try logical(value, .or, right), try translate(right))
    }
    if isObject(left) { return kind == .and ? try translate(right) : FlowExpression("true", .bool) }
    let first = try translate(left)
    if kind == .or, first.isLiteral, first.kind == .string { return first.text == "''" ? try translate(right) : first }
    // The start of the range is known also in the first run.
    if kind == .or, first.text == "cursor.start", !first.mayBeMissing { return first }
    let second = try translate(right)
    // `x or d` gives a value, not a bool, unless both are bools.
    if kind == .or, first.kind != .bool, !(first.kind == .any && second.kind == .bool),
      second.kind != .null || first.isLookUp
    {
      if first.isLookUp, first.mayBeMissing, second.kind != .null { return first.filled(with: second) }
      if second.kind == .null { return first }
      let (value, other) = sameKind(first, second)
      return FlowExpression(
        "\(first.truth.operand(.or)) ? \(value.operand(.or)) : \(other.text)",
        value.kind == other.kind ? value.kind : .any, .choice, mayBeMissing: second.mayBeMissing)
    }
    if kind == .and, first.kind != .bool || second.kind != .bool {
      // `x and y` gives `y`, or `x` where that does not count as true.
      let (isTrue, isKnown) = (first.truth, first.kind != .any && second.kind != .any)
      if isTrue.text == "true" { return second }
      if isTrue.text == "false" { return first }
      let areTexts = first.kind != second.kind && isKnown
      guard !areTexts || first.kind == .string else {
        throw JinjaError("'and' between values of two types cannot be translated outside of conditions")
      }
      var (value, other) = areTexts ? (second.asText, first) : (second, first)
      if other.isLookUp, other.mayBeMissing {
        other = FlowExpression("coalesce(\(other.text), null)", other.kind, mayBeMissing: true)
      }
      if value.isLookUp, value.mayBeMissing, value.kind == .any { value.text = "coalesce(\(value.text), null)" }
      return FlowExpression(
        "\(isTrue.operand(.or)) ? \(value.operand(.or)) : \(other.text)", value.kind == other.kind ? value.kind : .any,
        .choice, mayBeMissing: value.mayBeMissing || other.mayBeMissing, mayBeEmpty: true)
    }
    return Self.both(first.truth, kind, second.truth)
  }

  func equality(
    _ left: JinjaExpression, _ isEqual: Bool, _ right: JinjaExpression
  ) throws(JinjaError) -> FlowExpression {
    var (first, second) = (try translate(left), try translate(right))
    if first.kind == .null || first.isLiteral, second.isLookUp { swap(&first, &second) }
    let sign = isEqual ? "==" : "!="
    if second.kind == .null { return FlowExpression("\(first.operand(.sum)) \(sign) null", .bool, .relation) }
    if let (first, second) = constants(first, second) {
      return FlowExpression((first == second) == isEqual ? "true" : "false", .bool)
    }
    // A text is never equal to a number. The comparison is constant only where both types are known.
    if first.mayBeMissing || second.mayBeMissing {
      if second.isLiteral {
        let fallback = second.fallback
        return FlowExpression("coalesce(\(first.text), \(fallback)) \(sign) \(second.operand(.sum))", .bool, .relation)
      }
      let (a, b) = (
        first.mayBeMissing ? "coalesce(\(first.text), '')" : first.operand(.sum),
        second.mayBeMissing ? "coalesce(\(second.text), '')" : second.operand(.sum)
      )
      return FlowExpression("\(a) \(sign) \(b)", .bool, .relation)
    }
    return FlowExpression("\(first.operand(.sum)) \(sign) \(second.operand(.sum))", .bool, .relation)
  }

  func constants(_ first: FlowExpression, _ second: FlowExpression) -> (String, String)? {
    first.isLiteral && second.isLiteral ? (first.text, second.text) : nil
  }

  func comparable(
    _ left: FlowExpression, _ right: FlowExpression
  ) throws(JinjaError) -> (FlowExpression, FlowExpression) {
    func fit(_ value: FlowExpression, _ other: FlowExpression) -> FlowExpression {
      guard value.mayBeMissing else { return value }
      let zero =
        switch other.kind {
        case .string: "''"
        case .timestamp: "timestamp('1970-01-01')"
        default: other.mayBeMissing ? "''" : "0"
        }
      return FlowExpression("coalesce(\(value.text), \(zero))", value.kind)
    }
    if left.kind == .timestamp, right.kind == .string || right.kind == .any {
      return (left, FlowExpression("timestamp(\(right.asText.text))", .timestamp))
    }
    if right.kind == .timestamp, left.kind == .string || left.kind == .any {
      return (FlowExpression("timestamp(\(left.asText.text))", .timestamp), right)
    }
    return (fit(left, right), fit(right, left))
  }

  func contains(_ element: FlowExpression, in list: FlowExpression) throws(JinjaError) -> FlowExpression {
    let element = element.mayBeMissing ? FlowExpression("coalesce(\(element.text), '')", element.kind) : element
    if list.kind == .string || (list.kind == .any && element.kind == .string) && list.text.hasPrefix("response_text") {
      return FlowExpression("contains(\(list.asText.text), \(element.asText.text))", .bool)
    }
    if list.kind == .any, element.kind == .string {
      return FlowExpression("contains(coalesce(\(list.text), ''), \(element.text))", .bool)
    }
    let subject = list.mayBeMissing ? "coalesce(\(list.text), [])" : list.operand(.sum)
    return FlowExpression("\(element.operand(.sum)) in \(subject)", .bool, .relation)
  }

  func sum(_ left: FlowExpression, _ right: FlowExpression) throws(JinjaError) -> FlowExpression {
    if left.kind == .string || right.kind == .string {
      let (first, second) = (left.asText, right.asText)
      if first.text == "''" { return second }
      if second.text == "''" { return first }
      return FlowExpression("\(first.operand(.sum)) + \(second.operand(.product))", .string, .sum)
    }
    if left.kind == .duration || right.kind == .duration, let months = try calendar(left, right, sign: 1) {
      return months
    }
    let kind: FlowExpression.Kind =
      left.kind == .timestamp || right.kind == .timestamp
      ? .timestamp : left.kind == right.kind ? left.kind : left.kind == .any || right.kind == .any ? .any : .number
    let (first, second) = (try filledNumber(left), try filledNumber(right))
    var result = FlowExpression("\(first.operand(.sum)) + \(second.operand(.product))", kind, .sum)
    result.isDay = left.isDay || right.isDay
    return result
  }

  func filledNumber(_ value: FlowExpression) throws(JinjaError) -> FlowExpression {
    value.mayBeMissing ? FlowExpression("coalesce(\(value.text), 0)", value.kind) : value
  }

  func number(_ value: FlowExpression) throws(JinjaError) -> FlowExpression {
    guard value.kind != .string else { throw JinjaError("arithmetic on texts cannot be translated") }
    return try filledNumber(value)
  }

  func difference(_ left: JinjaExpression, _ right: JinjaExpression) throws(JinjaError) -> FlowExpression {
    let (first, second) = (try translate(left), try translate(right))
    if second.kind == .duration, let months = try calendar(first, second, sign: -1) { return months }
    let kind: FlowExpression.Kind =
      switch (first.kind, second.kind) {
      case (.timestamp, .timestamp): .duration
      case (.timestamp, _): .timestamp
      case (.duration, .duration): .duration
      default: Self.kind(of: first, and: second)
      }
    var result = FlowExpression(
      "\(try filledNumber(first).operand(.sum)) - \(try filledNumber(second).operand(.product))", kind, .sum)
    result.isDay = kind == .timestamp && first.isDay
    return result
  }

  /// Adds a duration of months or years, which have no fixed length, to an instant, or subtracts it.
  func calendar(
    _ left: FlowExpression, _ right: FlowExpression, sign: Int
  ) throws(JinjaError) -> FlowExpression? {
    guard right.text.hasPrefix("months("), let count = Int(right.text.dropFirst(7).dropLast()) else { return nil }
    guard left.kind == .timestamp else { throw JinjaError("a duration of months cannot be translated here") }
    var result = FlowExpression("add(\(left.text), \(sign * count), 'month')", .timestamp)
    result.isDay = left.isDay
    return result
  }
}
