public import FieldTypes

/// A column of a database table: its name, and how its values are written in a row.
public struct TableColumn: Sendable, Hashable {
  /// The bytes of a value in a row, as in PostgreSQL's binary COPY; numbers are big-endian.
  public enum Encoding: String, Sendable, Hashable, CaseIterable {
    /// UTF-8.
    case text
    /// Eight bytes, signed.
    case integer
    /// Eight bytes, IEEE 754.
    case double
    /// One byte, 0 or 1.
    case boolean
    /// An exact decimal, in PostgreSQL's groups of four digits.
    case decimal
    /// Eight bytes: microseconds since 2000-01-01T00:00:00Z.
    case timestamp
    /// Four bytes: days since 2000-01-01.
    case date
    /// Sixteen bytes.
    case uuid
    /// The bytes, unchanged.
    case bytes
    /// JSON text.
    case json
    /// JSON text after the version byte 1, as in PostgreSQL's `jsonb`.
    case binaryJSON
  }

  /// The name of the column, which is the name of the field.
  public let name: String
  /// The type of the field.
  public let type: FieldTypeName
  /// The bytes of a value.
  public let encoding: Encoding
  /// Whether each record must have a value: a row with null in this column cannot be read back.
  public let isRequired: Bool

  /// Creates a column.
  public init(name: String, type: FieldTypeName, encoding: Encoding, isRequired: Bool = false) {
    self.name = name
    self.type = type
    self.encoding = encoding
    self.isRequired = isRequired
  }
}

/// The form of the rows of one table: its columns, and the fields of its key.
///
/// A row is a 16-bit number of fields, then for each field a 32-bit length and the bytes; the length -1 is null. This
/// is a tuple of PostgreSQL's binary COPY, so a row is sent to PostgreSQL unchanged.
public struct TableLayout: Sendable, Hashable {
  /// The columns, in the order of the schema's fields.
  public let columns: [TableColumn]
  /// The names of the columns that identify a row; empty without a key.
  public let key: [String]
  /// Whether each row begins with a boolean that is true for a deleted key.
  ///
  /// In such a row only the columns of the key have values.
  public let marksDeletions: Bool
  /// Whether a text may contain the character U+0000.
  public let allowsNUL: Bool

  /// Creates a layout.
  public init(columns: [TableColumn], key: [String], marksDeletions: Bool = false, allowsNUL: Bool = false) {
    self.columns = columns
    self.key = key
    self.marksDeletions = marksDeletions
    self.allowsNUL = allowsNUL
  }

  /// The layout with one more column at the end.
  public func adding(_ column: TableColumn) -> TableLayout {
    TableLayout(columns: columns + [column], key: key, marksDeletions: marksDeletions, allowsNUL: allowsNUL)
  }

  /// The number of values in a row.
  public var width: Int { columns.count + (marksDeletions ? 1 : 0) }
}
