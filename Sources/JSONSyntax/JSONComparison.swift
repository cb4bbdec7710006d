/// A comparison operator: `==`, `!=`, `<`, `<=`, `>` or `>=`.
package enum JSONComparison: String, Sendable {
  case equal = "=="
  case notEqual = "!="
  case less = "<"
  case lessOrEqual = "<="
  case greater = ">"
  case greaterOrEqual = ">="

  /// Whether the comparison is true for two values that are in the given order.
  ///
  /// `order` is negative if the left value is less than the right one, 0 if they are equal, and positive if it is
  /// greater.
  package func holds(_ order: Int) -> Bool {
    switch self {
    case .equal: order == 0
    case .notEqual: order != 0
    case .less: order < 0
    case .lessOrEqual: order <= 0
    case .greater: order > 0
    case .greaterOrEqual: order >= 0
    }
  }
}
