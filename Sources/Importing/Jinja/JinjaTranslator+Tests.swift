/// Tests such as `x is defined`.
extension JinjaTranslator {
  func test(
    _ base: JinjaExpression, _ name: String, _ operands: [JinjaExpression]
  ) throws(JinjaError) -> FlowExpression {
    let aliases = [
      "==": "eq", "!=": "ne", ">": "gt", "greaterthan": "gt", "<": "lt", "lessthan": "lt", ">=": "ge", "<=": "le",
    ]
    let name = aliases[name] ?? name
    switch name {
    case "defined", "undefined", "none":
      let value = try translate(base)
      let isPresent = name == "defined"
      if value.kind == .null { return FlowExpression(isPresent ? "false" : "true", .bool) }
      if value.isSecret { return isPresent ? value.truth : negated(value.truth) }
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
      return try translate(.binary(base, .in, list))
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
      return try isOf(kind: name, base)
    case "true": return try translate(.binary(base, .equal, .bool(true)))
    case "false": return try translate(.binary(base, .equal, .bool(false)))
    case "even": return try translate(.binary(.binary(base, .rest, .integer("2")), .equal, .integer("0")))
    case "odd": return try translate(.binary(.binary(base, .rest, .integer("2")), .equal, .integer("1")))
    case "divisibleby":
      guard let other = operands.first else { throw JinjaError("'divisibleby' without a value") }
      return try translate(.binary(.binary(base, .rest, other), .equal, .integer("0")))
    default: throw JinjaError("the test '\(name)' cannot be translated")
    }
  }

  /// The types of values for which a test is true, by the name of the test. In Jinja, a boolean is a number.
  private static let types = [
    "string": ["string"], "number": ["int", "double", "bool"], "integer": ["int"], "float": ["double"],
    "boolean": ["bool"], "mapping": ["map"], "sequence": ["string", "list", "map"],
    "iterable": ["string", "list", "map"],
  ]

  /// Translates a test of the kind of a value. If the kind is known only during a run, the resulting expression tests
  /// it.
  private func isOf(kind name: String, _ base: JinjaExpression) throws(JinjaError) -> FlowExpression {
    let types = Self.types[name] ?? []
    if isObject(base) { return FlowExpression("\(types.contains("map"))", .bool) }
    let value = try translate(base)
    guard value.kind == .any || value.mayBeMissing else {
      return FlowExpression("\(types.contains(Self.type(of: value.kind)))", .bool)
    }
    guard value.isLookUp || value.kind == .any, !["cursor.", "page."].contains(where: { value.text.hasPrefix($0) })
    else {
      throw JinjaError("the test '\(name)' cannot be translated for this value")
    }
    // An undefined name can be iterated, while null cannot.
    if types.count == 3, name != "number", value.mayBeMissing, !isFound(base) {
      throw JinjaError("the test '\(name)' can be translated only for values that 'get' returns")
    }
    let found = "type(\(value.text))"
    let literals = types.map { FlowExpression.literal($0).text }
    return FlowExpression(
      types.count == 1 ? "\(found) == \(literals[0])" : "\(found) in [\(literals.joined(separator: ", "))]", .bool,
      .relation)
  }

  /// Whether a look-up without a value returns null instead of being undefined.
  private func isFound(_ expression: JinjaExpression) -> Bool {
    if case .call(.member(_, .text("get")), _) = expression { true } else { false }
  }

  /// The type that a value of this kind has in Jinja, by the type's name in the flow language; empty if unknown.
  private static func type(of kind: FlowExpression.Kind) -> String {
    switch kind {
    case .null: "null"
    case .bool: "bool"
    case .integer: "int"
    case .number: "double"
    case .string, .timestamp: "string"
    case .duration: "duration"
    case .list: "list"
    case .map: "map"
    case .any: ""
    }
  }
}
