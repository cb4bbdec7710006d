internal import Databases
internal import ReactorCore
internal import Records
internal import Storage

/// Rows of a database that a flow uses as parents.
package struct StoredRows: Sendable {
  /// Which rows are read.
  package enum Content: Sendable {
    /// All rows of a table or view, in the order of a key.
    case table(String, key: [String])
    /// The rows of a query, whose values are already in it.
    case query(String)
  }

  /// The database.
  package let store: StorePlan
  /// Which rows are read.
  package let content: Content

  package init(store: StorePlan, content: Content) {
    self.store = store
    self.content = content
  }

  /// The name of the table or the query.
  package var text: String {
    switch content {
    case .table(let name, _): name
    case .query(let sql): sql
    }
  }

  /// Asks the database whether it has the table, or accepts the query.
  func rehearse(in environment: FlowEnvironment) async throws(ReactorError) {
    let database = environment.database(of: store)
    switch content {
    case .table(let name, let key): try await database.rehearse(query: database.query(ofAll: name, orderedBy: key))
    case .query(let sql): try await database.rehearse(query: sql)
    }
  }

  /// Reads all rows.
  ///
  /// - Throws: `.persistence` when the database cannot be used, or has no such table
  func records(in environment: FlowEnvironment) async throws(ReactorError) -> any RecordFile {
    let database = environment.database(of: store)
    switch content {
    case .table(let name, let key):
      guard let stamp = try await database.stamp(of: name) else {
        return QueryRecords(
          database: database, sql: database.query(ofAll: name, orderedBy: key), environment: environment)
      }
      // The columns that reactor loaded are read in the form in which they were persisted.
      let dialect = database.dialect
      let columns = stamp.types.sorted { $0.key < $1.key }.map { name, type in
        TableColumn(name: name, type: type, encoding: dialect.encoding(of: type))
      }
      return TableRecords(
        database: database, table: name,
        sql: database.query(of: name, TableLayout(columns: columns, key: key), keepsVersions: stamp.keepsVersions),
        columns: columns, newFeed: environment.newFeed)
    case .query(let sql): return QueryRecords(database: database, sql: sql, environment: environment)
    }
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
