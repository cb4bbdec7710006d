public import Boxes
public import FieldTypes
public import Records
public import Storage

/// One load: the data that one transaction stores besides the rows.
public struct TableLoad: Sendable {
  /// What happens to the existing rows of the table.
  public enum Mode: String, Sendable, Hashable {
    /// The new rows are the table's content. A row with unchanged values is not written.
    case replace
    /// The new rows are added.
    case append
    /// A new row replaces the row with its key; rows with other keys stay.
    case merge
  }

  /// The earlier load that must still be the last one of the table when the rows are stored.
  public enum Base: Sendable, Hashable {
    /// Any load: the rows do not depend on the content of the table.
    case any
    /// Exactly this load, with the cursor that it left; nil for a table without a load.
    case stamp(TableStamp?)
  }

  /// Rows that a load of mode `replace` leaves as they are, unless a new row has their key.
  public struct Kept: Sendable, Hashable {
    /// The column that is compared.
    public var column: String
    /// The values in `column` of the rows that are replaced, or of the rows that stay (see `areReplaced`).
    public var values: [String]
    /// Whether `values` select the rows that are replaced, so that a row with null stays; if false, they select the
    /// rows that stay.
    public var areReplaced: Bool

    /// Creates a condition.
    public init(column: String, values: [String], areReplaced: Bool) {
      self.column = column
      self.values = values
      self.areReplaced = areReplaced
    }

    /// The SQL condition for the rows that the load replaces.
    ///
    /// - Parameter alias: the alias of the table in the statement, with a dot after it
    func isReplaced(_ alias: String = "") -> String {
      let name = alias + SQLName.quoted(column)
      let list = values.map { SQLName.literal($0) }.joined(separator: ", ")
      // A list without values is no SQL.
      if areReplaced { return values.isEmpty ? "1 = 0" : "\(name) IN (\(list))" }
      return values.isEmpty ? "1 = 1" : "(\(name) IS NULL OR \(name) NOT IN (\(list)))"
    }
  }

  /// The table, without its schema.
  public var table: String
  /// The columns and the key of the rows.
  public var layout: TableLayout
  /// What happens to the existing rows of the table.
  public var mode: Mode
  /// The flow of the rows, as `file.flow`.
  public var flow: String
  /// The load's id, which no other load has.
  public var id: String
  /// The result's resource, schema, time, cursor and counts. `recordCount` is the number of rows that are sent.
  @Boxed public var provenance: Provenance
  /// The run that makes the load, whose row is stored with it; nil for a load outside of a run.
  @BoxedIfPresent public var run: TableRun?
  /// What must hold at the end of the transaction; nil for nothing.
  @BoxedIfPresent public var condition: LoadCondition?
  /// Which earlier load the rows continue from.
  @Boxed public var base = Base.any
  /// Whether the load fails if it would have to add or change columns of the table.
  public var isFrozen = false
  /// Whether old versions of rows stay: a row that changes or is removed gets its end in `valid_to`, and the new
  /// version its beginning in `valid_from`. Only with a key, and with the modes `replace` and `merge`.
  public var keepsVersions = false
  /// Which existing rows stay with mode `replace`, by the value of one column; nil for none.
  public var kept: Kept?
  /// The column that decides which of two rows with one key is newer, by its greater value; nil if the later row is
  /// always newer.
  ///
  /// With mode `append` a row with the same key and the same value in it is the same row, and is not added again.
  public var rank: String?
  /// Whether all rows of the table are deleted first, in the same transaction.
  public var startsAnew = false

  /// Creates a load with a new id.
  public init(
    into table: String, _ layout: TableLayout, mode: Mode, flow: String, provenance: Provenance,
    id: String = TableLoad.newID()
  ) {
    self.table = table
    self.layout = layout
    self.mode = mode
    self.flow = flow
    self.provenance = provenance
    self.id = id
  }

  /// A random id: 32 hexadecimal digits.
  public static func newID() -> String {
    (0..<2).map { _ in
      let digits = String(UInt64.random(in: 0 ... .max), radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }.joined()
  }

  /// Whether the key is the primary key of the table.
  public var isKeyed: Bool { mode != .append && !keepsVersions && !layout.key.isEmpty }

  /// The names of the columns with the beginning and the end of a row's version; the end of a current row is null.
  public static let versionColumns = (from: "valid_from", to: "valid_to")
  /// The SQL condition for current rows, which have no end.
  static let isPresent = "\(SQLName.quoted(versionColumns.to)) IS NULL"

  /// The name of the column with the id of the load that added a row, in tables of mode `append`.
  public static let loadColumn = "reactor_load"
}

/// The facts about a table's last load.
public struct TableStamp: Sendable, Hashable {
  /// The id of the load.
  public var load: String
  /// The flow that loaded it, as `file.flow`.
  public var flow: String
  /// The result's resource, schema, time, cursor and counts.
  public var provenance: Provenance
  /// The types of the fields that were loaded, by column.
  public var types: [String: FieldTypeName]
  /// Whether the table has old versions of rows in addition to the current rows.
  public var keepsVersions = false
  /// Whether the table has as many rows as the load left. If not, the table was emptied or restored, and its cursor
  /// says nothing about its rows.
  public var isIntact = true
}
