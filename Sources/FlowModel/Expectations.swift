public import JSONSyntax

/// The conditions that a flow's result must meet before it is persisted.
public struct Expectations: Sendable {
  /// The minimum number of records.
  public var min: Located<Int>?
  /// The maximum number of records.
  public var max: Located<Int>?
  /// The path to the number of records in the response.
  public var total: Located<JSONPath>?
  /// How many records may be rejected at most; nil for no limit.
  public var maxRejected: CountOrShare?
  /// The maximum age of the result in seconds, for those who look at the history; no run checks it.
  public var freshness: Double?
  /// The statuses that mean success. An empty list means 200–299.
  public var status: [ClosedRange<Int>] = []

  /// Creates expectations whose only condition is success.
  public init() {}
}
