internal import Expressions

extension TypeDeclaration {
  /// The type of a field that is computed from a value of this type and says no other.
  init(holding type: ExpressionType) {
    self =
      switch type {
      case .bool: .boolean
      case .int: .integer
      case .double: .number
      case .string: .string
      case .timestamp: .timestamp(format: nil)
      case .duration: .duration
      case .list(let element): .list(TypeDeclaration(holding: element.unwrapped))
      case .optional(let inner): TypeDeclaration(holding: inner)
      case .dynamic, .null, .map, .object: .json
      }
  }

  /// Whether some value of an expression's type fits: what never does is a mistake.
  func canHold(_ type: ExpressionType) -> Bool {
    switch (self, type) {
    case (_, .dynamic), (_, .null), (.json, _): true
    case (_, .optional(let inner)): canHold(inner)
    case (.string, .string), (.string, .timestamp), (.string, .duration): true
    case (.integer, .int), (.integer, .double), (.integer, .string): true
    case (.number, .int), (.number, .double), (.number, .string): true
    case (.decimal, .int), (.decimal, .double), (.decimal, .string): true
    case (.boolean, .bool), (.boolean, .string): true
    case (.timestamp, .timestamp), (.timestamp, .string): true
    case (.timestamp(let format), .int), (.timestamp(let format), .double): format?.value.hasPrefix("epoch") ?? false
    case (.duration, .duration), (.duration, .string): true
    case (.date, .string), (.uuid, .string), (.url, .string), (.bytes, .string), (.enumeration, .string): true
    case (.list(let inner), .list(let element)): inner.canHold(element)
    case (.object, .object), (.object, .map): true
    default: false
    }
  }
}
