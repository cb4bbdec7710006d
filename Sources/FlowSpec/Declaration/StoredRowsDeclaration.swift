/// Rows of a database as the source of an `each`.
public struct StoredRowsDeclaration: Sendable {
  /// The rows that are read.
  public enum Content: Sendable {
    /// All rows of a table or view, given by its name.
    case table(Located<Template>)
    /// The rows of a query, in which each template stands for a value.
    case query(Located<Template>)
  }

  /// The name of the store in the file's `stores`.
  public var store: Located<String>
  /// The rows that are read.
  public var content: Content

  /// The text of the table's name or of the query.
  public var text: Located<Template> {
    switch content {
    case .table(let text), .query(let text): text
    }
  }

  /// The rows as messages show them.
  var words: String {
    switch content {
    case .table(let name): "\(store.value):\(name.value.sourceText)"
    case .query: "a query of \(store.value)"
    }
  }
}
