import FlowCompiler
import FlowRuntime
import FlowTesting
import Foundation
import JSONSyntax
import ReactorCore
import SourceDiagnostics
import Testing
import TestSupport

/// Rejected records in a table.
@Suite struct TableRejectedTests {
  private static let schema = "schema: { key: id, fields: { id: integer, name: string? } }"
  private static let rejected = "\nrejected: { store: db, table: bad_users }"
  private static let all = "SELECT id, name FROM users ORDER BY id"

  @Test(arguments: TestStore.available)
  func `each member of a rejected record has a column`(_ store: TestStore) async throws {
    // The record has U+0000 and members in an order of its own.
    let record = #"{"name":"a\u0000b","id":"x","n":1.50}"#
    try await TableRig.with(store, ok("[{\"id\":1},\(record)]")) { tables in
      let flow = try tables.flow(Self.schema + Self.rejected)
      #expect(await tables.rig.run(flow).message == "")
      #expect(flow.rejectedPath == "db:bad_users")
      let rows = try await tables.rows(
        "SELECT flow, page, \"index\", pointer, rule, status, record, record_text FROM bad_users")
      #expect(rows == [["shop.users", "1", "1", "/id", "integer", "-", record, "-"]])
      let request = try #require(try await tables.rows("SELECT request FROM bad_users").first?.first)
      #expect(try JSONValue(parsing: request)["method"]?.string == "GET")
      // The rejected records are those of the last response.
      tables.rig.answer(ok("[{\"id\":1}]"))
      #expect(await tables.rig.run(flow, .fresh).message == "")
      #expect(try await tables.lines("SELECT count(*) FROM bad_users") == ["0"])
    }
  }

