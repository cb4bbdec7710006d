public import Expressions
internal import FieldTypes

extension SchemaDeclaration {
  /// A record of this schema as expressions see it: the shape in which it is kept and handed on.
  public var recordType: ExpressionType { .object(ExpressionType.Object(fields.map(\.member))) }
}

extension FieldDeclaration {
  var member: ExpressionType.Member {
    let type = type.expressionType(\.member)
    if case .optional = missing { return ExpressionType.Member(name, .optional(type)) }
    return ExpressionType.Member(name, type)
  }
}
