/// Conditions on the values of variables.
extension Variables {
  /// Adds the requirements of a schema, except the type, as conditions on a value of the configuration.
  ///
  /// - Returns: whether the value is a variable or a secret
  @discardableResult
  func constrain(_ keys: [String], by schema: SourceNode) -> Bool {
    guard let index = index(of: keys) else { return false }
    let property = properties[index]
    let name = keys.joined(separator: ".")
    let condition = SchemaCondition(schema, of: property.conditionSubject, property.subject)
    if property.isSecret {
      if condition.expression != nil || !condition.unknown.isEmpty {
        unstated.append(
          Unstated(name: name, why: .needless("it is a secret, which only the server checks"), node: schema))
      }
      return true
    }
    if let expression = condition.expression, !property.conditions.contains(expression) {
      properties[index].conditions.append(expression)
    }
    let unknown = condition.unknown + (property.fits(schema) ? [] : ["type"])
    if !unknown.isEmpty { unstated.append(Unstated(name: name, why: .keywords(unknown), node: schema)) }
    return true
  }

  /// Removes the conditions on a value that the manifest declares again for another choice with other conditions: those
  /// of one choice would reject the values of the other choices.
  func declareAgain(_ keys: [String], as schema: SourceNode) {
    guard let index = indices[keys] else { return }
    let property = properties[index]
    let condition = SchemaCondition(schema, property.subject)
    guard condition.expression.map({ [$0] }) ?? [] != property.conditions else { return }
    properties[index].conditions = []
    unstated.append(
      Unstated(
        name: keys.joined(separator: "."),
        why: .needless("it differs between the choices, and a variable has only one condition"),
        node: schema))
  }

  /// The index of the variable that contains a value of the configuration as its transformations left it.
  private func index(of keys: [String]) -> Int? {
    guard let replaced = replaced[keys] else { return indices[keys] }
    return properties.firstIndex { "vars.\($0.name)" == replaced.text }
  }
}

extension Variables.Property {
  fileprivate var subject: SchemaCondition.Subject {
    if isStructure { return .any }
    return switch type {
    case "string": .text
    case "integer", "number": .number
    case "list": .list
    default: .opaque
    }
  }

  /// Whether each value of the variable has a type that the schema allows.
  fileprivate func fits(_ schema: SourceNode) -> Bool {
    let types = schema["type"]?.texts ?? []
    if isStructure || types.isEmpty { return true }
    switch type {
    case "integer": return types.contains("integer") || types.contains("number")
    case "number", "boolean": return types.contains(type)
    case "list": return types.contains("array")
    default: return types.contains("string")
    }
  }

  /// The expression for the value in conditions; if the variable contains JSON, it parses the text.
  fileprivate var conditionSubject: String { isStructure ? "json(value)" : "value" }

  /// All conditions joined into one, which a value that means "not given" satisfies; nil if there are no conditions.
  var condition: FlowExpression? {
    guard let first = conditions.first else { return nil }
    let all = conditions.dropFirst().reduce(first) { JinjaTranslator.both($0, .and, $1) }
    let none: String? =
      switch self.default {
      case .text(""): "value == ''"
      case .number("0") where usedDefault == "": "value == 0"
      case .list(let elements) where elements.isEmpty: "length(value) == 0"
      default: nil
      }
    return none.map { JinjaTranslator.both(FlowExpression($0, .bool, .relation), .or, all) } ?? all
  }
}
