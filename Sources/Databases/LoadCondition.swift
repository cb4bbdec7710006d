public import ReactorCore

/// A query that must return a row at the end of a load's transaction; otherwise nothing is stored.
public struct LoadCondition: Sendable {
  package let query: String
  package let values: [String?]
  /// The error of a load whose query returns no row.
  let error: ReactorError

  /// Creates a condition.
  ///
  /// - Parameter values: the values of `$1`, `$2`, …, in this order
  public init(_ query: String, _ values: [String?], otherwise error: ReactorError) {
    self.query = query
    self.values = values
    self.error = error
  }
}
