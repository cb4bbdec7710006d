extension ExpressionType {
  /// Whether the values of the type have an order.
  var isOrdered: Bool {
    switch self {
    case .dynamic, .int, .double, .string, .timestamp, .duration: true
    case .null, .bool, .list, .map, .object, .optional: false
    }
  }

  /// Whether the type is completely known, without a dynamic part.
  var isKnown: Bool {
    switch self {
    case .dynamic: false
    case .null, .bool, .int, .double, .string, .timestamp, .duration, .object: true
    case .list(let inner), .map(let inner), .optional(let inner): inner.isKnown
    }
  }

  /// The type of a value that has one type or the other; nil when they have no common type.
  static func join(_ one: ExpressionType, _ other: ExpressionType) -> ExpressionType? {
    if one == other { return one }
    switch (one, other) {
    case (.null, .optional), (.null, .dynamic): return other == .dynamic ? .optional(.dynamic) : other
    case (.optional, .null): return one
    case (.null, _): return .optional(other)
    case (_, .null): return .optional(one)
    case (.optional(let inner), _): return join(inner, other.unwrapped).map { .optional($0) }
    case (_, .optional(let inner)): return join(one, inner).map { .optional($0) }
    case (.dynamic, _), (_, .dynamic): return .dynamic
    case (.int, .double), (.double, .int): return .double
    case (.list(let left), .list(let right)): return .list(join(left, right) ?? .dynamic)
    case (.map(let left), .map(let right)): return .map(join(left, right) ?? .dynamic)
    case (.object, .object), (.object, .map), (.map, .object): return .map(.dynamic)
    default: return nil
    }
  }
}
