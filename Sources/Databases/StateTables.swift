internal import ByteCodings
internal import FieldTypes
internal import JSONSyntax
internal import ReactorCore
internal import Storage

/// The tables in which a database remembers its loads and runs.
///
/// `reactor_tables` has one row for each table: its last load. `reactor_loads` has one row for each load, and
/// `reactor_runs` one row for each run of a flow. The row of a load, and of the run that made it, are written in the
/// transaction of the load.
struct StateTables: Sendable {
  static let tables = "reactor_tables"
  static let loads = "reactor_loads"
  static let runs = "reactor_runs"

  let dialect: any SQLDialect

  /// The columns of each table. A later version may add columns: `evolve` adds the missing columns to existing tables,
  /// so added columns allow null. A version that changes the meaning of a column adds `StateVersion.laterColumn` to
  /// `reactor_tables`, and earlier programs then refuse the database.
  private static let columns: [(table: String, columns: [(name: String, definition: String)])] = [
    (
      tables,
      [
        ("name", "text PRIMARY KEY"), ("load", "text NOT NULL"), ("flow", "text NOT NULL"),
        ("written_at", "bigint NOT NULL"), ("resource", "text NOT NULL"), ("schema", "text NOT NULL"),
        ("records", "bigint NOT NULL"), ("rejected", "bigint NOT NULL"), ("etag", "text"), ("last_modified", "text"),
        ("cursor", "text"), ("credentials", "text"), ("columns", "text NOT NULL"),
        ("versions", "text"), ("run", "text"),
      ]
    ),
    (
      loads,
      [
        ("load", "text PRIMARY KEY"), ("name", "text NOT NULL"), ("flow", "text NOT NULL"), ("mode", "text NOT NULL"),
        ("loaded_at", "text NOT NULL"), ("received", "bigint NOT NULL"), ("records", "bigint NOT NULL"),
        ("rejected", "bigint NOT NULL"), ("cursor_before", "text"), ("cursor_after", "text"), ("run", "text"),
        ("started_at", "text"), ("bytes", "bigint"), ("resource", "text"), ("schema", "text"), ("reactor", "text"),
      ]
    ),
    (
      runs,
      [
        ("run", "text NOT NULL"), ("flow", "text NOT NULL"), ("name", "text NOT NULL"), ("started_at", "text NOT NULL"),
        ("ended_at", "text NOT NULL"), ("records", "bigint NOT NULL"), ("rejected", "bigint NOT NULL"),
        ("bytes", "bigint NOT NULL"), ("load", "text"), ("error", "text"), ("message", "text"), ("reactor", "text"),
      ]
    ),
  ]

  /// Creates those of reactor's own tables that do not exist, and adds the missing columns to the others.
  func evolve(in session: any SQLSession) async throws(SQLError) {
    guard try await !changes(in: session).isEmpty else { return }
    // Two loads at once would both make the changes, and one of them would fail. So the columns are read again under a
    // lock.
    for statement in dialect.lock(Self.loads) { try await session.run(statement) }
    for statement in try await changes(in: session) { try await session.run(statement) }
  }

  private func changes(in session: any SQLSession) async throws(SQLError) -> [String] {
    var statements: [String] = []
    for (table, columns) in Self.columns {
      let name = dialect.qualified(table)
      let present = Set(try await session.run(dialect.columns(of: table)).compactMap(\.first))
      if table == Self.tables { try refuseLater(present) }
      if present.isEmpty {
        let list = columns.map { "\(SQLName.quoted($0.name)) \($0.definition)" }.joined(separator: ", ")
        statements.append("CREATE TABLE IF NOT EXISTS \(name) (\(list))")
      }
      for column in columns where !present.isEmpty && !present.contains(column.name) {
        statements.append("ALTER TABLE \(name) ADD COLUMN \(SQLName.quoted(column.name)) \(column.definition)")
      }
    }
    return statements
  }

