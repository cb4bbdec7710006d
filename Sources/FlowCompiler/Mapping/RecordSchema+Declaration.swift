internal import Expressions
internal import FieldTypes
internal import FlowModel
internal import FlowSpec
internal import Records

extension RecordSchema {
  init(_ declaration: SchemaDeclaration) {
    self.init(
      name: declaration.name, fields: declaration.fields.map(FieldMapping.init), key: declaration.key.map(\.value))
    isInferred = declaration.origin == .locked
  }
}

extension FieldMapping {
  init(_ declaration: FieldDeclaration) {
    let missing: MissingPolicy =
      switch declaration.missing {
      case .required: .required
      case .optional: .optional
      case .default(let value): .default(value.value)
      }
    self.init(
      name: declaration.name, from: declaration.from.value, type: declaration.type.map(FieldMapping.init),
      missing: missing,
      value: declaration.value.map { ExpressionTemplate($0.template) })
    coerces = declaration.coerces
  }
}
