public import JSONSyntax

extension TemplatedJSON {
  /// The JSON document with all templates replaced by their values, and whether it holds a secret.
  public func resolve(with scope: ResolutionScope) throws(ResolutionError) -> (value: JSONValue, isSecret: Bool) {
    switch self {
    case .constant(let value):
      return (value, false)
    case .template(let template):
      return try template.value.resolveJSON(with: scope)
    case .array(let elements):
      var values: [JSONValue] = []
      var isSecret = false
      for element in elements {
        let resolved = try element.resolve(with: scope)
        values.append(resolved.value)
        isSecret = isSecret || resolved.isSecret
      }
      return (.array(values), isSecret)
    case .object(let members):
      var values: [JSONObject.Member] = []
      var isSecret = false
      for member in members {
        let resolved = try member.value.resolve(with: scope)
        values.append(JSONObject.Member(name: member.name, value: resolved.value))
        isSecret = isSecret || resolved.isSecret
      }
      return (.object(JSONObject(values)), isSecret)
    }
  }
}
