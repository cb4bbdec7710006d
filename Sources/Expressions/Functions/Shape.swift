/// The type that a parameter accepts or that a function returns.
indirect enum Shape: Sendable, Hashable {
  case type(ExpressionType)
  /// An int or a double.
  case number
  /// Any value that is not missing.
  case anything
  /// Any type, but the same type for all parts of a signature that are `element`.
  case element
  case list(Shape)
  case map(Shape)
  /// Like `element`, but the type's values must have an order.
  case ordered
  /// A value of the shape that may be absent or null.
  case optional(Shape)

  static let bool = Shape.type(.bool)
  static let int = Shape.type(.int)
  static let double = Shape.type(.double)
  static let string = Shape.type(.string)
  static let timestamp = Shape.type(.timestamp)
  static let duration = Shape.type(.duration)
}

extension Shape: CustomStringConvertible {
  /// The shape as the reference shows it.
  var description: String {
    switch self {
    case .type(let type): "\(type)"
    case .number: "number"
    case .anything: "anything"
    case .element, .ordered: "T"
    case .list(.anything): "list"
    case .list(let element): "list(\(element))"
    case .map(.anything): "map"
    case .map(let value): "map(\(value))"
    case .optional(let shape): "\(shape)?"
    }
  }
}
