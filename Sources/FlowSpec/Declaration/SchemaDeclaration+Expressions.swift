public import Expressions

extension SchemaDeclaration {
  /// The type of a record of this schema in expressions, in the form in which it is stored.
  public var recordType: ExpressionType { .object(ExpressionType.Object(fields.map(\.member))) }
}

extension FieldDeclaration {
  var member: ExpressionType.Member {
    if case .optional = missing { return ExpressionType.Member(name, .optional(type.keptType)) }
    return ExpressionType.Member(name, type.keptType)
  }
}

extension TypeDeclaration {
  fileprivate var keptType: ExpressionType {
    switch self {
    case .string, .date, .duration, .uuid, .url, .bytes, .timestamp, .enumeration: .string
    case .integer: .int
    case .number: .double
    case .boolean: .bool
    // A decimal keeps its digits, which a double would not.
    case .decimal, .json: .dynamic
    case .list(let element): .list(element.keptType)
    case .object(let fields): .object(ExpressionType.Object(fields.map(\.member)))
    }
  }
}
