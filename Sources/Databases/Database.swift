public import ReactorCore
public import Records
public import Storage
internal import Synchronization

/// A database that stores results in tables. A load stores rows, stamp, cursor and history in one transaction.
public final class Database: Sendable {
  /// The name of the store, for messages.
  public let name: String
  /// The SQL dialect of the database: its types and its statements.
  public let dialect: any SQLDialect
  let state: StateTables
  let pool: SessionPool
  let delay: Delay
  let exists: @Sendable () async throws(ReactorError) -> Bool

  /// Creates a database. Opens nothing.
  ///
  /// - Parameters:
  ///   - name: the name of the store, for messages
  ///   - connections: the maximum number of connections at once
  ///   - delay: waits between two attempts
  ///   - exists: whether the database exists; a lookup does not create it
  ///   - connect: opens a connection
  public init(
    name: String, dialect: any SQLDialect, connections: Int = 4, delay: Delay = .real,
    exists: @escaping @Sendable () async throws(ReactorError) -> Bool = { () throws(ReactorError) in true },
    connect: @escaping @Sendable () async throws(SQLError) -> any SQLSession
  ) {
    self.name = name
    self.dialect = dialect
    self.delay = delay
    self.exists = exists
    state = StateTables(dialect: dialect)
    pool = SessionPool(limit: connections, connect: connect)
  }

  /// Reads the stamp of a table's last load; nil when no load has stored anything in it, or when the table is gone.
  public func stamp(of table: String) async throws(ReactorError) -> TableStamp? {
    guard try await exists() else { return nil }
    return try await using(table) { (session) throws(LoadFailure) in
      try await sql { () throws(SQLError) in
        // All statements see the same moment. Otherwise a load that ends between two of them would look like rows that
        // somebody changed.
        for statement in dialect.beginReading { try await session.run(statement) }
        var stamp = try await presentStamp(of: table, in: session)
        if let found = stamp {
          stamp?.isIntact = try await count(of: table, found.keepsVersions, in: session) == found.provenance.recordCount
        }
        try await session.run("ROLLBACK")
        return stamp
      }
    }
  }

  /// Opens a connection if none is open; throws when that is not possible.
  package func connect() async throws(ReactorError) { try await using(nil) { (_) throws(LoadFailure) in } }

  /// The id of the last load of a table; nil without one.
  package func lastLoad(of table: String) async throws(ReactorError) -> String? {
    guard try await exists() else { return nil }
    return try await using(table) { (session) throws(LoadFailure) in
      try await sql { () throws(SQLError) in try await presentStamp(of: table, in: session)?.load }
    }
  }

  /// The number of rows of a table, without old versions.
  func count(of table: String, _ keepsVersions: Bool, in session: any SQLSession) async throws(SQLError) -> Int {
    let present = keepsVersions ? " WHERE \(TableLoad.isPresent)" : ""
    let rows = try await session.run("SELECT count(*) FROM \(dialect.qualified(table))\(present)")
    return rows.first?.first.flatMap { $0 }.flatMap { Int($0) } ?? 0
  }

  /// The stamp of a table that exists. A table that somebody has dropped has no stamp, even if `reactor_tables` still
  /// has one.
  func presentStamp(of table: String, in session: any SQLSession) async throws(SQLError) -> TableStamp? {
    guard try await !session.run(dialect.columns(of: table)).isEmpty else { return nil }
    return try await state.stamp(of: table, in: session)
  }

  /// Changes the stamp of a table, unless another load has changed it in the meantime.
  ///
  /// - Parameter run: the run that confirms the table's content; its row in `reactor_runs` is stored too
  /// - Throws: `.persistence` when the last load of the table is not the load in `stamp`
  public func restamp(
    _ table: String, _ stamp: TableStamp, _ provenance: Provenance, by run: TableRun? = nil
  ) async throws(ReactorError) {
    try await using(table) { (session) throws(LoadFailure) in
      try await self.transaction(on: table, in: session) { () throws(LoadFailure) in
        let present = try await self.sql { () throws(SQLError) in
          // The tables may be of an earlier version.
          try await self.state.evolve(in: session)
          return try await self.presentStamp(of: table, in: session)
        }
        guard present?.load == stamp.load else { throw .load(self.overtaken(table)) }
        var changed = stamp
        changed.provenance = provenance
        try await self.sql { () throws(SQLError) in
          try await self.state.write(changed, of: table, in: session)
          if let run { try await self.state.note(run, in: session) }
        }
      }
    }
  }

