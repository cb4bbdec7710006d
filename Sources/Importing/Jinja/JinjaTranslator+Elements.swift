/// Filters that look at each element of a list.
extension JinjaTranslator {
  /// The name of an element, which no template can use.
  private static let element = "an element"

  private var ofElements: JinjaTranslator {
    var names = names
    names.locals[Self.element] = FlowExpression("x", .any)
    return JinjaTranslator(names)
  }

  private func member(at path: [String]) -> JinjaExpression {
    path.reduce(.name(Self.element)) { .member($0, .text($1)) }
  }

  /// `map(attribute='a.b')`, or `map('upper')`.
  func mapped(_ list: FlowExpression, _ arguments: [JinjaArgument]) throws(JinjaError) -> FlowExpression {
    guard let first = arguments.first, case .text(let text) = first.value else {
      throw JinjaError("the filter 'map' lacks an attribute or a filter")
    }
    if first.name == "attribute" {
      var value = FlowExpression("x", .any)
      for name in text.split(separator: ".") { value = value.member(String(name)) }
      let fallback = arguments.first { $0.name == "default" }
      if let fallback { value = value.filled(with: try translate(fallback.value)) }
      return FlowExpression("\(filledList(list)).map(x, \(value.text))", .list)
    }
    guard first.name == nil else { throw JinjaError("the filter 'map' has no counterpart with '\(first.name ?? "")'") }
    let value = try ofElements.filter(.name(Self.element), text, Array(arguments.dropFirst()))
    return FlowExpression("\(filledList(list)).map(x, \(value.text))", .list)
  }

  /// The elements that count as true, or for which a test is; or the others.
  ///
  /// - Parameter path: the path of the member of an element that is tested; empty for the element itself
  func selected(
    _ list: FlowExpression, _ path: [String], _ isRejected: Bool, _ arguments: [JinjaArgument]
  ) throws(JinjaError) -> FlowExpression {
    let subject = member(at: path)
    var condition: FlowExpression
    if let first = arguments.first {
      guard case .text(let test) = first.value else { throw JinjaError("a test that is computed has no counterpart") }
      condition = try ofElements.test(subject, test, arguments.dropFirst().map(\.value)).truth
    } else {
      condition = try ofElements.truth(subject)
    }
    if isRejected { condition = negated(condition) }
    return FlowExpression("\(filledList(list)).filter(x, \(condition.text))", .list)
  }
}
