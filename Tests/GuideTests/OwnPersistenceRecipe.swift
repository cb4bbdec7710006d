// What docs/guides/library.md shows of a persistence in SQLite; the tests compare and run it.

import CSQLite
import ReactorCore

/// Persists results in an SQLite database, one row for each resource.
actor SQLitePersistence<Model: Sendable>: Persistence {
  private let parser: Parser<Model>
  private let scope: String
  private let table: ResultTable

  /// - Parameter scope: what a result belongs to besides its resource, such as the base URL.
  init(parser: Parser<Model>, path: String, scope: String = "") throws(ReactorError) {
    self.parser = parser
    self.scope = scope
    table = try ResultTable(path: path)
  }

  func load(for resource: Resource) async throws(ReactorError) -> PersistenceRead<Model> {
    try ReactorError.checkCancellation()
    do throws(ReactorError) {
      let key = resource.fingerprint(scope: scope)
      guard let bytes = try table.run("SELECT body FROM results WHERE resource = ?1", key) else {
        return .miss(.absent)
      }
      return .hit(try parser.parse(bytes).model)
    } catch {
      return .miss(.unreadable(error.description))
    }
  }

  func save(_ model: Model, for resource: Resource) async throws(ReactorError) -> Model {
    try ReactorError.checkCancellation()
    let bytes = try parser.encode(model)
    try table.run("REPLACE INTO results VALUES (?1, ?2)", resource.fingerprint(scope: scope), bytes)
    return model
  }
}

/// The table of a database; one task uses it at a time.
private final class ResultTable {
  private var database: OpaquePointer?

  init(path: String) throws(ReactorError) {
    guard sqlite3_open(path, &database) == SQLITE_OK else { throw error }
    try run("CREATE TABLE IF NOT EXISTS results (resource TEXT PRIMARY KEY, body BLOB NOT NULL)")
  }

  deinit { sqlite3_close_v2(database) }

  /// Runs a statement; gives the first value of its first row.
  @discardableResult func run(
    _ statement: String, _ key: String = "", _ body: [UInt8] = []
  ) throws(ReactorError) -> [UInt8]? {
    var prepared: OpaquePointer?
    defer { sqlite3_finalize(prepared) }
    guard sqlite3_prepare_v2(database, statement, -1, &prepared, nil) == SQLITE_OK else { throw error }
    // SQLITE_TRANSIENT, a cast that Swift does not import: SQLite copies the values.
    let copies = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    // A statement without the parameter refuses its value, which is no error here.
    sqlite3_bind_text(prepared, 1, key, -1, copies)
    sqlite3_bind_blob64(prepared, 2, body, UInt64(body.count), copies)
    switch sqlite3_step(prepared) {
    case SQLITE_DONE: return nil
    case SQLITE_ROW:
      let count = Int(sqlite3_column_bytes(prepared, 0))
      return Array(UnsafeRawBufferPointer(start: sqlite3_column_blob(prepared, 0), count: count))
    default: throw error
    }
  }

  private var error: ReactorError { .persistence(String(cString: sqlite3_errmsg(database))) }
}
