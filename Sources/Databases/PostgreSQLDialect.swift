package import FieldTypes
package import Records
internal import Storage

/// PostgreSQL: rows are sent by binary COPY; a replaced or merged table keeps its views, grants and indexes.
///
/// New rows are never loaded into a second table that is then renamed: a view depends on the table itself, so a swap
/// fails or breaks the view, and the new table has no grants. TRUNCATE would show an empty table to a transaction that
/// began before it. So a load copies the rows into a temporary table and changes only the rows that differ.
package struct PostgreSQLDialect: SQLDialect {
  /// The schema of all tables of the store.
  package let schema: String
  /// How long a statement waits for a lock, in milliseconds.
  package let lockTimeout: Int
  /// How long a statement may run, in milliseconds; 0 for no limit.
  package let statementTimeout: Int

  /// Creates the dialect for the tables of a schema.
  package init(schema: String = "public", lockTimeout: Int = 10_000, statementTimeout: Int = 0) {
    self.schema = schema
    self.lockTimeout = lockTimeout
    self.statementTimeout = statementTimeout
  }

  package var name: String { "PostgreSQL" }
  // NAMEDATALEN - 1
  package var maximumNameBytes: Int { 63 }
  // MaxHeapAttributeNumber
  package var maximumColumns: Int { 1600 }
  package var reservedColumns: Set<String> { ["tableoid", "xmin", "cmin", "xmax", "cmax", "ctid"] }
  package var allowsNUL: Bool { false }

  package func columnType(of column: TableColumn) -> String {
    switch column.encoding {
    case .text: "text"
    case .integer: "bigint"
    case .double: "double precision"
    case .boolean: "boolean"
    case .decimal: "numeric"
    case .timestamp: "timestamp with time zone"
    case .date: "date"
    case .uuid: "uuid"
    case .bytes: "bytea"
    // The type json keeps the text as it is, also the escape of U+0000.
    case .json: "json"
    case .binaryJSON: "jsonb"
    }
  }

  package func encoding(of type: FieldTypeName) -> TableColumn.Encoding {
    switch type {
    case .integer: .integer
    case .number: .double
    case .decimal: .decimal
    case .boolean: .boolean
    case .timestamp: .timestamp
    case .date: .date
    case .uuid: .uuid
    case .bytes: .bytes
    case .list, .object, .json: .binaryJSON
    case .string, .duration, .url, .enumeration: .text
    }
  }

  package var begin: [String] {
    [
      """
      BEGIN ISOLATION LEVEL READ COMMITTED; \(settings)
      """
    ]
  }

  /// Sets all parameters that could change the meaning of statements and texts, so that settings of a role or a
  /// database have no effect. The right to write is left to the role and the database.
  private var settings: String {
    """
    SET LOCAL lock_timeout = \(lockTimeout); SET LOCAL statement_timeout = \(statementTimeout); \
    SET LOCAL datestyle = 'ISO'; SET LOCAL intervalstyle = 'postgres'; SET LOCAL TimeZone = 'UTC'; \
    SET LOCAL standard_conforming_strings = on; SET LOCAL bytea_output = 'hex'; SET LOCAL extra_float_digits = 1; \
    SET LOCAL quote_all_identifiers = off; SET LOCAL transform_null_equals = off; SET LOCAL row_security = on
    """
  }

  package var beginReading: [String] {
    [
      """
      START TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY; \(settings); SET LOCAL search_path = \(SQLName.quoted(schema)), public
      """
    ]
  }

  package func lock(_ table: String) -> [String] {
    // An advisory lock instead of a lock of the table: the table may not exist, and readers must not wait.
    ["SELECT pg_advisory_xact_lock(hashtextextended(\(SQLName.literal("reactor:" + qualified(table))), 0))"]
  }

  package func qualified(_ table: String) -> String { "\(SQLName.quoted(schema)).\(SQLName.quoted(table))" }

  package func columns(of table: String) -> String {
    """
    SELECT a.attname, format_type(a.atttypid, a.atttypmod) FROM pg_attribute a \
    WHERE a.attrelid = to_regclass(\(SQLName.literal(qualified(table)))) AND a.attnum > 0 AND NOT a.attisdropped \
    ORDER BY a.attnum
    """
  }

  // The default is the load of the transaction, so COPY need not send it.
  package var loadColumn: String {
    "\(SQLName.quoted(TableLoad.loadColumn)) text DEFAULT current_setting('reactor.load', true)"
  }

  package func create(_ load: TableLoad) -> [String] {
    // The primary key is added when the rows are there, which is faster.
    let (layout, table) = (load.layout, qualified(load.table))
    let key = SQLName.list(layout.key)
    var columns = layout.columns.map { "\(SQLName.quoted($0.name)) \(columnType(of: $0))" }
    var indexes: [String] = []
    if load.keepsVersions {
      let (from, to) = TableLoad.versionColumns
      let type = "timestamp with time zone"
      columns += ["\(SQLName.quoted(from)) \(type) NOT NULL", "\(SQLName.quoted(to)) \(type)"]
      indexes.append("CREATE UNIQUE INDEX ON \(table) (\(key)) WHERE \(TableLoad.isPresent)")
    } else if load.mode == .append {
      columns.append(loadColumn)
      if !layout.key.isEmpty { indexes.append("CREATE INDEX ON \(table) (\(key))") }
    }
    return ["CREATE TABLE \(table) (\(columns.joined(separator: ", ")))"] + indexes
  }

  package func mayWiden(_ column: WiderColumn) -> Bool {
    let lossless: [String: Set<String>] = [
      "numeric": ["smallint", "integer", "bigint"],
      "text": [
        "smallint", "integer", "bigint", "double precision", "real", "numeric", "boolean", "date", "uuid",
        "character varying",
      ],
      "bigint": ["smallint", "integer"],
      "double precision": ["real", "smallint", "integer"],
      "jsonb": ["json"],
    ]
    let base = column.present.prefix { $0 != "(" }
    return lossless[columnType(of: column.column)]?.contains(String(base)) ?? false
  }

  package func widen(
    _ columns: [WiderColumn], of table: String, in session: any SQLSession
  ) async throws(SQLError) -> [String] {
    columns.map { change in
      let (name, wanted) = (SQLName.quoted(change.column.name), columnType(of: change.column))
      return "ALTER TABLE \(qualified(table)) ALTER COLUMN \(name) TYPE \(wanted) USING \(name)::\(wanted)"
    }
  }

  package func selection(of column: TableColumn) -> String {
    "\(SQLName.quoted(column.name))::\(columnType(of: column))"
  }

  // MARK: - Filling

  package func fill(
    _ load: TableLoad, isEmpty: Bool, in session: any SQLSession, rows: RowSender
  ) async throws(LoadFailure) {
    let fill = PostgreSQLFill(load: load, table: qualified(load.table), session: session)
    if load.mode == .append {
      if load.startsAnew { try await fill.run("DELETE FROM \(fill.table)") }
      try await fill.run("SET LOCAL reactor.load = \(SQLName.literal(load.id))")
      guard !load.layout.key.isEmpty, load.rank != nil else { return try await rows(fill.copy(into: fill.table)) }
      try await fill.stage()
      try await rows(fill.copy(into: PostgreSQLFill.stage))
      return try await fill.add()
    }
    if load.keepsVersions {
      try await fill.stage()
      try await rows(fill.copy(into: PostgreSQLFill.stage))
      return try await fill.applyVersions()
    }
    if load.layout.key.isEmpty {
      let condition = load.kept.map { " WHERE \($0.isReplaced())" } ?? ""
      if !isEmpty { try await fill.run("DELETE FROM \(fill.table)\(condition)") }
      return try await rows(fill.copy(into: fill.table))
    }
    if isEmpty, !load.layout.marksDeletions {
      // Rows are copied directly into an empty table. The primary key detects two rows with one key.
      try await fill.run("SAVEPOINT direct")
      do throws(LoadFailure) {
        try await rows(fill.copy(into: fill.table))
        return try await fill.addKey()
      } catch {
        guard case .database(let error) = error, error.kind == .unique else { throw error }
        try await fill.run("ROLLBACK TO SAVEPOINT direct")
      }
    }
    try await fill.addKey()
    try await fill.stage()
    try await rows(fill.copy(into: PostgreSQLFill.stage))
    try await fill.apply()
  }
}

