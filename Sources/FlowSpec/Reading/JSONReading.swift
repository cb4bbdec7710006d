import JSONSyntax
import YAMLSyntax

/// Converts YAML to JSON.
///
/// Unquoted `true`, `false`, `null` and numbers in JSON's grammar keep their type. All other scalars become strings.
enum JSONReading {
  /// The JSON value of a scalar.
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

  /// The JSON value of a node with all its children.
  static func value(of node: YAMLNode) -> JSONValue {
    switch node.content {
    case .scalar(let scalar): value(of: scalar)
    case .sequence(let nodes): .array(nodes.map { value(of: $0) })
    case .mapping(let mapping):
      .object(JSONObject(mapping.entries.map { JSONObject.Member(name: $0.name, value: value(of: $0.value)) }))
    }
  }
}
