internal import Records
internal import Storage
internal import TimeSyntax

/// Loads rows into an SQLite table that keeps old versions: through a temporary table, as PostgreSQL does.
struct SQLiteVersions {
  private static let stage = "temp.\"reactor_stage\""
  private static let deletion = "\"reactor_deleted\""

  let load: TableLoad
  let dialect: SQLiteDialect
  let session: any SQLSession

  func fill(_ rows: RowSender) async throws(LoadFailure) {
    let layout = load.layout
    let columns = layout.columns.map { "\(SQLName.quoted($0.name)) \(dialect.columnType(of: $0))" }
    try await run("DROP TABLE IF EXISTS \(Self.stage)")
    try await run(
      "CREATE TEMPORARY TABLE \"reactor_stage\" (\(columns.joined(separator: ", ")), \(Self.deletion) INTEGER)")
    let marks = Array(repeating: "?", count: layout.columns.count).joined(separator: ", ")
    let keyMarks = Array(repeating: "?", count: layout.key.count).joined(separator: ", ")
    let deletion = "INSERT INTO \(Self.stage) (\(key), \(Self.deletion)) VALUES (\(keyMarks), 1)"
    try await rows(
      RowStatement(
        "INSERT INTO \(Self.stage) (\(names)) VALUES (\(marks))", deletion: layout.marksDeletions ? deletion : nil,
        layout: layout))
    try await apply()
    try await run("DROP TABLE \(Self.stage)")
  }

  private var key: String { SQLName.list(load.layout.key) }
  private var names: String { SQLName.list(load.layout.columns.map(\.name)) }

  /// Ends the versions that the rows replace, and adds the new ones. Of several rows with one key the last one counts.
  private func apply() async throws(LoadFailure) {
    let table = dialect.qualified(load.table)
    let (from, to) = (SQLName.quoted(TableLoad.versionColumns.from), SQLName.quoted(TableLoad.versionColumns.to))
    let now = SQLName.literal(InstantText.text(milliseconds: load.provenance.writtenAt))
    try await run(
      "DELETE FROM \(Self.stage) WHERE rowid NOT IN (SELECT max(rowid) FROM \(Self.stage) GROUP BY \(key))")
    try await run("CREATE INDEX temp.\"reactor_stage_key\" ON \"reactor_stage\" (\(key))")
    let isSame = load.layout.key.map { "s.\(SQLName.quoted($0)) = \(table).\(SQLName.quoted($0))" }
      .joined(separator: " AND ")
    let end = "UPDATE \(table) SET \(to) = \(now) WHERE \(TableLoad.isPresent) AND"
    if load.mode == .replace {
      let condition = load.kept.map { "\($0.isReplaced()) AND" } ?? ""
      try await run("\(end) \(condition) NOT EXISTS (SELECT 1 FROM \(Self.stage) s WHERE \(isSame))")
    }
    let others = load.layout.columns.map(\.name).filter { !load.layout.key.contains($0) }.map(SQLName.quoted)
    var isOther = "s.\(Self.deletion) IS 1"
    if !others.isEmpty {
      let (new, old) = (others.map { "s.\($0)" }, others.map { "\(table).\($0)" })
      isOther += " OR (\(new.joined(separator: ", "))) IS NOT (\(old.joined(separator: ", ")))"
    }
    try await run("\(end) EXISTS (SELECT 1 FROM \(Self.stage) s WHERE \(isSame) AND (\(isOther)))")
    try await run(
      """
      INSERT INTO \(table) (\(names), \(from)) SELECT \(names), \(now) FROM \(Self.stage) s \
      WHERE \(Self.deletion) IS NOT 1 \
      AND NOT EXISTS (SELECT 1 FROM \(table) WHERE \(isSame) AND \(TableLoad.isPresent)) ORDER BY s.rowid
      """)
  }

  private func run(_ sql: String) async throws(LoadFailure) {
    do throws(SQLError) {
      try await session.run(sql)
    } catch {
      throw .database(error)
    }
  }
}
