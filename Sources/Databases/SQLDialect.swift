public import FieldTypes
public import ReactorCore
public import Records

/// The differences between databases: types, limits of names, and the statements that store the rows of a load.
///
/// To add another database, implement this protocol and `SQLSession`. `Database` runs each load in one transaction,
/// repeats it where that is safe, and stores the stamp with it.
public protocol SQLDialect: Sendable {
  /// The name of the database, for messages.
  var name: String { get }
  /// The maximum length of a name in UTF-8 bytes.
  var maximumNameBytes: Int { get }
  /// The maximum number of columns of a table.
  var maximumColumns: Int { get }
  /// Names that no column can have, in lower case.
  var reservedColumns: Set<String> { get }
  /// Whether a text may contain the character U+0000.
  var allowsNUL: Bool { get }

  /// The type of a column in the database.
  func columnType(of column: TableColumn) -> String
  /// How the values of a field are encoded as bytes.
  func encoding(of type: FieldTypeName) -> TableColumn.Encoding

  /// The statements that begin a transaction which writes, before any other statement.
  var begin: [String] { get }
  /// The statements that begin a transaction which only reads, and which sees the database as it is at one moment.
  var beginReading: [String] { get }
  /// The statements that lock a table against other loads until the end of the transaction.
  func lock(_ table: String) -> [String]
  /// The quoted name of a table, with its schema if it has one.
  func qualified(_ table: String) -> String
  /// A query of the names and types of a table's columns, in order; no rows when there is no such table.
  func columns(of table: String) -> String
  /// The definition of the column with the id of the load that added a row, in tables of mode `append`.
  var loadColumn: String { get }
  /// The statements that create the table of a load: with the key as primary key if `isKeyed`, with the load column in
  /// mode `append`, and with the version columns if the load keeps versions.
  func create(_ load: TableLoad) -> [String]
  /// Whether the type of a column can be changed to the wider type without losing values.
  func mayWiden(_ column: WiderColumn) -> Bool
  /// The statements that make columns hold values of other types.
  func widen(
    _ columns: [WiderColumn], of table: String, in session: any SQLSession
  ) async throws(SQLError) -> [String]
  /// The select expression that reads a column in its encoding.
  func selection(of column: TableColumn) -> String

  /// Stores the rows of a load in a table that exists and has the columns of the layout.
  ///
  /// - Parameters:
  ///   - isEmpty: whether the table has no rows and no other transaction can see rows in it
  ///   - rows: sends all rows with a statement; may be called again
  func fill(
    _ load: TableLoad, isEmpty: Bool, in session: any SQLSession, rows: RowSender
  ) async throws(LoadFailure)
}

/// A column that must hold values of another type.
public struct WiderColumn: Sendable {
  /// The column with its new type.
  public let column: TableColumn
  /// The column's current type in the database.
  public let present: String
  /// The type of the field that was loaded last; nil when it is not known.
  public let type: FieldTypeName?
}

extension SQLDialect {
  /// By default, the same statements as for a transaction that writes.
  public var beginReading: [String] { begin }
}

/// Sends all rows of a load with a statement.
///
/// The type has a name, because modules with and without the upcoming feature `NonisolatedNonsendingByDefault` would
/// write it differently.
public typealias RowSender = nonisolated(nonsending) (RowStatement) async throws(LoadFailure) -> Void

/// The failure of a load: of the database, or of anything else.
public enum LoadFailure: Error, Sendable {
  /// A statement or the connection failed.
  case database(SQLError)
  /// The rows cannot be loaded, whatever the database does.
  case load(ReactorError)
}
