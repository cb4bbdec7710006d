public import Expressions
internal import FieldTypes

extension SchemaDeclaration {
  /// The type in expressions of a record of this schema, as the record is stored.
  public var recordType: ExpressionType { .object(ExpressionType.Object(fields.map(\.member))) }
}

extension FieldDeclaration {
  var member: ExpressionType.Member {
    let type = type.expressionType(\.member)
    if case .optional = missing { return ExpressionType.Member(name, .optional(type)) }
    return ExpressionType.Member(name, type)
  }
}