  @Test(arguments: TestStore.available)
  func `records and rejected records are stored together or not at all`(_ store: TestStore) async throws {
    try await TableRig.with(store, ok(#"[{"id":1,"name":"A"},{"id":"x"}]"#)) { tables in
      let flow = try tables.flow(Self.schema + Self.rejected)
      #expect(await tables.rig.run(flow).message == "")
      // The second transaction fails at its last table.
      try await tables.run("DROP TABLE bad_users", "CREATE VIEW bad_users AS SELECT 1 AS flow")
      tables.rig.answer(ok(#"[{"id":2,"name":"B"},{"id":"y"}]"#))
      #expect(await tables.rig.run(flow, .fresh).message.contains("bad_users"))
      #expect(try await tables.lines(Self.all) == ["1,A"])
      #expect(try await tables.lines("SELECT count(*) FROM reactor_loads WHERE name = 'users'") == ["1"])
      try await tables.run("DROP VIEW bad_users")
      #expect(await tables.rig.run(flow, .fresh).message == "")
      // This one fails at its first table, and the second one stays as it is too.
      try await tables.run("DROP TABLE users", "CREATE VIEW users AS SELECT 1 AS id")
      tables.rig.answer(ok(#"[{"id":3,"name":"C"},{"id":"z"}]"#))
      #expect(await tables.rig.run(flow, .fresh).message.contains("users"))
      #expect(try await tables.lines("SELECT record FROM bad_users") == [#"{"id":"y"}"#])
      try await tables.run("DROP VIEW users")
      tables.rig.answer(ok(#"[{"id":2,"name":"B"},{"id":"y"}]"#))
      #expect(await tables.rig.run(flow, .fresh).message == "")
      #expect(try await tables.lines(Self.all) == ["2,B"])
      #expect(try await tables.lines("SELECT record FROM bad_users") == [#"{"id":"y"}"#])
    }
  }

  @Test(arguments: TestStore.available)
  func `a flow that fails because of a record stores it all the same`(_ store: TestStore) async throws {
    try await TableRig.with(store, ok(#"[{"id":1},{"id":"x"}]"#)) { tables in
      let strict = try tables.flow(Self.schema + Self.rejected + "\nprune: false")
      #expect(await tables.rig.run(strict).message != "")
      #expect(try await tables.lines("SELECT record FROM bad_users") == [#"{"id":"x"}"#])
      let pruned = try tables.flow(Self.schema + Self.rejected)
      tables.rig.answer(ok(#"[{"id":"z"}]"#))
      // No record fits, so nothing else is saved.
      #expect(await tables.rig.run(pruned, .fresh).message != "")
      #expect(try await tables.lines("SELECT record FROM bad_users") == [#"{"id":"z"}"#])
    }
  }

  @Test(arguments: TestStore.available)
  func `a record that a cursor has passed is asked for again`(_ store: TestStore) async throws {
    try await TableRig.with(store) { tables in
      let keys =
        """
        schema: { key: id, fields: { id: integer, name: string, at: timestamp } }
        cursor: { field: at, query: since }
        """ + Self.rejected
      let first = #"{"id":1,"name":"A","at":"2023-10-01T00:00:00Z"}"#
      let bad = #"{"id":2,"at":"2023-10-02T00:00:00Z"}"#
      let last = #"{"id":3,"name":"C","at":"2023-10-03T00:00:00Z"}"#
      let flow = try tables.flow(keys, persistence: "mode: merge")
      tables.rig.answer(ok("[\(first),\(bad),\(last)]"))
      #expect(await tables.rig.run(flow).message == "")
      // The rejected record and the cursor are those of the result, and are noted once.
      let loads = try await tables.lines(
        "SELECT name, received, rejected, cursor_after FROM reactor_loads ORDER BY name")
      #expect(loads == ["bad_users,1,0,-", "users,2,1,=2023-10-03T00:00:00Z"])
      // A run that does not bring it keeps its row.
      tables.rig.answer(ok("[\(last)]"))
      #expect(await tables.rig.run(flow).message == "")
      #expect(try await tables.lines("SELECT record FROM bad_users") == [bad])
      var inputs = FlowCompiler.Inputs()
      inputs.isRetryingRejected = true
      let retry = try tables.flow(keys, persistence: "mode: merge", inputs: inputs)
      tables.rig.answer(ok(#"[{"id":2,"name":"B","at":"2023-10-02T00:00:00Z"}]"#))
      #expect(await tables.rig.run(retry, .fresh).message == "")
      #expect(try await tables.lines("SELECT id, name FROM users ORDER BY id") == ["1,A", "2,B", "3,C"])
      #expect(try await tables.lines("SELECT count(*) FROM bad_users") == ["0"])
      // The retry has not moved the cursor.
      let cursors = try await tables.lines("SELECT cursor FROM reactor_tables WHERE name = 'users'")
      #expect(cursors == ["=2023-10-03T00:00:00Z"])
    }
  }

  @Test(arguments: TestStore.available)
  func `a result in a file may have its rejected records in a table`(_ store: TestStore) async throws {
    try await TableRig.with(store, ok(#"[{"id":1},{"id":"x"}]"#)) { tables in
      let flow = try tables.rig.flow(
        Self.schema + Self.rejected + "\npersistence: out/users.jsonl", top: tables.top())
      #expect(await tables.rig.run(flow).message == "")
      #expect(try await tables.lines("SELECT record FROM bad_users") == [#"{"id":"x"}"#])
    }
  }

  @Test func `two flows cannot have one table`() async throws {
    let text = """
      reactor: 1
      http: { base_url: https://api.example.com }
      stores: { db: { sqlite: a.db } }
      flows:
        a: { resource: /, schema: { fields: { id: integer } }, persistence: { store: db, table: one } }
        b: { resource: /, rejected: { store: db, table: ONE } }
      """
    try await Rig.with { rig in
      let messages = rig.compile(text).diagnostics.diagnostics.map(\.message)
      #expect(messages == ["flows 'shop.a' and 'shop.b' write the same table 'ONE'"])
    }
  }
}
