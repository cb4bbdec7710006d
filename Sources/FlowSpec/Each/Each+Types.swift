internal import Expressions
internal import FlowModel
internal import JSONSyntax

extension Each<EachSource> {
  /// The names of the parents in templates, with their types.
  ///
  /// Records of other flows have an unknown type here.
  var members: [ExpressionType.Member] {
    parents.map { ExpressionType.Member($0.name.value, type($0.recordType { _ in nil })) }
  }

  /// The type of a parent's name in templates: the type of a record, or a list of it for batches.
  func type(_ record: ExpressionType) -> ExpressionType { batch == nil ? record : .list(record) }
}

extension Each.Parent where Source == EachSource {
  /// The type that a record of this parent has in expressions.
  ///
  /// - Parameter schema: returns the schema of a flow, as far as it is known
  func recordType(_ schema: (String) -> SchemaDeclaration?) -> ExpressionType {
    type(ofRecord: source.type(key: key.first?.value, schema))
  }

  /// The type of a record, given the type of the source's records. With a list in `only`, other fields may be missing.
  private func type(ofRecord type: ExpressionType) -> ExpressionType {
    guard let instead, case .object(let object) = type else { return type }
    return .object(
      ExpressionType.Object(
        object.members.map { member in
          guard member.name == instead.field.value else { return .init(member.name, .optional(member.type.unwrapped)) }
          return .init(member.name, member.type == instead.type ? member.type : .dynamic)
        }))
  }
}

extension EachSource {
  /// The type that a record or a value of this source has in expressions.
  ///
  /// - Parameters:
  ///   - key: the name of the only field that a value has in a union
  ///   - schema: returns the schema of a flow, as far as it is known
  fileprivate func type(key: String?, _ schema: (String) -> SchemaDeclaration?) -> ExpressionType {
    switch self {
    case .flow(let id): schema(id.value)?.recordType ?? .dynamic
    case .rows, .replacement: .dynamic
    case .union(let parts):
      ExpressionType(
        common: parts.map { part in
          let type = part.type(key: nil, schema)
          switch part {
          case .values, .expression: return key.map { .object(ExpressionType.Object([.init($0, type)])) } ?? .dynamic
          case .flow, .file, .rows, .union, .replacement: return type
          }
        })
    case .file(_, let schema): schema?.recordType ?? .dynamic
    case .expression(_, let type): type
    case .values(let values):
      if values.allSatisfy({ $0.string != nil }) {
        .string
      } else if values.allSatisfy({ $0.int64 != nil }) {
        .int
      } else {
        .dynamic
      }
    }
  }
}