/// The statements that store the rows of one load.
private struct PostgreSQLFill {
  static let stage = "pg_temp.\"reactor_stage\""
  /// The column of the temporary table that is true for a deleted key.
  static let deletion = "\"reactor_deleted\""

  let load: TableLoad
  let table: String
  let session: any SQLSession

  private var key: String { SQLName.list(load.layout.key) }
  private var names: [String] { load.layout.columns.map(\.name) }

  func run(_ sql: String) async throws(LoadFailure) {
    do throws(SQLError) {
      try await session.run(sql)
    } catch {
      throw .database(error)
    }
  }

  func copy(into target: String) -> RowStatement {
    var columns = names.map(SQLName.quoted)
    if load.layout.marksDeletions { columns.insert(Self.deletion, at: 0) }
    return RowStatement(
      "COPY \(target) (\(columns.joined(separator: ", "))) FROM STDIN (FORMAT binary)", layout: load.layout)
  }

  /// Adds the primary key unless the table has one.
  func addKey() async throws(LoadFailure) {
    do throws(SQLError) {
      let found = try await session.run(
        "SELECT 1 FROM pg_index WHERE indrelid = \(SQLName.literal(table))::regclass AND indisunique")
      guard found.isEmpty else { return }
      try await session.run("ALTER TABLE \(table) ADD PRIMARY KEY (\(key))")
    } catch {
      throw .database(error)
    }
  }

