/// Tests such as `x is defined`.
extension JinjaTranslator {
  func test(
    _ base: JinjaExpression, _ name: String, _ operands: [JinjaExpression]
  ) throws(JinjaError) -> FlowExpression {
    switch name {
    case "defined", "undefined", "none":
      let value = try translate(base)
      let isPresent = name == "defined"
      if value.kind == .null { return FlowExpression(isPresent ? "false" : "true", .bool) }
      if value.isLookUp {
        return isPresent
          ? FlowExpression("has(\(value.text))", .bool) : FlowExpression("\(value.text) == null", .bool, .relation)
      }
      // A variable without a value is an empty text.
      if value.mayBeEmpty, value.kind == .string {
        return FlowExpression("\(value.operand(.sum)) \(isPresent ? "!=" : "==") ''", .bool, .relation)
      }
      return FlowExpression(isPresent ? "true" : "false", .bool)
    case "in":
      guard let list = operands.first else { throw JinjaError("'in' without a list") }
      return try contains(try translate(base), in: try translate(list))
    case "equalto", "eq", "sameas":
      guard let other = operands.first else { throw JinjaError("'\(name)' without a value") }
      return try translate(.binary(base, .equal, other))
    case "ne":
      guard let other = operands.first else { throw JinjaError("'ne' without a value") }
      return try translate(.binary(base, .different, other))
    case "gt", "lt", "ge", "le":
      guard let other = operands.first else { throw JinjaError("'\(name)' without a value") }
      let kinds: [String: JinjaExpression.Operator] = [
        "gt": .greater, "lt": .less, "ge": .greaterOrEqual, "le": .lessOrEqual,
      ]
      return try translate(.binary(base, kinds[name] ?? .less, other))
    case "string", "number", "integer", "float", "boolean", "mapping", "sequence", "iterable":
      return FlowExpression("\(try isOf(kind: name, base))", .bool)
    case "true": return try translate(.binary(base, .equal, .bool(true)))
    case "false": return try translate(.binary(base, .equal, .bool(false)))
    case "even": return try translate(.binary(.binary(base, .rest, .integer("2")), .equal, .integer("0")))
    case "odd": return try translate(.binary(.binary(base, .rest, .integer("2")), .equal, .integer("1")))
    case "divisibleby":
      guard let other = operands.first else { throw JinjaError("'divisibleby' without a value") }
      return try translate(.binary(.binary(base, .rest, other), .equal, .integer("0")))
    default: throw JinjaError("the test '\(name)' has no counterpart")
    }
  }

  /// Whether a value is of a kind, where that is known before the run.
  private func isOf(kind name: String, _ base: JinjaExpression) throws(JinjaError) -> Bool {
    if isObject(base) { return name == "mapping" || name == "iterable" }
    let value = try translate(base)
    guard value.kind != .any, !value.mayBeMissing else {
      throw JinjaError("the test '\(name)' has a counterpart only for values of the configuration")
    }
    return switch name {
    case "string": [.string, .timestamp].contains(value.kind)
    case "number": [.integer, .number].contains(value.kind)
    case "integer": value.kind == .integer
    case "float": value.kind == .number
    case "boolean": value.kind == .bool
    case "mapping": value.kind == .map
    default: [.list, .map, .string, .timestamp].contains(value.kind)
    }
  }
}
