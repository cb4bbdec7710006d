/// Converts a condition on `property`, the value of a member, to a jq program.
enum PropertyCondition {
  /// Returns the condition as an expression on `.`; nil for one that jq cannot express in the same way.
  static func jq(_ text: String) -> String? {
    guard let only = (try? JinjaTemplate(text))?.only else { return nil }
    return condition(only, depth: 0)
  }

  private static let untrue = "(. == null or . == false or . == 0 or . == \"\" or . == [] or . == {})"

  private static func condition(_ expression: JinjaExpression, depth: Int) -> String? {
    guard depth < 16 else { return nil }
    func inner(_ expression: JinjaExpression) -> String? { condition(expression, depth: depth + 1) }
    switch expression {
    case .bool(let value): return value ? "true" : "false"
    case .name("property"): return "(\(untrue) | not)"
    case .not(let value): return inner(value).map { "(\($0) | not)" }
    case .test(.name("property"), let name, let operands, let isNegated):
      let found: String?
      switch name {
      case "none": found = "(. == null)"
      case "defined": found = "true"
      case "string": found = "(type == \"string\")"
      case "number": found = "(type == \"number\")"
      case "mapping": found = "(type == \"object\")"
      case "in": found = operands.first.flatMap { member(".", of: $0) }
      default: found = nil
      }
      return found.map { isNegated ? "(\($0) | not)" : $0 }
    case .binary(let left, .and, let right):
      guard let left = inner(left), let right = inner(right) else { return nil }
      return "(\(left) and \(right))"
    case .binary(let left, .or, let right):
      guard let left = inner(left), let right = inner(right) else { return nil }
      return "(\(left) or \(right))"
    case .binary(let left, .equal, let right): return equality(left, right)
    case .binary(let left, .different, let right): return equality(left, right).map { "(\($0) | not)" }
    case .binary(let left, .in, let right): return subject(left).flatMap { member($0, of: right) }
    case .binary(let left, .notIn, let right):
      return subject(left).flatMap { member($0, of: right) }.map { "(\($0) | not)" }
    default: return nil
    }
  }

  private static func subject(_ expression: JinjaExpression) -> String? {
    switch expression {
    case .name("property"): "."
    case .filter(.name("property"), "string", let arguments) where arguments.isEmpty: "tostring"
    default: nil
    }
  }

  private static func equality(_ left: JinjaExpression, _ right: JinjaExpression) -> String? {
    if case .filter(.name("property"), "length", _) = left, right == .integer("0") {
      return "(. == \"\" or . == [] or . == {})"
    }
    guard let subject = subject(left), let literal = literal(right) else { return nil }
    // Python's names of values that are not texts.
    if subject == "tostring", ["\"None\"", "\"True\"", "\"False\""].contains(literal) { return nil }
    return "(\(subject) == \(literal))"
  }

  private static func member(_ subject: String, of list: JinjaExpression) -> String? {
    guard case .list(let elements) = list, !elements.isEmpty else { return nil }
    let literals = elements.compactMap(literal)
    guard literals.count == elements.count else { return nil }
    return "(" + literals.map { "\(subject) == \($0)" }.joined(separator: " or ") + ")"
  }

  private static func literal(_ expression: JinjaExpression) -> String? {
    switch expression {
    case .none: "null"
    case .bool(let value): value ? "true" : "false"
    case .integer(let digits), .number(let digits): digits
    case .text(let text): StreamTranslator.jq(text: text)
    case .list(let elements) where elements.isEmpty: "[]"
    case .mapping(let pairs) where pairs.isEmpty: "{}"
    default: nil
    }
  }
}
