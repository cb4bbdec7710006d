/// The values of names after blocks that set them.
extension JinjaDefinitions {
  /// A branch of a block `{% if %}`, with the values that names have at the end of the branch.
  struct Branch {
    /// The condition of the branch; nil for `else`.
    let condition: JinjaExpression?
    let definitions: JinjaDefinitions
  }

  /// The names after a block `{% if %}`: a name that its branches set has the value from the chosen branch.
  func after(_ branches: [Branch]) throws(JinjaError) -> JinjaDefinitions {
    var result = self
    let names = Set(branches.flatMap { $0.definitions.values.keys })
    for name in names.sorted() {
      let before = values[name]?.expression
      guard branches.contains(where: { $0.definitions.values[name]?.expression != before }) else { continue }
      var value = before ?? .none
      for branch in branches.reversed() {
        let own = branch.definitions.values[name]?.expression ?? before ?? .none
        if let condition = branch.condition {
          value = own == value ? value : .conditional(condition, then: own, otherwise: value)
        } else {
          value = own
        }
      }
      try result.set(name, to: value)
    }
    return result
  }

  // MARK: - Loops

  /// The definitions at the start of a pass through a loop: members of namespaces have the values that earlier passes
  /// set.
  func inLoop() throws(JinjaError) -> JinjaDefinitions {
    var result = self
    for name in values.keys where name.contains(".") { try result.set(name, to: Self.running(name)) }
    return result
  }

  /// The definitions after a loop. Only members of namespaces keep the values that the loop sets.
  ///
  /// - Parameter inner: the definitions at the end of a pass through the loop
  func after(_ loop: JinjaLoop, _ inner: JinjaDefinitions) throws(JinjaError) -> JinjaDefinitions {
    var result = self
    for (name, before) in values.sorted(by: { $0.key < $1.key }) where name.contains(".") {
      guard let last = inner.values[name]?.expression, last != Self.running(name) else { continue }
      try result.set(name, to: Self.total(of: last, from: before.expression, Self.running(name), loop))
    }
    return result
  }

  /// The name that stands for the value of a namespace's member at the start of a pass through a loop.
  private static func running(_ name: String) -> JinjaExpression { .name("\(name) inside of the loop") }

  /// The value of a namespace's member after a loop in which each pass adds something to it or replaces it.
  private static func total(
    of last: JinjaExpression, from before: JinjaExpression, _ running: JinjaExpression, _ loop: JinjaLoop
  ) throws(JinjaError) -> JinjaExpression {
    var (value, condition) = (last, loop.condition)
    while case .conditional(let test, let then, let otherwise?) = value, then == running || otherwise == running {
      let more = then == running ? JinjaExpression.not(test) : test
      condition = condition.map { .binary($0, .and, more) } ?? more
      value = then == running ? otherwise : then
    }
    func elements(_ part: JinjaExpression) -> JinjaExpression {
      .collected(part, from: JinjaLoop(names: loop.names, list: loop.list, condition: condition, parts: []))
    }
    let (total, part): (JinjaExpression, JinjaExpression)
    switch value {
    case .binary(running, .plus, .list(let parts)) where parts.count == 1:
      part = parts[0]
      total = before == .list([]) ? elements(part) : .binary(before, .plus, elements(part))
    case .binary(running, let sign, let text) where sign == .join || sign == .plus && before.isText:
      part = text
      let texts = JinjaExpression.filter(elements(part), "join", [])
      total = before == .text("") ? texts : .binary(before, .join, texts)
    case .binary(running, .plus, let number):
      part = number
      let sum = JinjaExpression.filter(elements(part), "sum", [])
      total = before == .integer("0") ? sum : .binary(before, .plus, sum)
    default:
      part = value
      total = .conditional(
        .filter(elements(part), "length", []), then: .filter(elements(part), "last", []), otherwise: before)
    }
    guard !part.mentions(running), !(condition?.mentions(running) ?? false) else {
      throw JinjaError("a namespace that a loop changes can be translated only if each pass adds something")
    }
    return total
  }
}

extension JinjaExpression {
  /// Whether this expression is equal to another expression, or contains it.
  fileprivate func mentions(_ other: JinjaExpression) -> Bool { self == other || parts.contains { $0.mentions(other) } }

  fileprivate var isText: Bool { if case .text = self { true } else { false } }
}
