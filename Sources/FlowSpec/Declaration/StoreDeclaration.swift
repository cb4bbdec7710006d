/// A database that the flows of a file can load into.
public struct StoreDeclaration: Sendable {
  /// Which database it is, and where.
  public enum Database: Sendable {
    /// An SQLite file; the path is relative to the output root.
    case sqlite(Located<Template>)
    /// A PostgreSQL server: its connection URI, and the schema of the tables.
    case postgres(Located<Template>, schema: Located<String>?)
  }

  /// The name of the store in its file.
  public let name: Located<String>
  /// Which database it is, and where.
  public let database: Database
  /// How long a statement waits for a lock, in seconds.
  public var lockTimeout: Double?
  /// How long a statement may run, in seconds.
  public var statementTimeout: Double?
  /// The maximum number of connections at once.
  public var connections: Int?
}

/// A table as the place of a flow's result.
public struct TableDeclaration: Sendable {
  /// The name of the store.
  public let store: Located<String>
  /// The name of the table.
  public let name: Located<Template>
  /// Whether the table's columns may not change.
  public let isFrozen: Bool
  /// Whether old versions of the rows stay.
  public var keepsVersions = false
  /// The text that joins the names of flattened fields; nil when objects stay as they are.
  public var separator: String?
}
