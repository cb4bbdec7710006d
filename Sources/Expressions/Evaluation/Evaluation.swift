internal import JSONSyntax

/// One evaluation: its scope, its clock and its remaining budget.
struct Evaluation {
  let scope: any ExpressionScope
  let now: ExpressionTimestamp
  private(set) var budget: EvaluationLimits
  var locals: [ExpressionValue] = []

  init(scope: any ExpressionScope, now: ExpressionTimestamp, limits: EvaluationLimits) {
    self.scope = scope
    self.now = now
    self.budget = limits
  }

  // MARK: - Budget

  mutating func spend(steps: Int) throws(EvaluationError) {
    guard Self.take(steps, from: &budget.steps) else {
      throw EvaluationError(.tooManySteps, "the evaluation takes more steps than allowed")
    }
  }

  /// Takes an amount from a budget; if the budget is too small, uses it up and returns false.
  ///
  /// Amounts are computed from numbers in the data, so they may be as large as any integer.
  private static func take(_ amount: Int, from budget: inout Int) -> Bool {
    guard amount <= budget else {
      budget = 0
      return false
    }
    budget -= max(0, amount)
    return true
  }

  /// Counts the steps for reading a text: one step for each 64 bytes.
  mutating func spend(reading text: String) throws(EvaluationError) { try spend(steps: 1 + text.utf8.count / 64) }

  mutating func spend(bytes: Int) throws(EvaluationError) {
    guard Self.take(bytes, from: &budget.memory) else {
      throw EvaluationError(.tooMuchMemory, "the result is too large")
    }
  }

  mutating func spend(elements: Int) throws(EvaluationError) {
    try spend(steps: elements)
    let (bytes, isTooLarge) = elements.multipliedReportingOverflow(by: 32)
    try spend(bytes: isTooLarge ? .max : bytes)
  }

  /// Runs a matcher within the remaining budget for matching.
  mutating func match<Value>(_ body: (inout Int) -> Value?) throws(EvaluationError) -> Value {
    guard let value = body(&budget.matching) else {
      throw EvaluationError(
        .tooManySteps, "the regular expression takes more steps than allowed; simplify it, or shorten the text")
    }
    return value
  }

  // MARK: - Steps

  mutating func value(_ step: Step) throws(EvaluationError) -> ExpressionValue {
    try spend(steps: 1)
    switch step {
    case .constant(let value): return value
    case .path(let root, let members, let ranges):
      return try lookUp(root, members, ranges)
    case .local(let slot, let range):
      guard locals.indices.contains(slot) else { throw EvaluationError(.missing, "the name has no value", at: range) }
      return locals[slot]
    case .member(let target, let name, let range):
      return try Self.member(name, of: try value(target), at: range)
    case .index(let target, let key, let range): return try indexed(target, key, range)
    case .has(let step): return .bool(try found(step) != nil)
    case .call(let call): return try called(call)
    case .coalesce(let steps, let range): return try firstFound(steps, range)
    case .optional(let step, _): return try found(step).flatMap { $0.isEmpty ? nil : $0 } ?? .null
    case .each(let each): return try elements(each)
    case .unary(let sign, let operand, let range): return try unary(sign, try value(operand), range)
    case .and(let left, let right): return .bool(try condition(left) ? try condition(right) : false)
    case .or(let left, let right): return .bool(try condition(left) ? true : try condition(right))
    case .binary(let sign, let left, let right, let range): return try binary(sign, left, right, range)
    case .conditional(let test, let one, let other): return try condition(test) ? try value(one) : try value(other)
    case .list(let steps, let range): return try list(steps, range)
    case .map(let entries, let range): return try map(entries, range)
    case .failure(let error): throw error
    }
  }

  /// The value; nil when a lookup has no value or is null.
  mutating func found(_ step: Step) throws(EvaluationError) -> ExpressionValue? {
    if case .conditional(let test, let one, let other) = step {
      return try condition(test) ? try found(one) : try found(other)
    }
    do throws(EvaluationError) {
      let value = try value(step)
      return value.isNull ? nil : value
    } catch {
      guard error.kind == .missing, step.isLookUp else { throw error }
      return nil
    }
  }

  // MARK: - Lookups

  /// Looks up a path; a member of a large object costs more steps.
  private mutating func lookUp(
    _ root: String, _ members: [String], _ ranges: [Range<Int>]
  ) throws(EvaluationError) -> ExpressionValue {
    guard var value = scope.value(of: root) else {
      throw EvaluationError(.missing, "'\(root)' has no value", at: ranges[0])
    }
    for (index, name) in members.enumerated() {
      try spend(steps: 1 + value.count / 16)
      value = try Self.member(name, of: value, at: ranges[index + 1])
    }
    return value
  }

