/// The elements of an XML document that a flow uses.
public struct XMLLayout: Sendable, Hashable {
  /// The names of the elements that lead from the root to a record, the record's own included.
  public var records: [String]
  /// The paths of names, from a record, whose elements are a list even if there is only one.
  public var lists: Set<[String]>

  /// Creates a layout.
  public init(records: [String] = [], lists: Set<[String]> = []) {
    self.records = records
    self.lists = lists
  }
}
