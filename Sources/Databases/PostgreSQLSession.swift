internal import CPostgreSQL
internal import JSONSyntax
package import Records
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#else
  internal import Darwin
#endif

/// A connection to a PostgreSQL server. Its calls to libpq run on their own thread.
package final class PostgreSQLSession: SQLSession {
  private struct State {
    var connection: OpaquePointer?
    var columns: [TableColumn] = []
    var isReading = false
    /// Whether the next piece of a COPY begins with the head.
    var isFirst = true
  }

  /// Cancels the running statement of a connection. libpq allows this from any thread (documentation, section 34.7).
  private final class Cancellation: Sendable {
    /// The address of libpq's object for cancelling a statement (`PGcancel`); 0 without one.
    private let address: UInt

    init(_ connection: OpaquePointer) { address = UInt(bitPattern: cpq_get_cancel(connection)) }

    deinit { if let handle = OpaquePointer(bitPattern: address) { cpq_free_cancel(handle) } }

    func send() { if let handle = OpaquePointer(bitPattern: address) { _ = cpq_cancel(handle) } }
  }

  private let thread: SessionThread
  private let state: Mutex<State>
  private let cancellation: Cancellation

  private init(_ connection: sending OpaquePointer, _ thread: SessionThread) {
    cancellation = Cancellation(connection)
    self.thread = thread
    state = Mutex(State(connection: connection))
  }

  deinit { state.withLock { Self.close(&$0) } }

  /// Connects to a server.
  ///
  /// - Parameters:
  ///   - url: a connection URI or a list of `keyword=value`, as libpq reads them; environment variables, password files
  ///     and service files apply as in all programs with libpq
  ///   - settings: further parameters of libpq; those of the URL override them
  package static func open(
    _ url: String, _ settings: [(String, String)] = []
  ) async throws(SQLError) -> PostgreSQLSession {
    guard cpq_load() == 1 else {
      throw SQLError(
        .statement, "PostgreSQL's client library cannot be loaded: \(String(cString: cpq_load_failure()))",
        help: "install libpq (Debian and Ubuntu: apt-get install libpq5)")
    }
    try PostgreSQLURL.check(url)
    let thread = SessionThread("postgresql")
    return try await thread.run { () throws(SQLError) in
      // Parameters of the URL override the ones before it.
      let parameters =
        [("connect_timeout", "10"), ("fallback_application_name", "reactor")] + settings + [
          ("dbname", url), ("client_encoding", "UTF8"),
        ]
      guard let connection = connect(parameters) else {
        throw SQLError(.connection, "there is not enough memory for a connection")
      }
      guard cpq_status(connection) == CPQ_CONNECTION_OK else {
        let message = text(cpq_error_message(connection))
        cpq_finish(connection)
        throw SQLError(connecting: PostgreSQLURL.message(message))
      }
      return PostgreSQLSession(connection, thread)
    }
  }

  private static func connect(_ parameters: [(String, String)]) -> OpaquePointer? {
    var keywords = parameters.map { strdup($0.0).map { UnsafePointer($0) } }
    var values = parameters.map { strdup($0.1).map { UnsafePointer($0) } }
    defer { for text in keywords + values { free(UnsafeMutablePointer(mutating: text)) } }
    keywords.append(nil)
    values.append(nil)
    return cpq_connect(keywords, values)
  }

  // MARK: - Statements

  package func run(_ sql: String, _ values: [String?]) async throws(SQLError) -> [[String?]] {
    try await on { (state) throws(SQLError) in
      guard let result = Self.execute(sql, values, state) else { throw Self.error(state) }
      defer { cpq_clear(result) }
      let status = cpq_result_status(result)
      guard status == Int32(CPQ_COMMAND_OK) || status == Int32(CPQ_TUPLES_OK) else {
        throw Self.error(result, state)
      }
      return (0..<cpq_rows(result)).map { row in
        (0..<cpq_columns(result)).map { column in cpq_value(result, row, column).map { String(cString: $0) } }
      }
    }
  }

  private static func execute(_ sql: String, _ values: [String?], _ state: State) -> OpaquePointer? {
    guard !values.isEmpty else { return cpq_execute(state.connection, sql) }
    let texts = values.map { value in value.flatMap { strdup($0) }.map { UnsafePointer($0) } }
    defer { for text in texts { free(UnsafeMutablePointer(mutating: text)) } }
    return cpq_execute_with(state.connection, sql, Int32(values.count), texts)
  }

  package func close() async {
    try? await thread.run { () throws(SQLError) in self.state.withLock { Self.close(&$0) } }
  }

  // MARK: - Writing rows

  /// The first bytes of a binary COPY: signature, flags, length of the extension.
  private static let head: [UInt8] = Array("PGCOPY\n".utf8) + [0xFF, 0x0D, 0x0A, 0x00] + Array(repeating: 0, count: 8)
  /// The last bytes: a row of -1 fields.
  private static let tail: [UInt8] = [0xFF, 0xFF]

  package func beginRows(_ statement: RowStatement) async throws(SQLError) {
    try await on { (state) throws(SQLError) in
      guard let result = cpq_execute(state.connection, statement.sql) else { throw Self.error(state) }
      defer { cpq_clear(result) }
      guard cpq_result_status(result) == Int32(CPQ_COPY_IN) else { throw Self.error(result, state) }
      try Self.put(Self.head, state)
    }
  }

  package func writeRows(_ bytes: [UInt8]) async throws(SQLError) {
    try await on { (state) throws(SQLError) in try Self.put(bytes, state) }
  }

  package func endRows() async throws(SQLError) {
    try await on { (state) throws(SQLError) in
      try Self.put(Self.tail, state)
      guard cpq_put_copy_end(state.connection, nil) == 1 else { throw Self.error(state) }
      try Self.finish(state)
    }
  }

  private static func put(_ bytes: [UInt8], _ state: State) throws(SQLError) {
    let sent = bytes.withUnsafeBytes { bytes in
      bytes.withMemoryRebound(to: CChar.self) { cpq_put_copy_data(state.connection, $0.baseAddress, Int32($0.count)) }
    }
    guard sent == 1 else {
      // The server has ended the COPY: its result says why.
      try finish(state)
      throw error(state)
    }
  }

  /// Reads the remaining results of a statement; throws the first error.
  private static func finish(_ state: State) throws(SQLError) {
    var failure: SQLError?
    while let result = cpq_next_result(state.connection) {
      if cpq_result_status(result) != Int32(CPQ_COMMAND_OK) { failure = failure ?? error(result, state) }
      cpq_clear(result)
      // After an error the connection would give the same result again.
      if failure != nil, cpq_status(state.connection) != CPQ_CONNECTION_OK { break }
    }
    if let failure { throw failure }
  }

  // MARK: - Reading rows

  package func beginReading(_ sql: String, _ columns: [TableColumn]) async throws(SQLError) {
    try await on { (state) throws(SQLError) in
      guard let result = cpq_execute(state.connection, "COPY (\(sql)) TO STDOUT (FORMAT binary)") else {
        throw Self.error(state)
      }
      defer { cpq_clear(result) }
      guard cpq_result_status(result) == Int32(CPQ_COPY_OUT) else { throw Self.error(result, state) }
      state.columns = columns
      state.isReading = true
      state.isFirst = true
    }
  }

  package func beginReading(query sql: String) async throws(SQLError) {
    try await on { (state) throws(SQLError) in
      // PREPARE accepts only a query, and the extended protocol only one statement. So no text can end the COPY and add
      // a statement.
      let query = SQLName.bare(sql)
      for statement in ["PREPARE reactor_query AS \(query)", "DEALLOCATE reactor_query"] {
        guard let result = cpq_execute_with(state.connection, statement, 0, nil) else { throw Self.error(state) }
        defer { cpq_clear(result) }
        guard cpq_result_status(result) == Int32(CPQ_COMMAND_OK) else { throw Self.error(result, state) }
      }
      let copy = "COPY (SELECT to_jsonb(reactor_row) FROM (\(query)\n) reactor_row) TO STDOUT (FORMAT binary)"
      guard let result = cpq_execute_with(state.connection, copy, 0, nil) else { throw Self.error(state) }
      defer { cpq_clear(result) }
      guard cpq_result_status(result) == Int32(CPQ_COPY_OUT) else { throw Self.error(result, state) }
      state.columns = []
      state.isReading = true
      state.isFirst = true
    }
  }

  package func read() async throws(SQLError) -> [UInt8]? {
    try await on { (state) throws(SQLError) -> [UInt8]? in
      guard state.isReading else { return nil }
      let out = ByteBuffer(capacity: 64 << 10)
      while out.count < 256 << 10 {
        var start: UnsafeMutablePointer<CChar>?
        let count = cpq_get_copy_data(state.connection, &start)
        guard count > 0, let start else {
          state.isReading = false
          guard count == -1 else { throw Self.error(state) }
          try Self.finish(state)
          return out.count > 0 ? out.copy() : nil
        }
        defer { cpq_free(start) }
        start.withMemoryRebound(to: UInt8.self, capacity: Int(count)) { start in
          let row = UnsafeBufferPointer(start: start, count: Int(count))
          Self.append(
            state.isFirst ? UnsafeBufferPointer(rebasing: row.dropFirst(Self.head.count)) : row, state, to: out)
        }
        state.isFirst = false
      }
      return out.copy()
    }
  }

  private static func append(_ row: UnsafeBufferPointer<UInt8>, _ state: State, to out: ByteBuffer) {
    // The row of -1 fields is the end.
    guard row.count >= 2, row[0] != 0xFF else { return }
    var values = TableRowReader(UnsafeBufferPointer(rebasing: row[2...]))
    if state.columns.isEmpty {
      // The only value is a whole object, after the version byte of jsonb.
      if let object = values.next(), !object.isEmpty { out.append(UnsafeBufferPointer(rebasing: object.dropFirst())) }
      out.append(UInt8(ascii: "\n"))
      return
    }
    for (index, column) in state.columns.enumerated() {
      out.append(index == 0 ? UInt8(ascii: "{") : UInt8(ascii: ","))
      out.append(quoted: column.name)
      out.append(UInt8(ascii: ":"))
      column.append(json: values.next(), to: out)
    }
    out.append("}\n")
  }

  // MARK: - Library

  private func on<Value: Sendable>(
    _ job: @escaping @Sendable (inout State) throws(SQLError) -> Value
  ) async throws(SQLError) -> Value {
    if Task.isCancelled { throw SQLError(.cancelled, "cancelled") }
    let result = await withTaskCancellationHandler {
      await thread.result { () throws(SQLError) in
        try self.state.withLock { (state: inout State) throws(SQLError) in
          guard state.connection != nil else { throw SQLError(.connection, "the connection is closed") }
          return try job(&state)
        }
      }
    } onCancel: {
      cancellation.send()
    }
    if case .failure = result, Task.isCancelled { throw SQLError(.cancelled, "cancelled") }
    return try result.get()
  }

  private static func close(_ state: inout State) {
    if let connection = state.connection { cpq_finish(connection) }
    state.connection = nil
  }

  private static func text(_ pointer: UnsafePointer<CChar>?) -> String {
    pointer.map { String(cString: $0).split(whereSeparator: \.isNewline).joined(separator: "; ") } ?? ""
  }

  private static func error(_ state: State) -> SQLError {
    let isLost = cpq_status(state.connection) != CPQ_CONNECTION_OK
    return SQLError(isLost ? .connection : .statement, text(cpq_error_message(state.connection)))
  }

  private static func error(_ result: OpaquePointer, _ state: State) -> SQLError {
    guard let code = cpq_result_field(result, Int32(CPQ_SQLSTATE)).map({ String(cString: $0) }) else {
      return SQLError(
        cpq_status(state.connection) == CPQ_CONNECTION_OK ? .statement : .connection, text(cpq_result_message(result)))
    }
    let message = text(cpq_result_field(result, Int32(CPQ_MESSAGE_PRIMARY)))
    let detail = [CPQ_MESSAGE_DETAIL, CPQ_CONTEXT].compactMap { cpq_result_field(result, Int32($0)).map { text($0) } }
    return SQLError(
      postgreSQL: code, ([message] + detail).joined(separator: "; "),
      hint: cpq_result_field(result, Int32(CPQ_MESSAGE_HINT)).map { text($0) })
  }
}
