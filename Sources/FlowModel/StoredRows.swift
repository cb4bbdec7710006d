/// Rows of a database as the source of an `each`.
///
/// In a file the store is a name and the text a template; in a run the store is a database and the text a value.
public struct StoredRows<Store: Sendable, Text: Sendable>: Sendable {
  /// The store that contains the rows.
  public var store: Store
  /// The name of a table or view of which all rows are read, or a query in which each template is a value.
  public var text: Text
  /// Whether the text is a query.
  public var isQuery: Bool

  /// Creates the rows of a table or a query.
  public init(_ text: Text, isQuery: Bool, in store: Store) {
    self.store = store
    self.text = text
    self.isQuery = isQuery
  }
}
