import Databases
import FlowCompiler
import FlowRuntime
import FlowSpec
import FlowTesting
import Foundation
import ReactorCore
import Synchronization
import Testing
import TestSupport

/// The tables `reactor_runs` and `reactor_loads`.
@Suite struct TableHistoryTests {
  private static let schema = "schema: { key: id, fields: { id: integer, at: timestamp } }"
  private static let cursor =
    schema + "\ncursor: { field: at, start: 2023-01-01T00:00:00Z, query: since }\nexpect: { max_rejected: 1 }"

  private static func body(_ day: String) -> String { #"[{"id":1,"at":"2023-02-\#(day)T00:00:00Z"},{"id":"x"}]"# }

  @Test(arguments: TestStore.available)
  func `a load says which run made it, from which position, and how much it received`(_ store: TestStore) async throws {
    try await TableRig.with(store) { tables in
      let flow = try tables.flow(Self.cursor, persistence: "mode: merge")
      for day in ["01", "03"] {
        tables.rig.answer(ok(Self.body(day)))
        #expect(await tables.rig.run(flow).message == "")
      }
      let loads = try await tables.lines(
        """
        SELECT name, flow, mode, received, rejected, bytes, cursor_before, cursor_after, reactor \
        FROM reactor_loads ORDER BY cursor_after
        """)
      let bytes = Self.body("01").utf8.count
      #expect(
        loads == [
          "users,shop.users,merge,1,1,\(bytes),-,=2023-02-01T00:00:00Z,\(ReactorVersion.text)",
          "users,shop.users,merge,1,1,\(bytes),=2023-02-01T00:00:00Z,=2023-02-03T00:00:00Z,\(ReactorVersion.text)",
        ])
      let joined = try await tables.lines(
        """
        SELECT r.records, r.rejected, r.bytes, r.error FROM reactor_runs r JOIN reactor_loads l \
        ON l.load = r.load AND l.run = r.run AND l.started_at = r.started_at
        """)
      // Both runs are of one environment, so the second one replaces the row of the first one.
      #expect(joined == ["1,1,\(bytes),-"])
    }
  }

  @Test(arguments: TestStore.available)
  func `a run that failed is noted with its reason and without a load`(_ store: TestStore) async throws {
    try await TableRig.with(store) { tables in
      tables.rig.answer([.text("HTTP/1.1 500 No\r\nContent-Length: 0\r\n\r\n")])
      let flow = try tables.flow(Self.schema + "\nretry: 0")
      #expect(await tables.rig.run(flow).message != "")
      let runs = try await tables.lines("SELECT flow, name, records, load, error, message FROM reactor_runs")
      #expect(runs.count == 1 && runs[0].hasPrefix("shop.users,users,0,-,server,"), "\(runs)")
      #expect(try await tables.lines("SELECT count(*) FROM reactor_loads") == ["0"])
    }
  }

  @Test(arguments: TestStore.available)
  func `the reason of a failed run has no secret`(_ store: TestStore) async throws {
    try await TableRig.with(store) { tables in
      let body = "{\"error\":\"no such key: hush-hush-1234\"}"
      tables.rig.answer([.text("HTTP/1.1 500 No\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)")])
      var inputs = FlowCompiler.Inputs()
      inputs.secrets["TOKEN"] = Secret("hush-hush-1234")
      let flow = try tables.rig.flow(
        Self.schema + "\nretry: 0\nauth: { bearer: \"{{ secrets.TOKEN }}\" }\npersistence: { store: db, table: users }",
        top: "secrets: [TOKEN]\n" + tables.top(), inputs: inputs)
      let run = await tables.rig.run(flow)
      #expect(run.message.contains("no such key"), "\(run.message)")
      let messages = try await tables.lines("SELECT message FROM reactor_runs")
      #expect(messages.count == 1 && messages[0].contains("no such key"), "\(messages)")
      #expect(!messages.joined().contains("hush-hush-1234"), "\(messages)")
    }
  }

