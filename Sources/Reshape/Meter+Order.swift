internal import JSONSyntax

extension Meter {
  /// The rank of a value's kind in jq's order: null, false, true, numbers, strings, arrays, objects.
  private static func rank(_ value: JSONValue) -> Int {
    switch value {
    case .null: 0
    case .bool(let value): value ? 2 : 1
    case .number: 3
    case .string: 4
    case .array: 5
    case .object: 6
    }
  }

  /// Compares two values: -1 for less, 0 for equal, 1 for greater.
  ///
  /// Each compared value costs a step. When the steps are used up, the result is 0, and the caller's next step ends the
  /// run.
  mutating func order(_ left: JSONValue, _ right: JSONValue) -> Int {
    guard steps > 0 else { return 0 }
    steps -= 1
    switch (left, right) {
    case (.number(let one), .number(let other)):
      return Self.order(one, other)
    case (.string(let one), .string(let other)):
      steps -= min(one.utf8.count, other.utf8.count) / 64
      return one.hasSameScalars(as: other) ? 0 : one.precedesByScalars(other) ? -1 : 1
    case (.array(let one), .array(let other)):
      for (first, second) in zip(one, other) {
        let order = order(first, second)
        if order != 0 { return order }
      }
      return one.count < other.count ? -1 : one.count > other.count ? 1 : 0
    case (.object(let one), .object(let other)):
      return order(one.members, other.members)
    default:
      let (one, other) = (Self.rank(left), Self.rank(right))
      return one < other ? -1 : one > other ? 1 : 0
    }
  }

  /// Compares two numbers; NaN is less than any number, even less than NaN.
  static func order(_ left: JSONNumber, _ right: JSONNumber) -> Int {
    if left.isSpecial || right.isSpecial {
      let (one, other) = (left.value, right.value)
      if one.isNaN { return -1 }
      if other.isNaN { return 1 }
      return one < other ? -1 : one > other ? 1 : 0
    }
    return left.compare(right)
  }

  /// Compares two objects.
  ///
  /// The sorted names are compared first, then the values in the order of the names.
  private mutating func order(_ left: [JSONObject.Member], _ right: [JSONObject.Member]) -> Int {
    let one = left.sorted { $0.name.precedesByScalars($1.name) }
    let other = right.sorted { $0.name.precedesByScalars($1.name) }
    steps -= one.count + other.count
    for (first, second) in zip(one, other) where !first.name.hasSameScalars(as: second.name) {
      return first.name.precedesByScalars(second.name) ? -1 : 1
    }
    if one.count != other.count { return one.count < other.count ? -1 : 1 }
    for (first, second) in zip(one, other) {
      let order = order(first.value, second.value)
      if order != 0 { return order }
    }
    return 0
  }

  mutating func compare(
    _ comparison: JSONComparison, _ left: JSONValue, _ right: JSONValue
  ) throws(EvaluationError) -> Bool {
    let order = order(left, right)
    try step()
    return comparison.holds(order)
  }

  /// The indices of the keys in sorted order; equal keys remain in their original order.
  mutating func sortedIndices(_ keys: [JSONValue]) throws(EvaluationError) -> [Int] {
    var meter = self
    let positions = keys.indices.sorted { left, right in
      let order = meter.order(keys[left], keys[right])
      return order == 0 ? left < right : order < 0
    }
    self = meter
    try step()
    try build(16 * keys.count)
    return positions
  }
}
