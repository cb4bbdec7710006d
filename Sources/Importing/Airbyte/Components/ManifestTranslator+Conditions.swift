/// Conditions on the configuration.
extension ManifestTranslator {
  /// Carries over the validations of the configuration as conditions of variables, and records those that cannot be
  /// expressed.
  mutating func conditionsOfValues() {
    for validation in reader.top("spec")?["config_normalization_rules"]?["validations"]?.list ?? [] {
      validate(validation)
    }
    for rest in context.variables.unstated {
      let what = "the condition on '\(rest.name)'"
      switch rest.why {
      case .needless(let reason): skip(what, reason: reason, rest.node)
      case .keywords(let keywords):
        let words = Set(keywords).sorted().map { "'\($0)'" }.joined(separator: ", ")
        lose(what, needs: "a condition that can express \(words)", rest.node)
      }
    }
  }

  private mutating func validate(_ validation: SourceNode) {
    let path = validation["field_path"]?.texts ?? []
    let name = path.joined(separator: ".")
    let strategy = validation["validation_strategy"]
    guard strategy?["type"]?.text == "ValidateAdheresToSchema", let schema = strategy?["base_schema"],
      !path.isEmpty, constrain(path, schema, depth: 0)
    else {
      return lose(
        "validation of '\(name.isEmpty ? validation["type"]?.text ?? "the configuration" : name)'",
        needs: "a variable with this value", validation)
    }
  }

  /// Adds the requirements of the schema as conditions on a value of the configuration, or on its members; returns
  /// false if that is not possible.
  private func constrain(_ path: [String], _ schema: SourceNode, depth: Int) -> Bool {
    if context.variables.constrain(path, by: schema) { return true }
    guard depth < 8, context.variables.isObject(path), schema["type"]?.text == "object",
      let members = schema["properties"]?.members
    else { return false }
    for name in schema["required"]?.texts ?? [] { context.variables.require(path + [name]) }
    return members.allSatisfy { constrain(path + [$0.name], $0.value, depth: depth + 1) }
  }
}
