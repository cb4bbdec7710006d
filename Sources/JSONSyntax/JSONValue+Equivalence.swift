extension JSONValue {
  /// Whether both values are equal by RFC 9535, section 2.3.5.2.2.
  ///
  /// Numbers are compared by exact value, strings by Unicode scalars, and members in any order.
  public func isEquivalent(to other: JSONValue) -> Bool {
    var budget = Int.max
    return isEquivalent(to: other, budget: &budget) ?? false
  }

  /// Whether both values are equal; nil when the comparison would exceed the budget.
  ///
  /// Each compared value reduces `budget` by about one.
  func isEquivalent(to other: JSONValue, budget: inout Int) -> Bool? {
    budget -= 1
    guard budget >= 0 else { return nil }
    switch (self, other) {
    case (.null, .null):
      return true
    case (.bool(let left), .bool(let right)):
      return left == right
    case (.number(let left), .number(let right)):
      return left.compare(right) == 0
    case (.string(let left), .string(let right)):
      return left.hasSameScalars(as: right)
    case (.array(let left), .array(let right)):
      guard left.count == right.count else { return false }
      for index in left.indices {
        guard let same = left[index].isEquivalent(to: right[index], budget: &budget) else { return nil }
        guard same else { return false }
      }
      return true
    case (.object(let left), .object(let right)):
      return Self.areEquivalent(left.members, right.members, budget: &budget)
    default:
      return false
    }
  }

  private static func areEquivalent(
    _ left: [JSONObject.Member], _ right: [JSONObject.Member], budget: inout Int
  ) -> Bool? {
    guard left.count == right.count else { return false }
    // Members are usually in the same order; they are sorted only if not.
    let inOrder = left.indices.allSatisfy { left[$0].name.hasSameScalars(as: right[$0].name) }
    let leftSorted = inOrder ? left : left.sorted { $0.name.precedesByScalars($1.name) }
    let rightSorted = inOrder ? right : right.sorted { $0.name.precedesByScalars($1.name) }
    for (one, another) in zip(leftSorted, rightSorted) {
      guard one.name.hasSameScalars(as: another.name) else { return false }
      guard let same = one.value.isEquivalent(to: another.value, budget: &budget) else { return nil }
      guard same else { return false }
    }
    return true
  }
}
