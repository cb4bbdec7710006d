public import Records

/// One connection to a database. Only one task at a time uses it.
public protocol SQLSession: Sendable {
  /// Runs one statement and returns its rows as texts.
  ///
  /// - Parameter values: the values of `$1`, `$2`, …, which appear in this order; nil is null
  @discardableResult
  func run(_ sql: String, _ values: [String?]) async throws(SQLError) -> [[String?]]

  /// Starts to write rows with a statement of the session's own dialect.
  func beginRows(_ statement: RowStatement) async throws(SQLError)

  /// Writes rows; the bytes may end inside a row.
  func writeRows(_ bytes: [UInt8]) async throws(SQLError)

  /// Ends the rows after the last one.
  func endRows() async throws(SQLError)

  /// Starts to read the rows of a query whose columns have these encodings.
  func beginReading(_ sql: String, _ columns: [TableColumn]) async throws(SQLError)

  /// Starts to read the rows of one statement that cannot change anything, as objects with the database's own types.
  func beginReading(query sql: String) async throws(SQLError)

  /// The next records as JSON Lines, about 256 KiB; nil after the last one.
  func read() async throws(SQLError) -> [UInt8]?

  /// Ends the connection; a transaction that is open is rolled back.
  func close() async
}

extension SQLSession {
  /// By default, a session supports no queries and refuses them.
  public func beginReading(query sql: String) async throws(SQLError) {
    throw SQLError(.statement, "this database can only read tables that reactor loaded, not queries")
  }

  /// Runs a statement without values.
  @discardableResult
  public func run(_ sql: String) async throws(SQLError) -> [[String?]] { try await run(sql, []) }
}

/// A statement that stores rows.
public struct RowStatement: Sendable {
  /// The statement that stores one row, or that starts a stream of rows.
  public var sql: String
  /// The statement that deletes the row of a deleted key; nil where the stream itself marks deletions.
  public var deletion: String?
  /// The columns and the key of the rows.
  public var layout: TableLayout
  /// The columns whose values are the parameters of `deletion`, in order.
  public var deleted: [String]

  /// Creates a statement.
  ///
  /// - Parameter deleted: the columns whose values are the parameters of `deletion`; nil for the key
  public init(_ sql: String, deletion: String? = nil, layout: TableLayout, deleted: [String]? = nil) {
    self.sql = sql
    self.deletion = deletion
    self.layout = layout
    self.deleted = deleted ?? layout.key
  }
}

/// The error of a statement or a connection.
public struct SQLError: Error, Sendable, Hashable {
  /// How a caller reacts to the error.
  public enum Kind: Sendable, Hashable {
    /// The connection is lost or could not be made; a statement in progress may or may not have been carried out.
    case connection
    /// The transaction conflicted with another one, and may succeed when it is run again.
    case conflict
    /// A lock was not free within `lock_timeout`.
    case lock
    /// Two rows have the same key.
    case unique
    /// The task was cancelled.
    case cancelled
    /// Anything else.
    case statement
  }

  /// How a caller reacts to the error.
  public var kind: Kind
  /// A description: lower case, no full stop, no secrets.
  public var message: String
  /// The database's own code, such as an SQLSTATE; nil without one.
  public var code: String?
  /// A suggestion for the fix; nil without one.
  public var help: String?

  /// Creates an error.
  public init(_ kind: Kind, _ message: String, code: String? = nil, help: String? = nil) {
    self.kind = kind
    self.message = message
    self.code = code
    self.help = help
  }
}