  /// Reads the stamp of a table; nil without one.
  func stamp(of table: String, in session: any SQLSession) async throws(SQLError) -> TableStamp? {
    let columns = try await session.run(dialect.columns(of: Self.tables))
    if columns.isEmpty { return nil }
    // A table of an earlier version lacks the last columns.
    let present = Set(columns.compactMap(\.first))
    try refuseLater(present)
    func later(_ column: String) -> String { present.contains(column) ? column : "NULL" }
    let rows = try await session.run(
      """
      SELECT load, flow, written_at, resource, schema, records, rejected, etag, last_modified, cursor, credentials, \
      columns, \(later("versions")), \(later("run")) FROM \(dialect.qualified(Self.tables)) WHERE name = $1
      """, [table])
    guard let row = rows.first, row.count == 14, let load = row[0], let flow = row[1],
      let writtenAt = row[2].flatMap({ Int64($0) }), let resource = row[3].flatMap({ UInt64($0, radix: 16) }),
      let schema = row[4].flatMap({ UInt64($0, radix: 16) }), let records = row[5].flatMap({ Int($0) })
    else { return nil }
    return TableStamp(
      load: load, flow: flow,
      provenance: Provenance(
        writtenAt: writtenAt, resource: resource, schema: schema, recordCount: records,
        rejectedCount: row[6].flatMap { Int($0) } ?? 0, etag: row[7], lastModified: row[8], cursor: row[9],
        credentials: row[10].flatMap { UInt64($0, radix: 16) }, run: row[13].flatMap { UInt64($0, radix: 16) }),
      types: Self.types(row[11] ?? ""),
      keepsVersions: row[12] != nil)
  }

  private func refuseLater(_ columns: Set<String?>) throws(SQLError) {
    guard columns.contains(StateVersion.laterColumn) else { return }
    throw SQLError(.statement, StateVersion.tables.words("'\(Self.tables)'"), help: StateVersion.tables.help)
  }

  /// The types of the columns by name, read from a text such as `{"id":"integer"}`.
  private static func types(_ text: String) -> [String: FieldTypeName] {
    guard case .object(let object)? = try? JSONValue(parsing: Array(text.utf8)) else { return [:] }
    var types: [String: FieldTypeName] = [:]
    for member in object.members { types[member.name] = member.value.string.flatMap { FieldTypeName(rawValue: $0) } }
    return types
  }

  private static func text(_ types: [String: FieldTypeName]) -> String {
    let members = types.sorted { $0.key < $1.key }.map {
      JSONObject.Member(name: $0.key, value: .string($0.value.rawValue))
    }
    return String(decoding: JSONWriter.bytes(.object(JSONObject(members))), as: UTF8.self)
  }

  /// Replaces the stamp of a table.
  func write(_ stamp: TableStamp, of table: String, in session: any SQLSession) async throws(SQLError) {
    let provenance = stamp.provenance
    try await session.run("DELETE FROM \(dialect.qualified(Self.tables)) WHERE name = $1", [table])
    try await insert(
      into: Self.tables,
      [
        "name": table, "load": stamp.load, "flow": stamp.flow, "written_at": String(provenance.writtenAt),
        "resource": Hex.text(provenance.resource), "schema": Hex.text(provenance.schema),
        "records": String(provenance.recordCount), "rejected": String(provenance.rejectedCount),
        "etag": provenance.etag, "last_modified": provenance.lastModified, "cursor": provenance.cursor,
        "credentials": provenance.credentials.map { Hex.text($0) }, "columns": Self.text(stamp.types),
        "versions": stamp.keepsVersions ? "kept" : nil, "run": provenance.run.map { Hex.text($0) },
      ], in: session)
  }

  /// Inserts a row.
  func insert(
    into table: String, _ values: KeyValuePairs<String, String?>, in session: any SQLSession
  ) async throws(SQLError) {
    let names = SQLName.list(values.map(\.key))
    let places = (1...values.count).map { "$\($0)" }.joined(separator: ", ")
    try await session.run(
      "INSERT INTO \(dialect.qualified(table)) (\(names)) VALUES (\(places))", values.map(\.value))
  }
}