  /// The SQL expression for the rank of a row; nil if the later row is always the newer one.
  private func rank(_ alias: String) -> String? {
    guard let name = load.rank, let column = load.layout.columns.first(where: { $0.name == name }) else { return nil }
    let value = alias + SQLName.quoted(name)
    // Texts are compared by their bytes, as in files.
    return PostgreSQLDialect().columnType(of: column) == "text" ? "\(value) COLLATE \"C\"" : value
  }

  /// The order in which the first row of a key is the newest one. Rows of a new table are in the order in which they
  /// were sent, so the greatest position (ctid) is the last row.
  private var newestFirst: String {
    "\(key), \(rank("").map { "\($0) DESC NULLS FIRST, " } ?? "")ctid DESC"
  }

  /// The condition, with "AND" before it, that a row of the temporary table is not older than the row with its key in
  /// the table.
  private func isNewer(_ new: String = "s.") -> String {
    guard let new = rank(new), let old = rank("t.") else { return "" }
    return " AND (\(new) >= \(old)) IS NOT FALSE"
  }

  /// Adds the rows of the temporary table that are not in the table yet: those with another key or another rank.
  func add() async throws(LoadFailure) {
    try await run("ANALYZE \(Self.stage)")
    let columns = load.layout.key + [load.rank].compactMap { $0 }
    let same = columns.map { "s.\(SQLName.quoted($0)) IS NOT DISTINCT FROM t.\(SQLName.quoted($0))" }
    let isSameKey = load.layout.key.map { "s.\(SQLName.quoted($0)) = t.\(SQLName.quoted($0))" }
    try await run(
      """
      INSERT INTO \(table) (\(SQLName.list(names))) SELECT \(SQLName.list(names)) FROM \
      (SELECT DISTINCT ON (\(SQLName.list(columns))) *, ctid AS "reactor_at" FROM \(Self.stage) \
      ORDER BY \(SQLName.list(columns)), ctid DESC) s WHERE NOT EXISTS (SELECT 1 FROM \(table) t \
      WHERE \((isSameKey + same).joined(separator: " AND "))) ORDER BY s."reactor_at"
      """)
  }

  /// Creates the temporary table of the rows. It vanishes with the transaction.
  func stage() async throws(LoadFailure) {
    let marks = load.layout.marksDeletions ? "\(Self.deletion) boolean, " : ""
    let dialect = PostgreSQLDialect()
    let columns = load.layout.columns.map { "\(SQLName.quoted($0.name)) \(dialect.columnType(of: $0))" }
    try await run(
      "CREATE TEMPORARY TABLE \"reactor_stage\" (\(marks)\(columns.joined(separator: ", "))) ON COMMIT DROP")
  }

