/// The variables and secrets as the flow file has them.
extension Variables {
  /// The secrets' names, in order.
  var secretNames: [String] { properties.filter(\.isSecret).map(\.name) }

  /// The `vars` of the flow file.
  var mapping: OutputMapping {
    var result = OutputMapping()
    for property in properties where !property.isSecret {
      var value = OutputMapping()
      if property.type != "string" { value["type"] = .scalar(property.type) }
      if let computed = property.computed { value["value"] = .scalar(OutputText.quoted(computed)) }
      switch property.default {
      case .text(let text)?: value["default"] = .text(text)
      case .number(let text)?: value["default"] = property.type == "string" ? .text(text) : .scalar(text)
      case .bool(let flag)?: value["default"] = property.type == "string" ? .text("\(flag)") : .scalar("\(flag)")
      case .list(let elements)?:
        value["default"] = elements.isEmpty ? .text("") : .list(elements.compactMap(\.scalar).map { .text($0) })
      default: break
      }
      if let condition = property.condition { value["where"] = .scalar(OutputText.expression(condition.text)) }
      if let description = property.description, !description.isEmpty {
        value["description"] = .text(String(OutputText.flat(description).prefix(120)))
      }
      let isShort =
        property.type == "string" && property.description == nil && property.computed == nil
        && property.condition == nil
      if isShort, let fallback = value["default"] {
        result.set(property.name, fallback, from: nil)
      } else {
        if value.isEmpty { value["type"] = .scalar("string") }
        result.set(property.name, .mapping(value), from: nil)
      }
    }
    return result
  }
}
