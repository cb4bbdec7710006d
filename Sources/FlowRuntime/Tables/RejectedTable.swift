internal import Databases
internal import FieldTypes
internal import FlowModel
internal import JSONSyntax
internal import ReactorCore
internal import Records
internal import Storage

/// A table of rejected records: a row for each line that a file would have, and a column for each of its members.
///
/// The rows are staged here. They are loaded in the transaction of the result if it goes to the same database, else in
/// their own transaction.
final class RejectedTable: RejectedPlace {
  private let database: Database
  private let table: ResolvedTable
  private let flow: String
  private let environment: FlowEnvironment
  private let layout: TableLayout
  private let writer: TableRowWriter
  private let feed: RecordFeed

  init(_ table: ResolvedTable, of flow: String, in environment: FlowEnvironment) {
    database = environment.database(of: table.store)
    self.table = table
    self.flow = flow
    self.environment = environment
    layout = TableLayout(columns: Self.columns, key: [], allowsNUL: table.store.dialect.allowsNUL)
    writer = TableRowWriter(layout)
    feed = environment.newFeed()
  }

  var text: String { table.text }

  /// The members of a line, in their order.
  private static let columns: [TableColumn] = [
    ("flow", .text), ("page", .integer), ("index", .integer), ("pointer", .text), ("rule", .text), ("reason", .text),
    ("status", .integer), ("request", .json), ("key", .json), ("cursor", .json), ("parents", .json),
    ("record_bytes", .integer), ("record_text", .text), ("record", .json), ("batch", .integer), ("each", .json),
  ].map { (name: String, encoding: TableColumn.Encoding) in
    TableColumn(
      name: name, type: encoding == .text ? .string : encoding == .integer ? .integer : .json, encoding: encoding)
  }

  func earlier() async throws(ReactorError) -> (any RecordFile)? {
    guard try await database.stamp(of: table.name) != nil else { return nil }
    return RejectedRows(
      rows: TableRecords(
        database: database, table: table.name, sql: database.query(of: table.name, layout), columns: layout.columns,
        newFeed: environment.newFeed))
  }

  func write(_ lines: [UInt8]) async throws(ReactorError) { await feed.writer.append(writer.rows(of: lines)) }

  func publish(_ provenance: Provenance) async throws(ReactorError) {
    guard let (load, rows) = load(provenance) else { return }
    _ = try await database.load(load, rows)
  }

  /// Checks whether the database would accept the load of rejected records, without loading anything.
  func rehearse() async throws(ReactorError) {
    guard let (load, _) = load(Provenance(writtenAt: 0, resource: 0, schema: 0, recordCount: 0)) else { return }
    try await database.rehearse(load)
  }

  /// The staged rows, as a load.
  func load(_ provenance: Provenance) -> (load: TableLoad, rows: Database.Rows)? {
    feed.writer.finish()
    // Cursor, validators and counts are those of the result.
    let provenance = Provenance(
      writtenAt: provenance.writtenAt, resource: provenance.resource, schema: provenance.schema,
      recordCount: provenance.recordCount)
    let load = TableLoad(into: table.name, layout, mode: .replace, flow: flow, provenance: provenance)
    return (load, Database.Rows(of: feed))
  }

  /// Whether this table and the table of the result are in one database, so that one transaction can load both.
  func isBeside(_ result: TableResult) -> Bool { table.store == result.table.store }

  func discard() async {}
}

/// The rows of a table of rejected records as JSON lines, without the members whose value is null.
private struct RejectedRows: RecordFile {
  let rows: TableRecords

  func body() async throws(ReactorError) -> ResponseBody {
    try await rows.body { (lines) in
      var out: [UInt8] = []
      for line in lines.split(separator: UInt8(ascii: "\n")) {
        guard case .object(let object)? = try? JSONValue(parsing: Array(line)) else { continue }
        JSONWriter.write(.object(JSONObject(distinct: object.members.filter { $0.value != .null })), into: &out)
        out.append(UInt8(ascii: "\n"))
      }
      return out
    }
  }
}

extension Database.Rows {
  /// Creates rows from the bytes of a feed that has ended.
  init(of feed: RecordFeed) {
    self.init {
      let reader = FeedBytes(feed.reader(batch: 256 << 10))
      return { () throws(ReactorError) in try await reader.next() }
    }
  }
}
