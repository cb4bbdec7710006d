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
  // SQLite itself has no limit for the length of a name.
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

  package func mayWiden(_ column: WiderColumn) -> Bool {
    // An INTEGER may also be a boolean, whose text would be 0 or 1. A REAL has more digits than its text.
    columnType(of: column.column) == "TEXT" && column.present == "INTEGER" && column.type == .integer
      && column.column.encoding == .text
  }

  /// SQLite cannot change the type of a column, so the table is created again with its rows, indexes and triggers.
  /// Views stay.
  package func widen(
    _ columns: [WiderColumn], of table: String, in session: any SQLSession
  ) async throws(SQLError) -> [String] {
    let (own, wider) = (qualified(table), SQLName.quoted("reactor_wider"))
    let literal = SQLName.literal(table)
    let text = try await session.run("SELECT sql FROM sqlite_master WHERE type = 'table' AND name = \(literal)")
    let others = try await session.run(
      "SELECT sql FROM sqlite_master WHERE tbl_name = \(literal) AND type IN ('index', 'trigger') AND sql IS NOT NULL")
    let names = try await session.run(self.columns(of: table)).compactMap { $0[0] }
    guard var definition = text.first?.first ?? nil, let open = definition.firstIndex(of: "(") else { return [] }
    definition = "CREATE TABLE \(wider) " + definition[open...]
    for change in columns {
      let name = SQLName.quoted(change.column.name)
      definition = definition.replacing(
        "\(name) \(change.present)", with: "\(name) \(columnType(of: change.column))", maxReplacements: 1)
    }
    let changed = Set(columns.map(\.column.name))
    let values = names.map { changed.contains($0) ? "CAST(\(SQLName.quoted($0)) AS TEXT)" : SQLName.quoted($0) }
    return [
      // Otherwise the new name would have to fit views that use the table.
      "PRAGMA legacy_alter_table = ON", definition,
      "INSERT INTO \(wider) (\(SQLName.list(names))) SELECT \(values.joined(separator: ", ")) FROM \(own) ORDER BY rowid",
      "DROP TABLE \(own)", "ALTER TABLE \(wider) RENAME TO \(own)", "PRAGMA legacy_alter_table = OFF",
    ] + others.compactMap { $0[0] }
  }

  package func selection(of column: TableColumn) -> String { SQLName.quoted(column.name) }

  package func fill(
    _ load: TableLoad, isEmpty: Bool, in session: any SQLSession, rows: RowSender
  ) async throws(LoadFailure) {
    let table = qualified(load.table)
    if load.keepsVersions {
      return try await SQLiteVersions(load: load, dialect: self, session: session).fill(rows)
    }
    if load.mode == .merge, load.rank != nil, load.layout.marksDeletions {
      // A deletion must win over an older row that comes after it, so all rows are compared before one is stored.
      return try await SQLiteMerge(load: load, dialect: self, session: session).fill(rows)
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

  /// The condition that a row of the table has the key and the rank of the bound row; nil if every row is added.
  private func isSameRow(_ load: TableLoad, _ table: String) -> String? {
    guard let rank = load.rank, !load.layout.key.isEmpty else { return nil }
    let names = load.layout.columns.map(\.name)
    let conditions = (load.layout.key + [rank]).compactMap { name in
      names.firstIndex(of: name).map { "\(SQLName.quoted(name)) IS ?\($0 + 1)" }
    }
    return conditions.count == load.layout.key.count + 1 ? conditions.joined(separator: " AND ") : nil
  }

  /// The condition, with "AND" before it, that a new row is not older than the present one.
  func isNewer(_ load: TableLoad, _ new: String, _ old: String) -> String {
    guard let name = load.rank, load.layout.columns.contains(where: { $0.name == name }) else { return "" }
    let (new, old) = ("\(new).\(SQLName.quoted(name))", "\(old).\(SQLName.quoted(name))")
    return " AND (\(comparable(new, load)) >= \(comparable(old, load))) IS NOT 0"
  }

  /// Wraps the SQL expression of a rank (the value that tells which version of a record is newer), so that it compares
  /// correctly.
  func comparable(_ value: String, _ load: TableLoad) -> String {
    guard let column = load.layout.columns.first(where: { $0.name == load.rank }) else { return value }
    // With its Z, a timestamp without a fraction would be greater than one with it.
    return columnType(of: column) == "TEXT" ? "rtrim(\(value), 'Z')" : value
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
    if load.mode == .append, let same = isSameRow(load, table) {
      values = layout.columns.indices.map { "?\($0 + 1)" } + [SQLName.literal(load.id)]
      sql = "INSERT INTO \(table) (\(SQLName.list(names))) SELECT \(values.joined(separator: ", ")) WHERE NOT EXISTS "
      sql += "(SELECT 1 FROM \(table) WHERE \(same))"
    }
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
          + " IS NOT (\(others.map { "excluded.\($0)" }.joined(separator: ", ")))" + isNewer(load, "excluded", table)
    }
    let condition = layout.key.map { "\(SQLName.quoted($0)) = ?" }.joined(separator: " AND ")
    return RowStatement(
      sql, deletion: layout.marksDeletions ? "DELETE FROM \(table) WHERE \(condition)" : nil, layout: layout)
  }
}
