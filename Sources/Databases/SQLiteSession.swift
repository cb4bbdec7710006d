internal import CSQLite
internal import JSONSyntax
internal import FieldTypes
package import Records
internal import Synchronization

/// A connection to an SQLite file. Its calls to SQLite run on their own thread.
package final class SQLiteSession: SQLSession {
  private struct State {
    var database: OpaquePointer?
    /// The statement that stores or reads rows.
    var rows: OpaquePointer?
    var deletion: OpaquePointer?
    var layout = TableLayout(columns: [], key: [])
    /// The columns whose values are the parameters of the deletion.
    var deleted: [String] = []
    /// The beginning of a row whose end has not arrived yet.
    var pending: [UInt8] = []
  }

  /// The largest value of a row, in bytes.
  private static let largestValue: Int32 = 64 << 20

  private let thread = SessionThread("sqlite")
  private let interruption = Interruption()
  private let state: Mutex<State>

  private init(_ database: sending OpaquePointer?) {
    interruption.watch(database)
    sqlite3_limit(database, SQLITE_LIMIT_LENGTH, Self.largestValue)
    state = Mutex(State(database: database))
  }

  deinit { state.withLock { Self.close(&$0) } }

  /// Opens a file, which is created when it does not exist.
  ///
  /// - Parameters:
  ///   - path: an absolute path without symbolic links
  ///   - lockTimeout: how long a statement waits for another writer, in milliseconds
  ///   - isReadOnly: whether the file must exist and is not changed
  package static func open(
    _ path: String, lockTimeout: Int32, isReadOnly: Bool = false, isDurable: Bool = true
  ) async throws(SQLError) -> SQLiteSession {
    let flags =
      isReadOnly
      ? SQLITE_OPEN_READONLY | SQLITE_OPEN_NOFOLLOW
      : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOFOLLOW
    var database: OpaquePointer?
    let code = sqlite3_open_v2(path, &database, flags, nil)
    guard code == SQLITE_OK else {
      let error = error(database, code)
      sqlite3_close_v2(database)
      throw error
    }
    sqlite3_extended_result_codes(database, 1)
    sqlite3_busy_timeout(database, lockTimeout)
    let session = SQLiteSession(database)
    try await session.run("PRAGMA journal_mode = WAL")
    try await session.run("PRAGMA synchronous = \(isDurable ? "FULL" : "OFF")")
    return session
  }

  // MARK: - Statements

  package func run(_ sql: String, _ values: [String?]) async throws(SQLError) -> [[String?]] {
    try await on { (state) throws(SQLError) in
      let statement = try Self.prepare(sql, state)
      defer { sqlite3_finalize(statement) }
      for (index, value) in values.enumerated() {
        if let value {
          // The library copies the text (SQLITE_TRANSIENT), because it ends with this call.
          sqlite3_bind_text(statement, Int32(index + 1), value, Int32(value.utf8.count), Self.transient)
        }
      }
      var rows: [[String?]] = []
      while true {
        switch sqlite3_step(statement) {
        case SQLITE_DONE: return rows
        case SQLITE_ROW:
          rows.append(
            (0..<sqlite3_column_count(statement)).map { column in
              sqlite3_column_text(statement, column).map { String(cString: $0) }
            })
        case let code: throw Self.error(state.database, code)
        }
      }
    }
  }

  private static var transient: sqlite3_destructor_type { unsafeBitCast(-1, to: sqlite3_destructor_type.self) }

  package func close() async {
    try? await on { (state) throws(SQLError) in Self.close(&state) }
  }

  // MARK: - Writing rows

  package func beginRows(_ statement: RowStatement) async throws(SQLError) {
    try await on { (state) throws(SQLError) in
      Self.endRows(&state)
      state.rows = try Self.prepare(statement.sql, state)
      if let deletion = statement.deletion { state.deletion = try Self.prepare(deletion, state) }
      (state.layout, state.deleted) = (statement.layout, statement.deleted)
    }
  }

  package func writeRows(_ bytes: [UInt8]) async throws(SQLError) {
    try await on { (state) throws(SQLError) in
      let isWhole = state.pending.isEmpty
      if !isWhole { state.pending += bytes }
      let used = try (isWhole ? bytes : state.pending).withUnsafeBufferPointer {
        (bytes) throws(SQLError) in try Self.store(bytes, state)
      }
      if isWhole { state.pending = Array(bytes[used...]) } else { state.pending.removeFirst(used) }
    }
  }

  package func endRows() async throws(SQLError) {
    try await on { (state) throws(SQLError) in
      let isWhole = state.pending.isEmpty
      Self.endRows(&state)
      guard isWhole else { throw SQLError(.statement, "the data ends in the middle of a row") }
    }
  }

  /// Stores the complete rows; returns the number of their bytes.
  private static func store(_ bytes: UnsafeBufferPointer<UInt8>, _ state: State) throws(SQLError) -> Int {
    var position = 0
    while let size = TableRowReader.size(bytes, from: position) {
      let row = UnsafeBufferPointer(rebasing: bytes[(position + 2)..<(position + size)])
      try store(row: row, state)
      position += size
    }
    return position
  }

  private static func store(row: UnsafeBufferPointer<UInt8>, _ state: State) throws(SQLError) {
    var values = TableRowReader(row)
    let layout = state.layout
    let isDeletion = layout.marksDeletions && values.next()?.first == 1
    let statement = isDeletion ? state.deletion : state.rows
    var index: Int32 = 0
    for column in layout.columns {
      let value = values.next()
      if isDeletion {
        guard let position = state.deleted.firstIndex(of: column.name) else { continue }
        index = Int32(position)
      }
      index += 1
      bind(value, column.encoding, to: statement, index)
    }
    let code = sqlite3_step(statement)
    sqlite3_reset(statement)
    guard code == SQLITE_DONE else { throw error(state.database, code) }
  }

  private static func bind(
    _ value: UnsafeBufferPointer<UInt8>?, _ encoding: TableColumn.Encoding, to statement: OpaquePointer?, _ index: Int32
  ) {
    guard let value else {
      sqlite3_bind_null(statement, index)
      return
    }
    switch encoding {
    case .integer: sqlite3_bind_int64(statement, index, value.integer)
    case .boolean: sqlite3_bind_int64(statement, index, value.first == 1 ? 1 : 0)
    case .double: sqlite3_bind_double(statement, index, Double(bitPattern: UInt64(bitPattern: value.integer)))
    case .bytes:
      // The bytes stay valid until the statement has run, so the library need not copy them. A value of no bytes must
      // not be a null pointer, which would be NULL.
      if value.count == 0 {
        sqlite3_bind_zeroblob(statement, index, 0)
      } else {
        sqlite3_bind_blob(statement, index, value.baseAddress, Int32(value.count), nil)
      }
    default:
      if value.count == 0 {
        sqlite3_bind_text(statement, index, "", 0, transient)
      } else {
        _ = value.withMemoryRebound(to: CChar.self) { text in
          sqlite3_bind_text(statement, index, text.baseAddress, Int32(text.count), nil)
        }
      }
    }
  }

  // MARK: - Reading rows

  package func beginReading(_ sql: String, _ columns: [TableColumn]) async throws(SQLError) {
    try await on { (state) throws(SQLError) in
      Self.endRows(&state)
      state.rows = try Self.prepare(sql, state)
      state.layout = TableLayout(columns: columns, key: [])
    }
  }

  package func beginReading(query sql: String) async throws(SQLError) {
    try await on { (state) throws(SQLError) in
      Self.endRows(&state)
      var statement: OpaquePointer?
      let (code, isAlone) = sql.withCString { text in
        var rest: UnsafePointer<CChar>?
        let code = sqlite3_prepare_v2(state.database, text, -1, &statement, &rest)
        let tail = rest.map { String(cString: $0) } ?? ""
        return (code, tail.allSatisfy { $0.isWhitespace || $0 == ";" })
      }
      guard code == SQLITE_OK, let statement else { throw Self.error(state.database, code) }
      state.rows = statement
      guard isAlone, sqlite3_stmt_readonly(statement) != 0, sqlite3_column_count(statement) > 0 else {
        Self.endRows(&state)
        throw SQLError(.statement, "it is not a single read-only statement", help: "write one SELECT")
      }
      state.layout = TableLayout(columns: [], key: [])
    }
  }

  package func read() async throws(SQLError) -> [UInt8]? {
    try await on { (state) throws(SQLError) -> [UInt8]? in
      guard let statement = state.rows else { return nil }
      let out = ByteBuffer(capacity: 64 << 10)
      while out.count < 256 << 10 {
        let code = sqlite3_step(statement)
        guard code == SQLITE_ROW else {
          Self.endRows(&state)
          guard code == SQLITE_DONE else { throw Self.error(state.database, code) }
          return out.count > 0 ? out.copy() : nil
        }
        if state.layout.columns.isEmpty {
          Self.append(object: statement, to: out)
        } else {
          Self.append(statement, state.layout.columns, to: out)
        }
      }
      return out.copy()
    }
  }

  /// Appends a row of a query. The storage class of a value is its type.
  private static func append(object statement: OpaquePointer, to out: ByteBuffer) {
    for position in 0..<sqlite3_column_count(statement) {
      out.append(position == 0 ? UInt8(ascii: "{") : UInt8(ascii: ","))
      out.append(quoted: sqlite3_column_name(statement, position).map { String(cString: $0) } ?? "")
      out.append(UInt8(ascii: ":"))
      let type = sqlite3_column_type(statement, position)
      let encoding: TableColumn.Encoding =
        type == SQLITE_INTEGER ? .integer : type == SQLITE_FLOAT ? .double : type == SQLITE_BLOB ? .bytes : .text
      append(statement, position, TableColumn(name: "", type: .string, encoding: encoding), to: out)
    }
    out.append("}\n")
  }

  private static func append(_ statement: OpaquePointer, _ columns: [TableColumn], to out: ByteBuffer) {
    for (index, column) in columns.enumerated() {
      out.append(index == 0 ? UInt8(ascii: "{") : UInt8(ascii: ","))
      out.append(quoted: column.name)
      out.append(UInt8(ascii: ":"))
      append(statement, Int32(index), column, to: out)
    }
    out.append("}\n")
  }

  private static func append(
    _ statement: OpaquePointer, _ position: Int32, _ column: TableColumn, to out: ByteBuffer
  ) {
    switch (sqlite3_column_type(statement, position), column.encoding) {
    case (SQLITE_NULL, _): out.append("null")
    case (SQLITE_INTEGER, .boolean):
      if sqlite3_column_int64(statement, position) != 0 { out.append("true") } else { out.append("false") }
    case (SQLITE_INTEGER, _): out.append(decimal: sqlite3_column_int64(statement, position))
    case (SQLITE_FLOAT, _):
      withUnsafeBytes(of: sqlite3_column_double(statement, position).bitPattern.bigEndian) { raw in
        column.append(json: raw.assumingMemoryBound(to: UInt8.self), to: out)
      }
    default:
      let bytes = UnsafeBufferPointer(
        start: sqlite3_column_blob(statement, position)?.assumingMemoryBound(to: UInt8.self),
        count: Int(sqlite3_column_bytes(statement, position)))
      column.append(json: bytes, to: out)
    }
  }

  // MARK: - Library

  private func on<Value: Sendable>(
    _ job: @escaping @Sendable (inout State) throws(SQLError) -> Value
  ) async throws(SQLError) -> Value {
    if Task.isCancelled { throw SQLError(.cancelled, "cancelled") }
    let result = await interruption.whileRunning {
      await thread.result { () throws(SQLError) in
        try self.state.withLock { (state: inout State) throws(SQLError) in try job(&state) }
      }
    }
    return try result.get()
  }

  private static func prepare(_ sql: String, _ state: State) throws(SQLError) -> OpaquePointer {
    var statement: OpaquePointer?
    let code = sqlite3_prepare_v2(state.database, sql, -1, &statement, nil)
    guard code == SQLITE_OK, let statement else { throw error(state.database, code) }
    return statement
  }

  private static func endRows(_ state: inout State) {
    sqlite3_finalize(state.rows)
    sqlite3_finalize(state.deletion)
    state.rows = nil
    state.deletion = nil
    state.pending = []
  }

  private static func close(_ state: inout State) {
    endRows(&state)
    sqlite3_close_v2(state.database)
    state.database = nil
  }

  private static func error(_ database: OpaquePointer?, _ code: Int32) -> SQLError {
    SQLError(sqlite: code, database.map { String(cString: sqlite3_errmsg($0)) } ?? "cannot be opened")
  }
}

extension UnsafeBufferPointer<UInt8> {
  /// The integer of eight bytes, the most significant byte first.
  fileprivate var integer: Int64 {
    guard count == 8, let start = baseAddress else { return 0 }
    return Int64(bigEndian: UnsafeRawPointer(start).loadUnaligned(as: Int64.self))
  }
}
