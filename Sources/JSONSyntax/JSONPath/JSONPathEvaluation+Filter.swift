extension JSONPathEvaluation {
  /// Whether a condition is true if `@` is the current value.
  mutating func holds(_ condition: JSONPath.Condition, for current: JSONValue) throws(JSONPathBudgetError) -> Bool {
    switch condition {
    case .exists(let query):
      return try !nodes(query, for: current).isEmpty
    case .comparison(let left, let comparison, let right):
      let leftValue = try value(left, for: current)
      let rightValue = try value(right, for: current)
      return try compare(leftValue, comparison, rightValue)
    case .matches(let test):
      return try matches(test, for: current)
    case .not(let inner):
      return try !holds(inner, for: current)
    case .all(let parts):
      for part in parts where try !holds(part, for: current) { return false }
      return true
    case .any(let parts):
      for part in parts where try holds(part, for: current) { return true }
      return false
    }
  }

  /// The values that a query in a filter selects.
  private mutating func nodes(
    _ query: JSONPath.FilterQuery, for current: JSONValue
  ) throws(JSONPathBudgetError) -> [JSONValue] {
    let start = query.startsAtRoot ? root : current
    if let steps = query.query.singularSteps {
      return try value(at: steps, from: start).map { [$0] } ?? []
    }
    return try select(query.query, from: start).map(\.value)
  }

  /// The value of an operand; nil for RFC 9535's Nothing.
  private mutating func value(
    _ operand: JSONPath.Operand, for current: JSONValue
  ) throws(JSONPathBudgetError) -> JSONValue? {
    switch operand {
    case .literal(let value):
      return value
    case .singular(let startsAtRoot, let steps):
      return try value(at: steps, from: startsAtRoot ? root : current)
    case .length(let inner):
      switch try value(inner, for: current) {
      case .string(let text):
        try charge(text.utf8.count / 64)
        return .integer(Int64(text.unicodeScalars.count))
      case .array(let elements): return .integer(Int64(elements.count))
      case .object(let object): return .integer(Int64(object.members.count))
      default: return nil
      }
    case .count(let query):
      return .integer(Int64(try nodes(query, for: current).count))
    case .value(let query):
      let nodes = try nodes(query, for: current)
      return nodes.count == 1 ? nodes[0] : nil
    }
  }

  private mutating func value(
    at steps: [JSONPath.Step], from start: JSONValue
  ) throws(JSONPathBudgetError) -> JSONValue? {
    try charge(1 + steps.count)
    return start.value(at: steps)
  }

  // MARK: - Comparisons (RFC 9535, section 2.3.5.2.2)

  private mutating func compare(
    _ left: JSONValue?, _ comparison: JSONComparison, _ right: JSONValue?
  ) throws(JSONPathBudgetError) -> Bool {
    switch comparison {
    case .equal: return try areEqual(left, right)
    case .notEqual: return try !areEqual(left, right)
    case .less: return isLess(left, right)
    case .greater: return isLess(right, left)
    case .lessOrEqual: return isLess(left, right) ? true : try areEqual(left, right)
    case .greaterOrEqual: return isLess(right, left) ? true : try areEqual(left, right)
    }
  }

  private mutating func areEqual(_ left: JSONValue?, _ right: JSONValue?) throws(JSONPathBudgetError) -> Bool {
    guard let left, let right else { return left == nil && right == nil }
    guard let same = left.isEquivalent(to: right, budget: &self.left) else {
      throw JSONPathBudgetError(budget: budget)
    }
    return same
  }

  private func isLess(_ left: JSONValue?, _ right: JSONValue?) -> Bool {
    switch (left, right) {
    case (.number(let left), .number(let right)): left.compare(right) < 0
    case (.string(let left), .string(let right)): left.precedesByScalars(right)
    default: false
    }
  }

  // MARK: - Patterns

  private mutating func matches(
    _ test: JSONPath.TextTest, for current: JSONValue
  ) throws(JSONPathBudgetError) -> Bool {
    guard case .string(let subject) = try value(test.subject, for: current) else { return false }
    var pattern = test.compiled
    if pattern == nil { pattern = try compiled(test.pattern, for: current) }
    guard let pattern else { return false }
    guard let found = pattern.matches(subject, anywhere: !test.coversWholeText, budget: &left) else {
      throw JSONPathBudgetError(budget: budget)
    }
    return found
  }

  /// Compiles a pattern that is not a literal; nil if it is not a valid pattern.
  ///
  /// The result for the last pattern is retained. A literal is compiled during parsing, so a literal here is not an
  /// I-Regexp.
  private mutating func compiled(
    _ operand: JSONPath.Operand, for current: JSONValue
  ) throws(JSONPathBudgetError) -> IRegexp? {
    if case .literal = operand { return nil }
    guard case .string(let text) = try value(operand, for: current) else { return nil }
    if let lastPattern, lastPattern.text.hasSameScalars(as: text) { return lastPattern.compiled }
    try charge(1 + text.utf8.count)
    let compiled = try? IRegexp(parsing: text)
    if let compiled { try charge(compiled.size) }
    lastPattern = (text, compiled)
    return compiled
  }
}
