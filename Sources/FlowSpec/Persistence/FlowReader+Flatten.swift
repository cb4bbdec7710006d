import FieldTypes
import FlowModel
import JSONSyntax
import SourceDiagnostics
import YAMLSyntax

extension FlowReader {
  /// The schema with a field for each field of its objects, if the flow's table wants that.
  ///
  /// The schema is read before `persistence`, because expressions use its fields. Errors of the key are reported there.
  mutating func flattened(_ schema: Reading<SchemaDeclaration>, _ flow: FieldNodes) -> Reading<SchemaDeclaration> {
    guard case .value(let given) = schema, let value = flow.value(FlowKeys.persistence),
      case .mapping(let mapping) = value.node.content,
      let entry = mapping.entries.first(where: { $0.name == PersistenceKeys.flatten.name }),
      case .scalar(let scalar) = entry.value.content, ["_", "__"].contains(scalar.text)
    else { return schema }
    let declared = given.with(given.fields.flatMap { $0.flattened(by: scalar.text) })
    var seen: [String: SourceRange] = [:]
    for field in declared.fields {
      guard let first = seen.updateValue(field.range, forKey: field.name) else { continue }
      report(
        .invalidTable, "'flatten' makes two fields of the name '\(field.name)'", at: field.range,
        notes: [Diagnostic.Note("the other one is here", at: first)],
        help: "rename one of them, or use another text in 'flatten'")
      return .broken
    }
    return .value(declared)
  }
}

extension FieldDeclaration {
  /// The fields of an object under joined names, or the field itself.
  ///
  /// An object with a default stays, because its default is one value.
  fileprivate func flattened(by separator: String) -> [FieldDeclaration] {
    guard case .object(let fields) = self.type, value == nil, !missing.isDefault else { return [self] }
    return fields.flatMap { $0.flattened(by: separator) }.map { field in
      var field = field
      field.name = name + separator + field.name
      // The path of a field begins at its object.
      if let path = try? JSONPath(parsing: from.value.text + field.from.value.text.dropFirst()) {
        field.from = Located(path, at: field.from.range)
      }
      if !missing.isRequired, field.missing.isRequired { field.missing = .optional }
      return field
    }
  }
}

extension MissingDeclaration {
  fileprivate var isRequired: Bool { if case .required = self { true } else { false } }
  fileprivate var isDefault: Bool { if case .default = self { true } else { false } }
}
