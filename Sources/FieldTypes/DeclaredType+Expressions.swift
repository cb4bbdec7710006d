public import Expressions

extension DeclaredType {
  /// Infers the type of a computed field that declares no type.
  public init(holding type: ExpressionType) {
    self =
      switch type {
      case .bool: .boolean
      case .int: .integer
      case .double: .number
      case .string: .string
      case .timestamp: .timestamp(.iso8601)
      case .duration: .duration
      case .list(let element): .list(DeclaredType(holding: element.unwrapped))
      case .optional(let inner): DeclaredType(holding: inner)
      case .dynamic, .null, .map, .object: .json
      }
  }

  /// Whether at least some values of an expression's type are also values of this type.
  ///
  /// If no value can match, the file has an error.
  public func canHold(_ type: ExpressionType) -> Bool {
    switch (self, type) {
    case (_, .dynamic), (_, .null), (.plain(.json), _): return true
    case (_, .optional(let inner)): return canHold(inner)
    case (.list(let inner), .list(let element)): return inner.canHold(element)
    case (.list, _): return false
    case (.object, .object), (.object, .map): return true
    case (.object, _): return false
    case (_, .string): return true
    case (.timestamp(let format), .int), (.timestamp(let format), .double): return format.isEpoch
    default: break
    }
    return switch (typeName, type) {
    case (.string, .timestamp), (.string, .duration), (.timestamp, .timestamp), (.duration, .duration): true
    case (.integer, .int), (.integer, .double), (.number, .int), (.number, .double): true
    case (.decimal, .int), (.decimal, .double), (.boolean, .bool): true
    default: false
    }
  }

  /// The type that a persisted value of this type has in expressions.
  ///
  /// - Parameter member: converts a field of an object type to a member of the expression type.
  public func expressionType(_ member: (Field) -> ExpressionType.Member) -> ExpressionType {
    switch self {
    case .list(let element): .list(element.expressionType(member))
    case .object(let fields): .object(ExpressionType.Object(fields.map(member)))
    case .plain(.integer): .int
    case .plain(.number): .double
    case .plain(.boolean): .bool
    // A decimal keeps all its digits; a double would lose some.
    case .plain(.decimal), .plain(.json): .dynamic
    case .plain, .timestamp, .enumeration: .string
    }
  }
}
