/// Filters that look at each element of a list.
extension JinjaTranslator {
  /// The name of the variable for an element. Templates cannot contain this name, because of its space.
  private static let element = "an element"

  private func ofElements(_ list: FlowExpression) -> JinjaTranslator {
    var names = names
    names.locals[Self.element] = FlowExpression("x", list.isOfTexts ? .string : .any)
    return JinjaTranslator(names)
  }

  private func member(at path: [String]) -> JinjaExpression {
    path.reduce(.name(Self.element)) { .member($0, .text($1)) }
  }

  /// The elements sorted; texts that differ only in case are equal, unless the filter is case-sensitive.
  func sorted(_ list: FlowExpression, _ arguments: [JinjaArgument]) throws(JinjaError) -> FlowExpression {
    let values = positional(arguments, ["reverse", "case_sensitive", "attribute"])
    let key = try key(of: list, keepsCase: values[1], values[2])
    switch values[0] {
    case nil, .bool(false)?: return FlowExpression("\(filledList(list)).sort(x, \(key))", .list)
    // Equal elements keep their order.
    case .bool(true)?:
      return FlowExpression("reverse(reverse(\(filledList(list))).sort(x, \(key)))", .list)
    default: throw JinjaError("a computed 'reverse' cannot be translated")
    }
  }

  /// The expression for the value by which an element `x` is compared.
  func key(
    of list: FlowExpression, keepsCase: JinjaExpression?, _ attribute: JinjaExpression?
  ) throws(JinjaError) -> String {
    var value = FlowExpression("x", list.isOfTexts ? .string : .any)
    if let attribute {
      guard case .text(let path) = attribute, !path.contains(",") else {
        throw JinjaError("'attribute' must be one name in quotes; an expression or several names cannot be translated")
      }
      value = FlowExpression("x", .any)
      for name in path.split(separator: ".") { value = value.member(String(name)) }
    }
    switch keepsCase {
    case .bool(true)?: return value.text
    case nil, .bool(false)?:
      if list.isMapped(by: "upper") || list.isMapped(by: "lower"), attribute == nil { return "x" }
      return value.kind == .string
        ? "lower(x)" : "type(\(value.text)) == 'string' ? lower(\(value.text)) : \(value.text)"
    default: throw JinjaError("a computed 'case_sensitive' cannot be translated")
    }
  }

  /// `map(attribute='a.b')`, or `map('upper')`.
  func mapped(_ list: FlowExpression, _ arguments: [JinjaArgument]) throws(JinjaError) -> FlowExpression {
    guard let first = arguments.first, case .text(let text) = first.value else {
      throw JinjaError("the filter 'map' needs an attribute or a filter")
    }
    if first.name == "attribute" {
      var value = FlowExpression("x", .any)
      for name in text.split(separator: ".") { value = value.member(String(name)) }
      let fallback = arguments.first { $0.name == "default" }
      if let fallback { value = value.filled(with: try translate(fallback.value)) }
      return FlowExpression("\(filledList(list)).map(x, \(value.text))", .list)
    }
    guard first.name == nil else {
      throw JinjaError("the filter 'map' cannot be translated with '\(first.name ?? "")'")
    }
    let value = try ofElements(list).filter(.name(Self.element), text, Array(arguments.dropFirst()))
    return FlowExpression("\(filledList(list)).map(x, \(value.text))", .list)
  }

  /// The elements that count as true, or that pass a test (`select`); or the other elements (`reject`).
  ///
  /// - Parameter path: the path of the member of an element that is tested; empty for the element itself
  func selected(
    _ list: FlowExpression, _ path: [String], _ isRejected: Bool, _ arguments: [JinjaArgument]
  ) throws(JinjaError) -> FlowExpression {
    let subject = member(at: path)
    var condition: FlowExpression
    if let first = arguments.first {
      guard case .text(let test) = first.value else { throw JinjaError("a computed test cannot be translated") }
      condition = try ofElements(list).test(subject, test, arguments.dropFirst().map(\.value)).truth
    } else {
      condition = try ofElements(list).truth(subject)
    }
    if isRejected { condition = negated(condition) }
    return FlowExpression("\(filledList(list)).filter(x, \(condition.text))", .list)
  }
}
