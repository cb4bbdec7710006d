internal import ByteCodings
internal import FieldTypes
internal import JSONSyntax
internal import ReactorCore
internal import Storage
internal import TimeSyntax

/// The tables in which a database remembers its loads. They change only in the transaction of a load.
///
/// `reactor_tables` has one row for each table: what it was last loaded with. `reactor_loads` has one row for each load,
/// the last one first to be asked for.
struct StateTables: Sendable {
  static let tables = "reactor_tables"
  static let loads = "reactor_loads"

  let dialect: any SQLDialect

  private var stamps: String { dialect.qualified(Self.tables) }
  private var history: String { dialect.qualified(Self.loads) }

  /// The statements that create the tables.
  var creation: [String] {
    [
      """
      CREATE TABLE IF NOT EXISTS \(stamps) (name text PRIMARY KEY, load text NOT NULL, flow text NOT NULL, \
      written_at bigint NOT NULL, resource text NOT NULL, schema text NOT NULL, records bigint NOT NULL, \
      rejected bigint NOT NULL, etag text, last_modified text, cursor text, credentials text, columns text NOT NULL)
      """,
      """
      CREATE TABLE IF NOT EXISTS \(history) (load text PRIMARY KEY, name text NOT NULL, flow text NOT NULL, \
      mode text NOT NULL, loaded_at text NOT NULL, received bigint NOT NULL, records bigint NOT NULL, \
      rejected bigint NOT NULL, cursor_before text, cursor_after text)
      """,
    ]
  }

  /// Reads the stamp of a table; nil without one. The state tables must exist.
  func stamp(of table: String, in session: any SQLSession) async throws(SQLError) -> TableStamp? {
    let rows = try await session.run(
      """
      SELECT load, flow, written_at, resource, schema, records, rejected, etag, last_modified, cursor, credentials, \
      columns FROM \(stamps) WHERE name = $1
      """, [table])
    guard let row = rows.first, row.count == 12, let load = row[0], let flow = row[1],
      let writtenAt = row[2].flatMap({ Int64($0) }), let resource = row[3].flatMap({ UInt64($0, radix: 16) }),
      let schema = row[4].flatMap({ UInt64($0, radix: 16) }), let records = row[5].flatMap({ Int($0) })
    else { return nil }
    return TableStamp(
      load: load, flow: flow,
      provenance: Provenance(
        writtenAt: writtenAt, resource: resource, schema: schema, recordCount: records,
        rejectedCount: row[6].flatMap { Int($0) } ?? 0, etag: row[7], lastModified: row[8], cursor: row[9],
        credentials: row[10].flatMap { UInt64($0, radix: 16) }), types: Self.types(row[11] ?? ""))
  }

  /// The types by column, of a text such as `{"id":"integer"}`.
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
    try await session.run("DELETE FROM \(stamps) WHERE name = $1", [table])
    try await session.run(
      """
      INSERT INTO \(stamps) (name, load, flow, written_at, resource, schema, records, rejected, etag, last_modified, \
      cursor, credentials, columns) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
      """,
      [
        table, stamp.load, stamp.flow, String(provenance.writtenAt), Hex.text(provenance.resource),
        Hex.text(provenance.schema), String(provenance.recordCount), String(provenance.rejectedCount), provenance.etag,
        provenance.lastModified, provenance.cursor, provenance.credentials.map { Hex.text($0) },
        Self.text(stamp.types),
      ])
  }

  /// Adds a load to the history.
  ///
  /// - Parameter records: the number of rows in the table after the load
  func note(
    _ load: TableLoad, records: Int, before: TableStamp?, in session: any SQLSession
  ) async throws(SQLError) {
    let provenance = load.provenance
    try await session.run(
      """
      INSERT INTO \(history) (load, name, flow, mode, loaded_at, received, records, rejected, cursor_before, \
      cursor_after) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
      """,
      [
        load.id, load.table, load.flow, load.mode.rawValue, InstantText.text(provenance.writtenAt / 1000),
        String(provenance.recordCount), String(records), String(provenance.rejectedCount),
        before?.provenance.cursor, provenance.cursor,
      ])
  }

  /// Whether a load is stored.
  func has(_ load: String, in session: any SQLSession) async throws(SQLError) -> Bool {
    try await !session.run("SELECT load FROM \(history) WHERE load = $1", [load]).isEmpty
  }
}
