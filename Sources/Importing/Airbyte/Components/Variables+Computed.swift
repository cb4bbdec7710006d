/// Values that transformations of the configuration compute.
extension Variables {
  /// Replaces a value of the configuration with an expression, in everything that is translated later.
  ///
  /// The expression becomes a computed variable. An expression with a secret cannot be a variable, so it is repeated
  /// wherever the value is used; so is a literal.
  func replace(_ keys: [String], with expression: FlowExpression) {
    let own = indices[keys].map { properties[$0] }
    if let own, expression.text == "vars.\(own.name)" { return }
    guard !expression.isLiteral, expression.kind != .null, !expression.text.contains("secrets."),
      properties.count < 3000
    else {
      replaced[keys] = expression
      return
    }
    let type =
      switch expression.kind {
      case .integer: "integer"
      case .number: "number"
      case .bool: "boolean"
      case .timestamp: "timestamp"
      case .list: "list"
      default: "string"
      }
    // No path of the configuration has an empty name.
    let path = own == nil ? keys : ["", "normalized"] + keys
    append(
      Property(
        keys: path, name: "", type: type, default: nil, description: nil, isSecret: false, isRequired: true,
        isDeclared: own == nil, computed: "{{ \(expression.text) }}"))
    guard let index = indices[path] else { return }
    properties[index].isUsed = true
    var result = self.expression(of: properties[index])
    result.mayBeEmpty = expression.mayBeEmpty || expression.mayBeMissing
    replaced[keys] = result
  }

  /// The type of a value of the configuration; nil for one that is not declared.
  func type(of keys: [String]) -> String? { indices[keys].map { properties[$0].type } }

  /// Whether the manifest declares a value, or an object, of the configuration.
  func hasDeclared(_ keys: [String]) -> Bool {
    isObject(keys) || indices[keys].map { properties[$0].isDeclared } ?? false
      || structured.contains { $0.keys == keys }
  }
}
