package import ReactorCore
package import Records
package import Storage

/// The rows of a table, as JSON Lines.
package struct TableRecords: RecordFile {
  private let database: Database
  private let table: String
  private let sql: String
  private let columns: [TableColumn]
  private let load: String?
  private let newFeed: @Sendable () -> RecordFeed

  /// Creates the rows.
  ///
  /// - Parameters:
  ///   - table: the name of the table, for messages
  ///   - sql: the query of its rows, with the columns in their order
  ///   - load: the id of the load whose rows they are; nil for the rows of any load
  ///   - newFeed: makes a buffer for the rows
  package init(
    database: Database, table: String, sql: String, columns: [TableColumn], load: String? = nil,
    newFeed: @escaping @Sendable () -> RecordFeed
  ) {
    self.database = database
    self.table = table
    self.sql = sql
    self.columns = columns
    self.load = load
    self.newFeed = newFeed
  }

  /// Reads all rows into a buffer, so that no reader holds a connection, and all rows are from the same moment.
  package func body() async throws(ReactorError) -> ResponseBody { try await body { $0 } }

  /// Reads all rows into a buffer, and applies `change` to the lines of each piece.
  package func body(_ change: ([UInt8]) -> [UInt8]) async throws(ReactorError) -> ResponseBody {
    let feed = newFeed()
    try await database.read(sql, columns, named: table) { await feed.writer.append(change($0)) }
    // Check the load after reading: a load that ended before the rows were read is recorded by now.
    if let load, try await database.lastLoad(of: table) != load { throw .replacedSince("\(database.name):\(table)") }
    feed.writer.finish()
    return ResponseBody(FeedBytes(feed.reader(batch: 256 << 10)))
  }
}