  static func member(
    _ name: String, of value: ExpressionValue, at range: Range<Int>
  ) throws(EvaluationError) -> ExpressionValue {
    if let found = value.member(name) { return found }
    if value.isMap { throw EvaluationError(.missing, "there is no member '\(name)'", at: range) }
    if value.isNull { throw EvaluationError(.missing, "null has no member '\(name)'", at: range) }
    // `has` accepts any value: a response may be a list, and an error a text.
    throw EvaluationError(.missing, "a \(value.typeName) has no member '\(name)'", at: range)
  }

  private mutating func indexed(
    _ target: Step, _ keyStep: Step, _ range: Range<Int>
  ) throws(EvaluationError) -> ExpressionValue {
    let value = try value(target)
    let key = try self.value(keyStep)
    if case .string(let name) = key {
      // A computed key may be secret, so it must not be in a message.
      if case .constant = keyStep { return try Self.member(name, of: value, at: range) }
      if let found = value.member(name) { return found }
      if value.isMap { throw EvaluationError(.missing, "there is no such member", at: range, value: name) }
      if !value.isNull { throw EvaluationError(.missing, "a \(value.typeName) has no members", at: range) }
    }
    guard value.isList else {
      if value.isNull { throw EvaluationError(.missing, "null has no elements", at: range) }
      if value.isMap { throw EvaluationError(.wrongType, "a map is indexed by a string", at: range) }
      throw EvaluationError(.wrongType, "a \(value.typeName) has no elements", at: range)
    }
    guard case .int(let index)? = key.numeric else {
      throw EvaluationError(.wrongType, "a list is indexed by an int, not a \(key.typeName)", at: range)
    }
    guard let position = Int(exactly: index), let element = value.element(position) else {
      throw EvaluationError(.missing, "there is no element \(index) in a list of \(value.count)", at: range)
    }
    return element
  }

  private mutating func firstFound(_ steps: [Step], _ range: Range<Int>) throws(EvaluationError) -> ExpressionValue {
    for step in steps.dropLast() {
      if let value = try found(step) { return value }
    }
    guard let last = steps.last else { throw EvaluationError(.missing, "coalesce has no arguments", at: range) }
    return try value(last)
  }

  // MARK: - Conditions and collections

  mutating func condition(_ step: Step) throws(EvaluationError) -> Bool {
    let value = try value(step)
    guard case .bool(let condition) = value else {
      throw EvaluationError(.wrongType, "a condition is a bool, not a \(value.typeName)", at: step.range)
    }
    return condition
  }

  private mutating func list(_ steps: [Step], _ range: Range<Int>) throws(EvaluationError) -> ExpressionValue {
    var elements: [ExpressionValue] = []
    for step in steps { elements.append(try counted(try value(step), range)) }
    return .list(elements)
  }

  private mutating func map(
    _ entries: [(key: Step, value: Step)], _ range: Range<Int>
  ) throws(EvaluationError) -> ExpressionValue {
    var members: [ExpressionMember] = []
    for entry in entries {
      let key = try value(entry.key)
      guard case .string(let name) = key else {
        throw EvaluationError(.wrongType, "a key of a map is a string, not a \(key.typeName)", at: range)
      }
      try spend(steps: members.count)
      guard !members.contains(where: { $0.name.hasSameScalars(as: name) }) else {
        throw EvaluationError(.badArgument, "a key occurs twice in the map", at: range, value: name)
      }
      members.append(ExpressionMember(name, try counted(try value(entry.value), range)))
    }
    return .map(members)
  }

  /// Counts the whole size of a value that becomes part of a list or map.
  ///
  /// Otherwise nested lists that repeat one large value could make the result a thousand times larger without a cost.
  mutating func counted(_ value: ExpressionValue, _ range: Range<Int>) throws(EvaluationError) -> ExpressionValue {
    do throws(EvaluationError) {
      try spend(elements: 1)
      switch value {
      case .list, .map, .json: try spend(bytes: value.size(atMost: budget.memory))
      case .string(let text): try spend(bytes: text.utf8.count)
      default: break
      }
    } catch {
      throw error.at(range)
    }
    return value
  }

  // MARK: - Calls

  private mutating func called(_ call: Step.Call) throws(EvaluationError) -> ExpressionValue {
    var arguments: [ExpressionValue] = []
    arguments.reserveCapacity(call.arguments.count)
    for step in call.arguments { arguments.append(try value(step)) }
    do throws(EvaluationError) {
      return try call.function.body(Arguments(call.function.name, arguments, prepared: call.prepared), &self)
    } catch {
      throw error.at(call.range)
    }
  }
}
