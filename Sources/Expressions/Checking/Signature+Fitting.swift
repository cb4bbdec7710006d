extension Signature {
  /// The type of a call with arguments of these types; nil when the arguments do not match.
  ///
  /// - Parameter isPrefix: whether more arguments may follow these.
  func result(_ types: [ExpressionType], isPrefix: Bool = false) -> ExpressionType? {
    var element: ExpressionType?
    for (position, type) in types.enumerated() {
      guard let parameter = parameter(position), parameter.shape.takes(type, &element) else { return nil }
    }
    guard isPrefix || takes(types.count) else { return nil }
    return result.type(element ?? .dynamic)
  }
}

extension Shape {
  /// Whether the shape accepts a value of a type. `element` is the type that earlier arguments have for `T`; a first
  /// argument sets it.
  func takes(_ type: ExpressionType, _ element: inout ExpressionType?) -> Bool {
    switch self {
    case .anything: return type != .null
    case .optional(let inner): return type == .null || inner.takes(type.unwrapped, &element)
    case .element:
      guard let before = element else {
        element = type
        return true
      }
      guard let joined = ExpressionType.join(before, type) else { return false }
      element = joined
      return true
    case .ordered:
      return type.isOrdered && Shape.element.takes(type, &element)
    case .number: return [.int, .double, .dynamic].contains(type)
    case .list(let inner):
      if type == .dynamic { return inner.takes(.dynamic, &element) }
      guard case .list(let found) = type else { return false }
      return inner.takes(found, &element)
    case .map(let inner):
      if type == .dynamic { return inner.takes(.dynamic, &element) }
      if case .object(let object) = type {
        return object.members.allSatisfy { inner == .anything || inner.takes($0.type.unwrapped, &element) }
          || inner.takes(.dynamic, &element)
      }
      guard case .map(let found) = type else { return false }
      return inner.takes(found, &element)
    case .type(let wanted):
      return type == .dynamic || type == wanted || (wanted == .double && type == .int)
    }
  }

  /// The type of a result with this shape, where `element` is the type for `T`.
  func type(_ element: ExpressionType) -> ExpressionType {
    switch self {
    case .type(let type): type
    case .number: .double
    case .anything: .dynamic
    case .element, .ordered: element
    case .list(let inner): .list(inner.type(element))
    case .map(let inner): .map(inner.type(element))
    case .optional(let inner): .optional(inner.type(element))
    }
  }
}