  @Test(arguments: TestStore.available)
  func `a cursor of tables of an earlier version can be changed`(_ store: TestStore) async throws {
    try await TableRig.with(store, ok(Self.body("01"))) { tables in
      let flow = try tables.flow(Self.cursor, persistence: "mode: merge")
      #expect(await tables.rig.run(flow).message == "")
      try await tables.run("ALTER TABLE reactor_tables DROP COLUMN versions")
      #expect(await flow.cursor?.memory()?.value == "2023-02-01T00:00:00Z")
      try await flow.cursor?.remember("2023-01-15T00:00:00Z", parent: nil)
      #expect(await flow.cursor?.memory()?.value == "2023-01-15T00:00:00Z")
    }
  }

  @Test(arguments: TestStore.available)
  func `a response that nothing changed is a run without a load`(_ store: TestStore) async throws {
    try await TableRig.with(store) { tables in
      tables.rig.answer([.text("HTTP/1.1 200 OK\r\nETag: \"1\"\r\nContent-Length: 2\r\n\r\n[]")])
      let flow = try tables.flow(Self.schema + "\nconditional: true", persistence: "expires_after: 1h")
      #expect(await tables.rig.run(flow).message == "")
      try await tables.run("DELETE FROM reactor_runs")
      tables.rig.answer([.text("HTTP/1.1 304 Not Modified\r\n\r\n")])
      #expect(await tables.rig.run(flow, .revalidate).message == "")
      #expect(try await tables.lines("SELECT records, load, error FROM reactor_runs") == ["0,-,-"])
      #expect(try await tables.lines("SELECT count(*) FROM reactor_loads") == ["1"])
    }
  }

  @Test(arguments: TestStore.available)
  func `tables of an earlier version get the columns that they lack`(_ store: TestStore) async throws {
    try await TableRig.with(store, ok(#"[{"id":1,"at":"2024-02-01T00:00:00Z"}]"#)) { tables in
      let flow = try tables.flow(Self.schema)
      #expect(await tables.rig.run(flow).message == "")
      try await tables.run(
        "ALTER TABLE reactor_loads DROP COLUMN run", "ALTER TABLE reactor_loads DROP COLUMN bytes",
        "DROP TABLE reactor_runs")
      #expect(await tables.rig.run(flow, .fresh).message == "")
      #expect(try await tables.lines("SELECT count(run), count(bytes), count(*) FROM reactor_loads") == ["1,1,2"])
      #expect(try await tables.lines("SELECT count(*) FROM reactor_runs") == ["1"])
    }
  }

  @Test func `two loads that add a column to the tables of an earlier version both pass`() async throws {
    guard TestStore.available.contains(.postgres) else { return }
    try await TableRig.with(.postgres, ok(#"[{"id":1,"at":"2024-02-01T00:00:00Z"}]"#)) { tables in
      let flow = try tables.flow(Self.schema)
      #expect(await tables.rig.run(flow).message == "")
      let key = "hashtextextended('reactor:\"' || current_schema() || '\".\"reactor_loads\"', 0)"
      try await tables.run(
        "ALTER TABLE reactor_loads DROP COLUMN bytes", "BEGIN", "SELECT pg_advisory_xact_lock(\(key))")
      async let run = tables.rig.run(flow, .fresh)
      let waiting =
        "SELECT count(*) FROM pg_locks WHERE NOT granted AND (classid::bigint << 32 | objid::bigint) = \(key)"
      while try await tables.lines(waiting) != ["1"] { await Task.yield() }
      // What another load does while it has the lock.
      try await tables.run("ALTER TABLE reactor_loads ADD COLUMN bytes bigint", "COMMIT")
      #expect(await run.message == "")
      #expect(try await tables.lines("SELECT count(bytes), count(*) FROM reactor_loads") == ["1,2"])
    }
  }

  @Test func `a database that was not reached is not asked again to note it`() async throws {
    let attempts = Mutex(0)
    let database = Database(name: "db", dialect: SQLiteDialect()) { () throws(SQLError) in
      attempts.withLock { $0 += 1 }
      throw SQLError(.connection, "refused")
    }
    await #expect(throws: ReactorError.self) { try await database.stamp(of: "users") }
    try await database.note(TableRun("1", of: "shop.users", into: "users", started: 0))
    #expect(attempts.withLock { $0 } == 1)
  }
}
