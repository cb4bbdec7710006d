import FieldTypes
import JSONSyntax
import SourceDiagnostics
import YAMLSyntax

extension FlowReader {
  /// The default of a field, read by the field's type as a value of a response would be.
  mutating func defaultValue(_ node: YAMLNode, of type: TypeDeclaration, in value: FieldValue) -> JSONValue? {
    switch type {
    case .json:
      return JSONReading.value(of: node)
    case .list(let element):
      guard case .sequence(let nodes) = node.content else { return refuse(node, "a list") }
      let values = nodes.map { defaultValue($0, of: element, in: value) }
      let whole = values.compactMap { $0 }
      return whole.count == values.count ? .array(whole) : nil
    case .object(let fields):
      guard case .mapping(let mapping) = node.content else { return refuse(node, "an object") }
      return defaultObject(mapping, fields, at: node, in: value)
    default:
      break
    }
    guard case .scalar(let scalar) = node.content else { return refuse(node, Self.article(type.name)) }
    guard !scalar.isNull else { return refuse(node, Self.article(type.name), help: "for null write 'optional: true'") }
    guard let text = text(value.part(node)) else { return nil }
    do throws(ValueError) {
      return try Self.defaultScalar(text, of: type)
    } catch {
      let detail = error.detail.map { ": \($0)" } ?? ""
      report(
        .invalidDefault, "'\(printable(text))' is not \(error.expected)\(detail)", at: node.range,
        suggestion: error.suggestion, help: "the default must be a value of type '\(type.name)'")
      return nil
    }
  }

  private mutating func refuse(_ node: YAMLNode, _ expected: String, help: String? = nil) -> JSONValue? {
    report(.invalidDefault, "the default is not \(expected) but \(node.kindWords)", at: node.range, help: help)
    return nil
  }

  /// The members of an object's default, by the fields' own names.
  private mutating func defaultObject(
    _ mapping: YAMLMapping, _ fields: [FieldDeclaration], at node: YAMLNode, in value: FieldValue
  ) -> JSONValue? {
    var byName: [String: FieldDeclaration] = [:]
    for field in fields { byName[field.name] = field }
    var members: [JSONObject.Member] = []
    var isWhole = true
    for entry in mapping.entries {
      guard let field = byName[entry.name] else {
        report(
          .invalidDefault, "the object has no field '\(entry.name)'", at: entry.key.range,
          suggestion: nearest(to: entry.name, in: fields.map(\.name)))
        isWhole = false
        continue
      }
      if case .optional = field.missing, entry.value.isNull {
        members.append(JSONObject.Member(name: entry.name, value: .null))
      } else if let member = defaultValue(entry.value, of: field.type, in: value) {
        members.append(JSONObject.Member(name: entry.name, value: member))
      } else {
        isWhole = false
      }
    }
    let given = Set(mapping.entries.map(\.name))
    for field in fields where !given.contains(field.name) {
      switch field.missing {
      case .required:
        report(.invalidDefault, "the default has no '\(field.name)', which is required", at: node.range)
        isWhole = false
      case .optional: members.append(JSONObject.Member(name: field.name, value: .null))
      case .default(let value): members.append(JSONObject.Member(name: field.name, value: value.value))
      }
    }
    return isWhole ? .object(JSONObject(members)) : nil
  }

  private static func defaultScalar(_ text: String, of type: TypeDeclaration) throws(ValueError) -> JSONValue {
    switch type {
    case .integer: return .integer(Int64(try IntegerText.value(of: text)))
    case .number:
      try NumberText.check(text)
      return .number(JSONNumber(validated: text))
    case .boolean: return .bool(try BooleanText.value(of: text))
    case .date: try CalendarText.checkDate(text)
    case .timestamp: try CalendarText.checkInstant(text)
    case .decimal: try check(text, .decimal, "a decimal")
    case .duration: try check(text, .duration, DurationText.expected)
    case .uuid: try check(text, .uuid, "a UUID", "write it as 123e4567-e89b-12d3-a456-426614174000")
    case .url: try check(text, .url, "a URL", "write it with its scheme, as in https://example.com/")
    case .bytes: try check(text, .bytes, "base64 text")
    case .enumeration(let values):
      guard values.contains(text) else {
        throw ValueError(
          expected: "one of the values \(listed(values, joining: "or"))",
          suggestion: NearMiss.suggestion(for: text, in: values))
      }
    case .string, .json, .list, .object: break
    }
    return .string(text)
  }

  private static func check(
    _ text: String, _ type: FieldTypeName, _ expected: String, _ detail: String? = nil
  ) throws(ValueError) {
    guard type.admits(text) else { throw ValueError(expected: expected, detail: detail) }
  }

  private static func article(_ name: String) -> String {
    name == "integer" || name == "enum" ? "an \(name)" : "a \(name)"
  }
}
