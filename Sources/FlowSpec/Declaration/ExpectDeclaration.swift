public import JSONSyntax

/// What a result must satisfy for the flow to pass.
public struct ExpectDeclaration: Sendable {
  /// Least number of records.
  public var min: Located<Int>?
  /// Greatest number of records.
  public var max: Located<Int>?
  /// Where the response tells the number of records it should hold.
  public var total: Located<JSONPath>?
  /// Greatest number of records that may be pruned.
  public var maxRejected: Located<Int>?
  /// Statuses taken as success, instead of 200–299; empty means 200–299.
  public var status: [ClosedRange<Int>]

  /// Expects nothing but success.
  public init() { status = [] }
}
