import FieldTypes
import FlowModel
import JSONSyntax
import SourceDiagnostics
import YAMLSyntax

extension FlowReader {
  /// Reads the default of a field by the same rules as a value in a response.
  mutating func defaultValue(_ node: YAMLNode, of type: TypeDeclaration, in value: FieldValue) -> JSONValue? {
    switch type {
    case .plain(.json):
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
    guard case .scalar(let scalar) = node.content else { return refuse(node, type.typeName.expected) }
    guard !scalar.isNull else { return refuse(node, type.typeName.expected, help: "for null write 'optional: true'") }
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

  /// Reads the default of an object. Its members have the names of the object's fields.
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
    switch type.typeName {
    case .integer: return .integer(Int64(try IntegerText.value(of: text)))
    case .number:
      try NumberText.check(text)
      return .number(JSONNumber(validated: text))
    case .boolean: return .bool(try BooleanText.value(of: text))
    case .date: try CalendarText.checkDate(text)
    case .timestamp: try CalendarText.checkInstant(text)
    case .enumeration:
      guard case .enumeration(let values) = type, !values.contains(text) else { break }
      throw ValueError(
        expected: "one of the values \(listed(values, joining: "or"))",
        suggestion: NearMiss.suggestion(for: text, in: values))
    default:
      guard type.typeName.admits(text) else {
        throw ValueError(expected: type.typeName.expected, detail: "write it as \(type.typeName.documentation.example)")
      }
    }
    return .string(text)
  }
}
