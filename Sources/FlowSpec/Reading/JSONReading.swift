import JSONSyntax
import YAMLSyntax

/// Reads YAML as JSON: unquoted `true`, `false`, `null` and numbers of JSON's grammar keep their type; the rest is
/// text.
enum JSONReading {
  /// The value of a scalar.
  static func value(of scalar: YAMLScalar) -> JSONValue {
    let isPlain = scalar.style == .plain
    guard isPlain || scalar.tag != nil, scalar.tag?.hasSuffix("str") != true else { return .string(scalar.text) }
    if scalar.isNull { return .null }
    switch scalar.text {
    case "true": return .bool(true)
    case "false": return .bool(false)
    default:
      return NumberText.isNumber(scalar.text) ? .number(JSONNumber(validated: scalar.text)) : .string(scalar.text)
    }
  }

  /// The value of a tree.
  static func value(of node: YAMLNode) -> JSONValue {
    switch node.content {
    case .scalar(let scalar): value(of: scalar)
    case .sequence(let nodes): .array(nodes.map { value(of: $0) })
    case .mapping(let mapping):
      .object(JSONObject(mapping.entries.map { JSONObject.Member(name: $0.name, value: value(of: $0.value)) }))
    }
  }
}
