public import ReactorCore
internal import Records
internal import Storage

extension Database {
  /// The rows of a load, which can be read several times.
  public struct Rows: Sendable {
    /// Returns a closure that returns the next bytes of the rows, from the first row on; nil after the last row.
    public var begin: @Sendable () -> @Sendable () async throws(ReactorError) -> [UInt8]?

    /// Creates a source of rows.
    public init(_ begin: @escaping @Sendable () -> @Sendable () async throws(ReactorError) -> [UInt8]?) {
      self.begin = begin
    }
  }

  private static let attempts = 4
  /// About half a minute.
  private static let patientAttempts = 32

  /// Stores rows, stamp and history in one transaction.
  ///
  /// The transaction is run again when it conflicted with another one, or when the connection broke before COMMIT was
  /// sent. When the connection broke during COMMIT, a new connection looks up whether the load is stored.
  ///
  /// - Parameter others: loads of other tables, in the same transaction
  /// - Returns: the stamp, with the number of rows in the table
  /// - Throws: `.persistence`; the tables are then as they were
  public func load(
    _ load: TableLoad, _ rows: Rows, with others: [(load: TableLoad, rows: Rows)] = []
  ) async throws(ReactorError) -> TableStamp {
    var attempt = 1
    while true {
      do throws(LoadFailure) {
        return try await tryToLoad(load, rows, others)
      } catch {
        switch error {
        case .load(let error): throw error
        case .database(let error):
          let isTransient = error.kind == .conflict || error.kind == .connection
          // In a run of several processes a failed load is not repeated by the next run, so it waits for a restart.
          let attempts = load.condition == nil ? Self.attempts : Self.patientAttempts
          guard isTransient, attempt < attempts else { throw reactorError(error, load.table) }
          attempt += 1
          // 0.1 s, 0.2 s, 0.4 s: a restarting server is either back within a moment, or not for a long time.
          try await delay.wait(.milliseconds(min(50 << attempt, 1000)))
        }
      }
    }
  }

  private func tryToLoad(
    _ load: TableLoad, _ rows: Rows, _ others: [(load: TableLoad, rows: Rows)]
  ) async throws(LoadFailure) -> TableStamp {
    let session = try await sql { () throws(SQLError) in try await pool.take() }
    let stamp: TableStamp
    do throws(LoadFailure) {
      try await begin(load.table, in: session)
      stamp = try await store(load, rows, in: session)
      for other in others {
        try await sql { () throws(SQLError) in
          for statement in dialect.lock(other.load.table) { try await session.run(statement) }
        }
        _ = try await store(other.load, other.rows, in: session)
      }
      if let condition = load.condition { try await check(condition, in: session) }
    } catch {
      await pool.drop(session)
      throw error
    }
    do throws(SQLError) {
      try await session.run("COMMIT")
      await pool.give(session)
      return stamp
    } catch {
      await pool.drop(session)
      guard error.kind == .connection else { throw .database(error) }
      guard try await isStored(load) else { throw .database(error) }
      return stamp
    }
  }

  /// Checks a condition last, so that it still holds when the transaction is committed.
  private func check(_ condition: LoadCondition, in session: any SQLSession) async throws(LoadFailure) {
    let rows = try await sql { () throws(SQLError) in try await session.run(condition.query, condition.values) }
    if rows.isEmpty { throw .load(condition.error) }
  }

  /// Looks up whether a load is stored after its COMMIT got no response.
  ///
  /// The lock of the table is free only after the transaction of the lost connection has ended.
  private func isStored(_ load: TableLoad) async throws(LoadFailure) -> Bool {
    do throws(SQLError) {
      let session = try await pool.take()
      do throws(SQLError) {
        for statement in dialect.begin + dialect.lock(load.table) { try await session.run(statement) }
        let isStored = try await state.has(load.id, in: session)
        try await session.run("ROLLBACK")
        await pool.give(session)
        return isStored
      } catch {
        await pool.drop(session)
        throw error
      }
    } catch {
      throw .load(unknown(load, error))
    }
  }

  private func unknown(_ load: TableLoad, _ cause: SQLError) -> ReactorError {
    var error = ReactorError.persistence(
      "the connection to '\(name)' was lost during COMMIT, and it is not known whether the load is stored: "
        + cause.message,
      path: "\(name):\(load.table)")
    error.help = """
      run again when the database can be reached; to look it up: \
      SELECT * FROM \(dialect.qualified(StateTables.loads)) WHERE load = '\(load.id)'
      """
    return error
  }

  // MARK: - Steps

  func begin(_ table: String, in session: any SQLSession) async throws(LoadFailure) {
    try await sql { () throws(SQLError) in
      for statement in dialect.begin + dialect.lock(table) { try await session.run(statement) }
    }
  }

  /// Runs steps in a transaction with the lock of a table.
  func transaction(
    on table: String, in session: any SQLSession, _ steps: () async throws(LoadFailure) -> Void
  ) async throws(LoadFailure) {
    try await begin(table, in: session)
    try await steps()
    try await sql { () throws(SQLError) in try await session.run("COMMIT") }
  }

  private func store(_ load: TableLoad, _ rows: Rows, in session: any SQLSession) async throws(LoadFailure)
    -> TableStamp
  {
    let before = try await sql { () throws(SQLError) in
      try await state.evolve(in: session)
      return try await presentStamp(of: load.table, in: session)
    }
    if case .stamp(let base) = load.base,
      before?.load != base?.load || before?.provenance.cursor != base?.provenance.cursor
    {
      throw .load(overtaken(load.table))
    }
    var load = load
    // A clock that went back would end a version before it began.
    if load.keepsVersions, let last = before?.provenance.writtenAt {
      load.provenance.writtenAt = max(load.provenance.writtenAt, last &+ 1)
    }
    let isEmpty = try await prepare(load, before, in: session)
    try await dialect.fill(load, isEmpty: isEmpty, in: session) { (statement) async throws(LoadFailure) in
      try await send(rows, by: statement, in: session)
    }
    return try await sql { () throws(SQLError) in
      let types = load.layout.columns.map { ($0.name, $0.type) }
      var stamp = TableStamp(
        load: load.id, flow: load.flow, provenance: load.provenance, types: Dictionary(types) { first, _ in first })
      stamp.keepsVersions = load.keepsVersions
      stamp.provenance.recordCount = try await count(of: load.table, load.keepsVersions, in: session)
      try await state.write(stamp, of: load.table, in: session)
      try await state.note(load, records: stamp.provenance.recordCount, before: before, in: session)
      if let run = load.run { try await state.note(run, in: session) }
      return stamp
    }
  }

  private func send(
    _ rows: Rows, by statement: RowStatement, in session: any SQLSession
  ) async throws(LoadFailure) {
    let next = rows.begin()
    try await sql { () throws(SQLError) in try await session.beginRows(statement) }
    while true {
      let piece: [UInt8]?
      do throws(ReactorError) {
        piece = try await next()
      } catch {
        throw .load(error)
      }
      guard let piece else { break }
      try await sql { () throws(SQLError) in try await session.writeRows(piece) }
    }
    try await sql { () throws(SQLError) in try await session.endRows() }
  }

  /// Runs statements, and throws their error as `LoadFailure.database`.
  @discardableResult
  func sql<Value>(_ work: () async throws(SQLError) -> Value) async throws(LoadFailure) -> Value {
    do throws(SQLError) {
      return try await work()
    } catch {
      throw .database(error)
    }
  }
}
