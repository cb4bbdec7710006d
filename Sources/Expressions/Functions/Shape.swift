/// What a parameter takes or a function gives.
indirect enum Shape: Sendable, Hashable {
  case type(ExpressionType)
  /// An int or a double.
  case number
  /// Any value that is there.
  case anything
  /// The same type wherever the signature names it.
  case element
  case list(Shape)
  case map(Shape)
  /// As `element`, of a type whose values have an order.
  case ordered
  /// It may be absent or null.
  case optional(Shape)

  static let bool = Shape.type(.bool)
  static let int = Shape.type(.int)
  static let double = Shape.type(.double)
  static let string = Shape.type(.string)
  static let timestamp = Shape.type(.timestamp)
  static let duration = Shape.type(.duration)
}

extension Shape: CustomStringConvertible {
  /// As the reference writes it.
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
