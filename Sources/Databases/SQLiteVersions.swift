internal import Records
internal import Storage
internal import TimeSyntax

/// The rows of a load in a temporary table of SQLite. Only the newest row of each key stays.
struct SQLiteStage {
  static let table = "temp.\"reactor_stage\""
  /// The column that is 1 for a deleted key.
  static let deletion = "\"reactor_deleted\""

  let load: TableLoad
  let dialect: SQLiteDialect
  let session: any SQLSession

  var key: String { SQLName.list(load.layout.key) }
  var names: String { SQLName.list(load.layout.columns.map(\.name)) }
  private static var stage: String { table }

  /// The condition that the staged row `s` has the key of the row of `table`.
  func isSame(as table: String) -> String {
    load.layout.key.map { "s.\(SQLName.quoted($0)) = \(table).\(SQLName.quoted($0))" }.joined(separator: " AND ")
  }

  /// Sends the rows to the temporary table, calls `apply`, and removes the table.
  func fill(_ rows: RowSender, apply: () async throws(LoadFailure) -> Void) async throws(LoadFailure) {
    let layout = load.layout
    // The key of a deleted row, and its rank.
    let kept = layout.key + [load.rank].compactMap { $0 }.filter { !layout.key.contains($0) }
    let columns = layout.columns.map { "\(SQLName.quoted($0.name)) \(dialect.columnType(of: $0))" }
    try await run("DROP TABLE IF EXISTS \(Self.stage)")
    try await run(
      "CREATE TEMPORARY TABLE \"reactor_stage\" (\(columns.joined(separator: ", ")), \(Self.deletion) INTEGER)")
    let marks = Array(repeating: "?", count: layout.columns.count).joined(separator: ", ")
    let keyMarks = Array(repeating: "?", count: kept.count).joined(separator: ", ")
    let deletion = "INSERT INTO \(Self.stage) (\(SQLName.list(kept)), \(Self.deletion)) VALUES (\(keyMarks), 1)"
    try await rows(
      RowStatement(
        "INSERT INTO \(Self.stage) (\(names)) VALUES (\(marks))", deletion: layout.marksDeletions ? deletion : nil,
        layout: layout, deleted: kept))
    try await keepNewest()
    try await apply()
    try await run("DROP TABLE \(Self.stage)")
  }

  /// Keeps the newest row of each key: the one with the greatest rank, and among equal ranks the last one.
  private func keepNewest() async throws(LoadFailure) {
    let order = load.rank.map { name in
      let value = SQLName.quoted(name)
      return "\(value) IS NULL DESC, \(dialect.comparable(value, load)) DESC, "
    }
    try await run(
      """
      DELETE FROM \(Self.stage) WHERE rowid NOT IN (SELECT r FROM (SELECT rowid AS r, row_number() OVER \
      (PARTITION BY \(key) ORDER BY \(order ?? "")rowid DESC) AS n FROM \(Self.stage)) WHERE n = 1)
      """)
    try await run("CREATE INDEX temp.\"reactor_stage_key\" ON \"reactor_stage\" (\(key))")
  }

  func run(_ sql: String) async throws(LoadFailure) {
    do throws(SQLError) {
      try await session.run(sql)
    } catch {
      throw .database(error)
    }
  }
}

/// Merges rows and deletions into an SQLite table by their key and their rank.
struct SQLiteMerge {
  let load: TableLoad
  let dialect: SQLiteDialect
  let session: any SQLSession

  func fill(_ rows: RowSender) async throws(LoadFailure) {
    let stage = SQLiteStage(load: load, dialect: dialect, session: session)
    let table = dialect.qualified(load.table)
    let isSame = stage.isSame(as: table)
    try await stage.fill(rows) { () async throws(LoadFailure) in
      try await stage.run(
        """
        DELETE FROM \(table) WHERE EXISTS (SELECT 1 FROM \(SQLiteStage.table) s WHERE \(isSame) \
        AND s.\(SQLiteStage.deletion) IS 1\(dialect.isNewer(load, "s", table)))
        """)
      let others = load.layout.columns.map(\.name).filter { !load.layout.key.contains($0) }.map(SQLName.quoted)
      let update = others.map { "\($0) = excluded.\($0)" }.joined(separator: ", ")
      let (old, new) = (others.map { "\(table).\($0)" }, others.map { "excluded.\($0)" })
      try await stage.run(
        """
        INSERT INTO \(table) (\(stage.names)) SELECT \(stage.names) FROM \(SQLiteStage.table) s \
        WHERE \(SQLiteStage.deletion) IS NOT 1 ORDER BY s.rowid ON CONFLICT (\(stage.key)) DO \
        UPDATE SET \(update) WHERE (\(old.joined(separator: ", "))) IS NOT (\(new.joined(separator: ", ")))\
        \(dialect.isNewer(load, "excluded", table))
        """)
    }
  }
}

/// Loads rows into an SQLite table that keeps old versions: through a temporary table, like this program's loads into
/// PostgreSQL.
struct SQLiteVersions {
  let load: TableLoad
  let dialect: SQLiteDialect
  let session: any SQLSession

  func fill(_ rows: RowSender) async throws(LoadFailure) {
    let stage = SQLiteStage(load: load, dialect: dialect, session: session)
    try await stage.fill(rows) { () async throws(LoadFailure) in try await apply(stage) }
  }

  /// Ends the versions that the rows replace, and adds the new ones.
  private func apply(_ stage: SQLiteStage) async throws(LoadFailure) {
    let table = dialect.qualified(load.table)
    let (from, to) = (SQLName.quoted(TableLoad.versionColumns.from), SQLName.quoted(TableLoad.versionColumns.to))
    let now = SQLName.literal(InstantText.text(milliseconds: load.provenance.writtenAt))
    let isSame = stage.isSame(as: table)
    let end = "UPDATE \(table) SET \(to) = \(now) WHERE \(TableLoad.isPresent) AND"
    if load.mode == .replace {
      let condition = load.kept.map { "\($0.isReplaced()) AND" } ?? ""
      try await stage.run("\(end) \(condition) NOT EXISTS (SELECT 1 FROM \(SQLiteStage.table) s WHERE \(isSame))")
    }
    let others = load.layout.columns.map(\.name).filter { !load.layout.key.contains($0) }.map(SQLName.quoted)
    var isOther = "s.\(SQLiteStage.deletion) IS 1"
    if !others.isEmpty {
      let (new, old) = (others.map { "s.\($0)" }, others.map { "\(table).\($0)" })
      isOther += " OR (\(new.joined(separator: ", "))) IS NOT (\(old.joined(separator: ", ")))"
    }
    try await stage.run(
      "\(end) EXISTS (SELECT 1 FROM \(SQLiteStage.table) s WHERE \(isSame)\(dialect.isNewer(load, "s", table)) AND (\(isOther)))"
    )
    try await stage.run(
      """
      INSERT INTO \(table) (\(stage.names), \(from)) SELECT \(stage.names), \(now) FROM \(SQLiteStage.table) s \
      WHERE \(SQLiteStage.deletion) IS NOT 1 \
      AND NOT EXISTS (SELECT 1 FROM \(table) WHERE \(isSame) AND \(TableLoad.isPresent)) ORDER BY s.rowid
      """)
  }
}
