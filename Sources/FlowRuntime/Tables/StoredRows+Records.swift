internal import Databases
internal import FlowModel
internal import ReactorCore
internal import Records
internal import Storage

extension StoredRows<Store<String>, String> {
  /// Asks the database whether it has the table, or accepts the query.
  ///
  /// - Parameter key: the fields by which the rows of a table are sorted
  func rehearse(orderedBy key: [String], in environment: FlowEnvironment) async throws(ReactorError) {
    let database = environment.database(of: store)
    try await database.rehearse(query: isQuery ? text : database.query(ofAll: text, orderedBy: key))
  }

  /// Reads all rows.
  ///
  /// - Parameter key: the fields by which the rows of a table are sorted
  /// - Throws: `.persistence` when the database cannot be used, or has no such table
  func records(orderedBy key: [String], in environment: FlowEnvironment) async throws(ReactorError) -> any RecordFile {
    let database = environment.database(of: store)
    guard !isQuery else { return QueryRecords(database: database, sql: text, environment: environment) }
    guard let stamp = try await database.stamp(of: text) else {
      return QueryRecords(
        database: database, sql: database.query(ofAll: text, orderedBy: key), environment: environment)
    }
    // The columns that reactor loaded are read in the form in which they were persisted.
    let dialect = database.dialect
    let columns = stamp.types.sorted { $0.key < $1.key }.map { name, type in
      TableColumn(name: name, type: type, encoding: dialect.encoding(of: type))
    }
    return TableRecords(
      database: database, table: text,
      sql: database.query(of: text, TableLayout(columns: columns, key: key), keepsVersions: stamp.keepsVersions),
      columns: columns, newFeed: environment.newFeed)
  }
}

/// The rows of a query, with the database's own types, as JSON Lines.
private struct QueryRecords: RecordFile {
  let database: Database
  let sql: String
  let environment: FlowEnvironment

  func body() async throws(ReactorError) -> ResponseBody {
    let feed = environment.newFeed()
    try await database.read(query: sql) { await feed.writer.append($0) }
    feed.writer.finish()
    return ResponseBody(FeedBytes(feed.reader(batch: 256 << 10)))
  }
}
