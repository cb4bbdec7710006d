internal import JSONSyntax

/// Converts the syntax tree to evaluation steps and collects the names that the expression uses.
struct StepBuilder {
  private(set) var references: [Expression.Reference] = []
  private(set) var usesClock = false
  private var locals: [String] = []

  mutating func build(_ node: SyntaxNode) -> Step {
    switch node {
    case .null: .constant(.null)
    case .bool(let value, _): .constant(.bool(value))
    case .int(let value, _): .constant(.int(value))
    case .double(let text, _): .constant(.number(JSONNumber(validated: text)))
    case .string(let text, _): .constant(.string(text))
    case .group(let inner, _): build(inner)
    case .name, .member: lookUp(node)
    case .index(let target, let key, let range): indexed(target, key, range)
    case .call(let call): called(call)
    case .unary(let sign, let operand, let range): .unary(sign, build(operand), range)
    case .binary(.and, let left, let right, _): .and(build(left), build(right))
    case .binary(.or, let left, let right, _): .or(build(left), build(right))
    case .binary(let sign, let left, let right, _): .binary(sign, build(left), build(right), node.range)
    case .conditional(let condition, let value, let other):
      .conditional(build(condition), build(value), build(other))
    case .list(let elements, let range): .list(elements.map { build($0) }, range)
    case .map(let entries, let range):
      .map(entries.map { (key: build($0.key), value: build($0.value)) }, range)
    }
  }

  /// Converts `a.b.c`, also written `a['b'].c`, to evaluation steps.
  ///
  /// The result is a single step if the lookup begins with a name of the scope.
  private mutating func lookUp(_ node: SyntaxNode) -> Step {
    if let (root, members, ranges) = path(node) {
      references.append(Expression.Reference(root: root, members: members, ranges: ranges))
      return .path(root: root, members: members, ranges: ranges)
    }
    switch node {
    case .name(let name, let range):
      return .local(locals.lastIndex(of: name) ?? 0, range)
    case .member(let target, let name, let range):
      return .member(build(target), name, range)
    default:
      return build(node)
    }
  }

  private func path(_ node: SyntaxNode) -> (root: String, members: [String], ranges: [Range<Int>])? {
    switch node {
    case .group(let inner, _):
      return path(inner)
    case .name(let name, let range):
      return locals.contains(name) ? nil : (name, [], [range])
    case .member(let target, let name, let range):
      guard var found = path(target) else { return nil }
      found.members.append(name)
      found.ranges.append(range)
      return found
    case .index(let target, let key, _):
      guard let name = key.literalText, var found = path(target) else { return nil }
      found.members.append(name)
      found.ranges.append(key.range)
      return found
    default:
      return nil
    }
  }

  private mutating func indexed(_ target: SyntaxNode, _ key: SyntaxNode, _ range: Range<Int>) -> Step {
    let node = SyntaxNode.index(target, key, range)
    if path(node) != nil { return lookUp(node) }
    return .index(build(target), build(key), range)
  }

  private mutating func called(_ call: SyntaxNode.Call) -> Step {
    if let macro = Macro(rawValue: call.name) { return each(macro, call) }
    switch call.name {
    case "has":
      guard !call.isMethod, call.arguments.count == 1 else { break }
      return .has(build(call.arguments[0]))
    case "coalesce":
      return .coalesce(call.arguments.map { build($0) }, call.range)
    case "optional":
      guard call.arguments.count == 1 else { break }
      return .optional(build(call.arguments[0]), call.range)
    default:
      break
    }
    if call.name == "now" || call.name == "today" { usesClock = true }
    var arguments = call.arguments.map { build($0) }
    // A missing value has the type of null.
    if call.name == "type" { arguments = arguments.map { .coalesce([$0, .constant(.null)], $0.range) } }
    guard let function = FunctionTable.function(call.name), function.takes(arguments.count) else {
      return .failure(
        EvaluationError(
          .unknownFunction, "there is no function \(call.name) with \(arguments.count) arguments", at: call.range))
    }
    return .call(
      Step.Call(
        function: function, arguments: arguments, prepared: prepared(function, call.arguments), range: call.range))
  }

  private mutating func each(_ macro: Macro, _ call: SyntaxNode.Call) -> Step {
    guard call.arguments.count == 3, case .name(let variable, _) = call.arguments[1] else {
      return .failure(
        EvaluationError(
          .unknownFunction, "\(macro.rawValue) is written list.\(macro.rawValue)(x, …)", at: call.range))
    }
    let list = build(call.arguments[0])
    locals.append(variable)
    let body = build(call.arguments[2])
    locals.removeLast()
    return .each(Step.Each(macro: macro, list: list, body: body, slot: locals.count, range: call.range))
  }

  private func prepared(_ function: Function, _ arguments: [SyntaxNode]) -> Step.Prepared? {
    guard let literal = function.literal, arguments.indices.contains(literal.argument),
      let text = arguments[literal.argument].literalText
    else { return nil }
    switch literal.kind {
    case .expression: return (try? IRegexp(parsing: text, capturing: true)).map { .expression($0) }
    case .form: return TimeForm(text).map { .pattern($0) }
    case .unit, .duration, .encoding: return nil
    }
  }
}
