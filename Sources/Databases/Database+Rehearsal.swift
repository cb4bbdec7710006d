public import ReactorCore
internal import Storage

extension Database {
  /// Runs a load without rows and rolls it back: creates or changes the table, and writes into it.
  ///
  /// It fails where the load would fail because of the table, the columns or the rights. The table's content does not
  /// matter.
  public func rehearse(_ load: TableLoad) async throws(ReactorError) {
    guard try await exists() else { return }
    let table = dialect.qualified(load.table)
    var load = load
    // A merge of no rows changes no version.
    if load.keepsVersions { load.mode = .merge }
    let rehearsed = load
    try await using(load.table) { (session) throws(LoadFailure) in
      try await self.begin(rehearsed.table, in: session)
      let before = try await self.sql { () throws(SQLError) in
        try await self.state.evolve(in: session)
        return try await self.presentStamp(of: rehearsed.table, in: session)
      }
      _ = try await self.prepare(rehearsed, before, in: session)
      // As if it were empty, so that nothing is deleted.
      try await self.dialect.fill(rehearsed, isEmpty: true, in: session) { (statement) async throws(LoadFailure) in
        try await self.sql { () throws(SQLError) in
          try await session.beginRows(statement)
          try await session.endRows()
        }
      }
      try await self.sql { () throws(SQLError) in
        if rehearsed.mode == .replace { try await session.run("DELETE FROM \(table) WHERE 1 = 0") }
        try await session.run("ROLLBACK")
      }
    }
  }

  /// Prepares a query without reading its rows.
  public func rehearse(query sql: String) async throws(ReactorError) {
    try await read(query: "SELECT * FROM (\(SQLName.bare(sql))\n) reactor_rows LIMIT 0") { _ in }
  }
}