  /// Stores the row of a run that has loaded nothing, in `reactor_runs`. Does nothing if the database could not be
  /// reached just before.
  public func note(_ run: TableRun) async throws(ReactorError) {
    if await pool.isUnreachable { return }
    try await using(run.table) { (session) throws(LoadFailure) in
      try await self.transaction(on: StateTables.runs, in: session) { () throws(LoadFailure) in
        try await self.sql { () throws(SQLError) in
          try await self.state.evolve(in: session)
          try await self.state.note(run, in: session)
        }
      }
    }
  }

  /// Reads rows of a table or of a query as JSON Lines.
  ///
  /// - Parameters:
  ///   - sql: a query with the columns, in their order
  ///   - take: called with complete lines
  public func read(
    _ sql: String, _ columns: [TableColumn], named table: String,
    _ take: ([UInt8]) async -> Void
  ) async throws(ReactorError) {
    try await using(table) { (session) throws(LoadFailure) in
      try await self.sql { () throws(SQLError) in
        try await session.beginReading(sql, columns)
        while let piece = try await session.read() { await take(piece) }
      }
    }
  }

  /// Reads the rows of a query as JSON Lines, with the database's own types.
  ///
  /// - Parameters:
  ///   - sql: one statement; a statement that changes data is refused
  ///   - take: called with complete lines
  public func read(query sql: String, _ take: ([UInt8]) async -> Void) async throws(ReactorError) {
    guard try await exists() else { throw .persistence("the database '\(name)' does not exist yet", path: name) }
    try await using(nil) { (session) throws(LoadFailure) in
      try await self.sql { () throws(SQLError) in
        for statement in dialect.beginReading { try await session.run(statement) }
        try await session.beginReading(query: sql)
        var budget = QueryBudget()
        while let piece = try await session.read() {
          try budget.take(piece)
          await take(piece)
        }
        try await session.run("COMMIT")
      }
    }
  }

  /// The query that selects all columns of a table or view, with its rows in the order of a key.
  public func query(ofAll table: String, orderedBy key: [String]) -> String {
    "SELECT * FROM \(dialect.qualified(table))" + (key.isEmpty ? "" : " ORDER BY \(SQLName.list(key))")
  }

  /// The query of all rows of a table, in the order of the key.
  ///
  /// - Parameter keepsVersions: whether the table has old versions of rows; only current rows are read
  public func query(of table: String, _ layout: TableLayout, keepsVersions: Bool = false) -> String {
    let columns = layout.columns.map { dialect.selection(of: $0) }.joined(separator: ", ")
    let present = keepsVersions ? " WHERE \(TableLoad.isPresent)" : ""
    let order = layout.key.isEmpty ? "" : " ORDER BY \(SQLName.list(layout.key))"
    return "SELECT \(columns) FROM \(dialect.qualified(table))\(present)\(order)"
  }

  /// Ends all connections.
  public func close() async { await pool.close() }

  // MARK: - Sessions

  /// Runs work with a connection. The connection is not used again after an error.
  func using<Value>(
    _ table: String?, _ work: (any SQLSession) async throws(LoadFailure) -> Value
  ) async throws(ReactorError) -> Value {
    do throws(LoadFailure) {
      let session = try await sql { () throws(SQLError) in try await pool.take() }
      do throws(LoadFailure) {
        let value = try await work(session)
        await pool.give(session)
        return value
      } catch {
        await pool.drop(session)
        throw error
      }
    } catch {
      switch error {
      case .load(let error): throw error
      case .database(let error): throw reactorError(error, table)
      }
    }
  }

  /// The error of a statement as the error of a flow.
  ///
  /// - Parameter table: the table that is used; nil for a query
  func reactorError(_ error: SQLError, _ table: String?) -> ReactorError {
    if error.kind == .cancelled { return .cancelled }
    let code = error.code.map { " (\(dialect.name) \($0))" } ?? ""
    let what = table.map { "the table '\($0)' of '\(name)' cannot be used" } ?? "the query of '\(name)' failed"
    var failure = ReactorError.persistence(
      "\(what): \(error.message)\(code)", path: table.map { "\(name):\($0)" } ?? name)
    failure.help =
      error.help
      ?? "the stored content is unchanged; check the database's message, and the flow's store and table"
    if table != nil, error.kind == .unique || error.message.contains("ON CONFLICT") {
      failure.help =
        "the table was created by a load with another 'mode' or 'key', or two rows have the same key: "
        + "load into another table, or give this one a unique index of the key"
    }
    return failure
  }

  func overtaken(_ table: String) -> ReactorError {
    var error = ReactorError.persistence(
      "another run has loaded the table '\(table)' of '\(name)' since this run began, or its cursor was changed",
      path: "\(name):\(table)")
    error.help = "run again: the flow then continues from the newer load"
    return error
  }
}
