internal import Expressions
internal import FlowSpec
internal import Records

extension RecordSchema {
  init(_ declaration: SchemaDeclaration) {
    self.init(
      name: declaration.name, fields: declaration.fields.map(FieldMapping.init), key: declaration.key.map(\.value))
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
      name: declaration.name, from: declaration.from.value, type: FieldType(declaration.type), missing: missing,
      value: declaration.value.map { ExpressionTemplate($0.template) })
  }
}

extension FieldType {
  init(_ declaration: TypeDeclaration) {
    self =
      switch declaration {
      case .string: .string
      case .integer: .integer
      case .number: .number
      case .decimal: .decimal
      case .boolean: .boolean
      case .date: .date
      case .duration: .duration
      case .uuid: .uuid
      case .url: .url
      case .bytes: .bytes
      case .json: .json
      case .timestamp(let format): .timestamp(TimestampFormat(format?.value))
      case .enumeration(let values): .enumeration(values)
      case .list(let element): .list(FieldType(element))
      case .object(let fields): .object(fields.map(FieldMapping.init))
      }
  }
}

extension TimestampFormat {
  init(_ word: String?) {
    self =
      switch word {
      case nil, "iso8601": .iso8601
      case "epoch_s": .epochSeconds
      case "epoch_ms": .epochMilliseconds
      case .some(let pattern): .pattern(pattern)
      }
  }
}