  /// Changes the table's rows to those of the temporary table. Of several rows with one key, only the newest one is
  /// used.
  func apply() async throws(LoadFailure) {
    // The planner has no statistics of a table that was created a moment ago.
    try await run("ANALYZE \(Self.stage)")
    let isSame = load.layout.key.map { "s.\(SQLName.quoted($0)) = t.\(SQLName.quoted($0))" }.joined(separator: " AND ")
    if load.mode == .replace {
      let condition = load.kept.map { "\($0.isReplaced("t.")) AND" } ?? ""
      try await run(
        "DELETE FROM \(table) t WHERE \(condition) NOT EXISTS (SELECT 1 FROM \(Self.stage) s WHERE \(isSame))")
    }
    let last = "SELECT DISTINCT ON (\(key)) * FROM \(Self.stage) ORDER BY \(newestFirst)"
    if load.layout.marksDeletions {
      try await run("DELETE FROM \(table) t USING (\(last)) s WHERE \(isSame) AND s.\(Self.deletion)\(isNewer())")
    }
    let source = load.layout.marksDeletions ? "(\(last)) s WHERE NOT \(Self.deletion)" : "(\(last)) s"
    let others = names.filter { !load.layout.key.contains($0) }.map(SQLName.quoted)
    var sql = "INSERT INTO \(table) AS t (\(SQLName.list(names))) SELECT \(SQLName.list(names)) FROM \(source)"
    sql += " ON CONFLICT (\(key)) DO "
    // A row with the same values is not written again.
    sql +=
      others.isEmpty
      ? "NOTHING"
      : "UPDATE SET \(others.map { "\($0) = excluded.\($0)" }.joined(separator: ", "))"
        + " WHERE (\(others.map { "t.\($0)" }.joined(separator: ", ")))"
        + " IS DISTINCT FROM (\(others.map { "excluded.\($0)" }.joined(separator: ", ")))\(isNewer("excluded."))"
    try await run(sql)
  }

  /// Ends the versions that the rows of the temporary table replace, and adds the new ones. Of several rows with one
  /// key, only the newest one is used.
  func applyVersions() async throws(LoadFailure) {
    let (from, to) = (SQLName.quoted(TableLoad.versionColumns.from), SQLName.quoted(TableLoad.versionColumns.to))
    let now = "to_timestamp(\(load.provenance.writtenAt) / 1000.0)"
    let last = "pg_temp.\"reactor_last\""
    try await run(
      """
      CREATE TEMPORARY TABLE "reactor_last" ON COMMIT DROP AS \
      SELECT DISTINCT ON (\(key)) * FROM \(Self.stage) ORDER BY \(newestFirst)
      """)
    try await run("ANALYZE \(last)")
    let isSame = load.layout.key.map { "s.\(SQLName.quoted($0)) = t.\(SQLName.quoted($0))" }.joined(separator: " AND ")
    let end = "UPDATE \(table) t SET \(to) = \(now)"
    if load.mode == .replace {
      let condition = load.kept.map { "AND \($0.isReplaced("t."))" } ?? ""
      try await run(
        "\(end) WHERE t.\(to) IS NULL \(condition) AND NOT EXISTS (SELECT 1 FROM \(last) s WHERE \(isSame))")
    }
    let others = names.filter { !load.layout.key.contains($0) }.map(SQLName.quoted)
    var conditions = load.layout.marksDeletions ? ["s.\(Self.deletion)"] : []
    if !others.isEmpty {
      let (new, old) = (others.map { "s.\($0)" }, others.map { "t.\($0)" })
      conditions.append("(\(new.joined(separator: ", "))) IS DISTINCT FROM (\(old.joined(separator: ", ")))")
    }
    if !conditions.isEmpty {
      try await run(
        "\(end) FROM \(last) s WHERE \(isSame) AND t.\(to) IS NULL\(isNewer()) AND (\(conditions.joined(separator: " OR ")))"
      )
    }
    let isWanted = load.layout.marksDeletions ? "NOT s.\(Self.deletion) AND" : ""
    try await run(
      """
      INSERT INTO \(table) (\(SQLName.list(names)), \(from)) SELECT \(SQLName.list(names)), \(now) FROM \(last) s \
      WHERE \(isWanted) NOT EXISTS (SELECT 1 FROM \(table) t WHERE \(isSame) AND t.\(to) IS NULL)
      """)
  }
}
