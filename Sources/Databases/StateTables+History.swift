internal import ByteCodings
internal import ReactorCore
internal import Storage
internal import TimeSyntax

extension StateTables {
  /// Adds a load to the history.
  ///
  /// - Parameter records: the number of rows in the table after the load
  func note(
    _ load: TableLoad, records: Int, before: TableStamp?, in session: any SQLSession
  ) async throws(SQLError) {
    let provenance = load.provenance
    try await insert(
      into: Self.loads,
      [
        "load": load.id, "name": load.table, "flow": load.flow, "mode": load.mode.rawValue,
        "loaded_at": Self.time(provenance.writtenAt), "received": String(provenance.recordCount),
        "records": String(records), "rejected": String(provenance.rejectedCount),
        "cursor_before": before?.provenance.cursor, "cursor_after": provenance.cursor, "run": load.run?.id,
        "started_at": load.run.map { Self.time($0.started) }, "bytes": load.run.map { String($0.bytes) },
        "resource": Hex.text(provenance.resource), "schema": Hex.text(provenance.schema), "reactor": load.run?.version,
      ], in: session)
  }

  /// Replaces the row of a flow's run.
  func note(_ run: TableRun, in session: any SQLSession) async throws(SQLError) {
    let runs = dialect.qualified(Self.runs)
    try await session.run("DELETE FROM \(runs) WHERE run = $1 AND flow = $2", [run.id, run.flow])
    try await insert(
      into: Self.runs,
      [
        "run": run.id, "flow": run.flow, "name": run.table, "started_at": Self.time(run.started),
        "ended_at": Self.time(run.ended), "records": String(run.records), "rejected": String(run.rejected),
        "bytes": String(run.bytes), "load": run.load, "error": run.failure?.kind.rawValue,
        "message": run.failure?.message, "reactor": run.version,
      ], in: session)
  }

  /// Whether a load is stored.
  func has(_ load: String, in session: any SQLSession) async throws(SQLError) -> Bool {
    // The first load of a database creates the table in its own transaction.
    guard try await !session.run(dialect.columns(of: Self.loads)).isEmpty else { return false }
    return try await !session.run("SELECT load FROM \(dialect.qualified(Self.loads)) WHERE load = $1", [load])
      .isEmpty
  }

  /// The RFC 3339 text of a time in milliseconds since 1970.
  private static func time(_ milliseconds: Int64) -> String { InstantText.text(milliseconds / 1000) }
}
