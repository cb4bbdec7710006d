package import FieldTypes
package import Records

/// SQLite: a file with tables of strict types, in write-ahead mode.
///
/// SQLite has one writer at a time, so a load holds the file's write lock from its begin to its end. Readers see the
/// content before the load until it is committed.
package struct SQLiteDialect: SQLDialect {
  /// Creates the dialect.
  package init() {}

  package var name: String { "SQLite" }
  // SQLite has no limit of its own that a name could reach.
  package var maximumNameBytes: Int { 255 }
  package var maximumColumns: Int { 2000 }
  package var reservedColumns: Set<String> { [] }
  package var allowsNUL: Bool { true }

  package func columnType(of column: TableColumn) -> String {
    switch column.encoding {
    case .integer, .boolean: "INTEGER"
    case .double: "REAL"
    case .bytes: "BLOB"
    case .text, .json, .binaryJSON, .decimal, .timestamp, .date, .uuid: "TEXT"
    }
  }

  package func encoding(of type: FieldTypeName) -> TableColumn.Encoding {
    switch type {
    case .integer: .integer
    case .number: .double
    case .boolean: .boolean
    case .bytes: .bytes
    case .list, .object, .json: .json
    case .string, .decimal, .timestamp, .date, .duration, .uuid, .url, .enumeration: .text
    }
  }

  package var begin: [String] { ["BEGIN IMMEDIATE"] }
  package var beginReading: [String] { ["BEGIN"] }
  // BEGIN IMMEDIATE holds the lock of the whole file.
  package func lock(_ table: String) -> [String] { [] }
  package func qualified(_ table: String) -> String { SQLName.quoted(table) }

  package func columns(of table: String) -> String {
    "SELECT name, type FROM pragma_table_info(\(SQLName.literal(table))) ORDER BY cid"
  }

  package var loadColumn: String { "\(SQLName.quoted(TableLoad.loadColumn)) TEXT" }

  package func create(_ load: TableLoad) -> [String] {
    let (layout, table) = (load.layout, qualified(load.table))
    let key = SQLName.list(layout.key)
    var columns = layout.columns.map { "\(SQLName.quoted($0.name)) \(columnType(of: $0))" }
    var indexes: [String] = []
    if load.keepsVersions {
      let (from, to) = TableLoad.versionColumns
      columns += ["\(SQLName.quoted(from)) TEXT NOT NULL", "\(SQLName.quoted(to)) TEXT"]
      let name = SQLName.quoted(load.table + "_present")
      indexes.append("CREATE UNIQUE INDEX \(name) ON \(table) (\(key)) WHERE \(TableLoad.isPresent)")
    } else if load.mode == .append {
      columns.append(loadColumn)
      if !layout.key.isEmpty {
        indexes.append("CREATE INDEX \(SQLName.quoted(load.table + "_key")) ON \(table) (\(key))")
      }
    } else if load.isKeyed {
      columns.append("PRIMARY KEY (\(key))")
    }
    return ["CREATE TABLE \(table) (\(columns.joined(separator: ", "))) STRICT"] + indexes
  }

  package func widen(
    _ column: TableColumn, of table: String, from present: String, _ type: FieldTypeName?
  ) -> [String]? {
    // An INTEGER may also be a boolean, whose text would be 0 or 1. A REAL has more digits than its text.
    guard columnType(of: column) == "TEXT", present == "INTEGER", type == .integer,
      column.encoding == .text
    else { return nil }
    // SQLite cannot change the type of a column.
    let (own, wider) = (SQLName.quoted(column.name), SQLName.quoted("reactor_wider"))
    let table = "ALTER TABLE \(qualified(table))"
    return [
      "\(table) ADD COLUMN \(wider) TEXT",
      "UPDATE \(table.dropFirst("ALTER TABLE ".count)) SET \(wider) = CAST(\(own) AS TEXT)",
      "\(table) DROP COLUMN \(own)", "\(table) RENAME COLUMN \(wider) TO \(own)",
    ]
  }

  package func selection(of column: TableColumn) -> String { SQLName.quoted(column.name) }

  package func fill(
    _ load: TableLoad, isEmpty: Bool, in session: any SQLSession, rows: RowSender
  ) async throws(LoadFailure) {
    let table = qualified(load.table)
    if load.keepsVersions {
      return try await SQLiteVersions(load: load, dialect: self, session: session).fill(rows)
    }
    if load.mode == .replace || load.startsAnew, !isEmpty {
      do throws(SQLError) {
        let condition = load.kept.map { " WHERE \($0.isReplaced())" } ?? ""
        try await session.run("DELETE FROM \(table)\(condition)")
      } catch {
        throw .database(error)
      }
    }
    try await rows(statement(load, table))
  }

  private func statement(_ load: TableLoad, _ table: String) -> RowStatement {
    let layout = load.layout
    var names = layout.columns.map(\.name)
    var values = Array(repeating: "?", count: names.count)
    if load.mode == .append {
      names.append(TableLoad.loadColumn)
      values.append(SQLName.literal(load.id))
    }
    var sql = "INSERT INTO \(table) (\(SQLName.list(names))) VALUES (\(values.joined(separator: ", ")))"
    if load.mode != .append, !layout.key.isEmpty {
      let others = names.filter { !layout.key.contains($0) }.map(SQLName.quoted)
      sql += " ON CONFLICT (\(SQLName.list(layout.key))) DO "
      // A row with the same values is not written again. One comparison of rows, because SQLite takes at most 1,000
      // terms with OR (SQLITE_MAX_EXPR_DEPTH).
      sql +=
        others.isEmpty
        ? "NOTHING"
        : "UPDATE SET \(others.map { "\($0) = excluded.\($0)" }.joined(separator: ", "))"
          + " WHERE (\(others.map { "\(table).\($0)" }.joined(separator: ", ")))"
          + " IS NOT (\(others.map { "excluded.\($0)" }.joined(separator: ", ")))"
    }
    let condition = layout.key.map { "\(SQLName.quoted($0)) = ?" }.joined(separator: " AND ")
    return RowStatement(
      sql, deletion: layout.marksDeletions ? "DELETE FROM \(table) WHERE \(condition)" : nil, layout: layout)
  }
}
