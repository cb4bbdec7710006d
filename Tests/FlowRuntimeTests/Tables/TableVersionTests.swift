import FlowCompiler
import FlowRuntime
import FlowTesting
import Foundation
import ReactorCore
import SourceDiagnostics
import Testing
import TestSupport

/// `history: true`: old versions of rows stay.
@Suite struct TableVersionTests {
  private static let schema = "schema: { key: id, fields: { id: integer, name: string? } }"
  private static let present = "SELECT id, name FROM users WHERE valid_to IS NULL ORDER BY id"

  private static func body(_ records: String...) -> String {
    "["
      + records.map { word in
        let parts = word.split(separator: "=")
        return #"{"id":\#(parts[0]),"name":\#(parts.count > 1 ? "\"\(parts[1])\"" : "null")}"#
      }.joined(separator: ",") + "]"
  }

  @Test(arguments: TestStore.available, ["replace", "merge"])
  func `a row that changes or goes gets an end, and its successor begins then`(
    _ store: TestStore, _ mode: String
  ) async throws {
    try await TableRig.with(store) { tables in
      let flow = try tables.flow(Self.schema, persistence: "mode: \(mode), history: true")
      for body in [Self.body("1=A", "2=B", "3="), Self.body("1=A", "2=X", "4=D", "4=E"), Self.body("1=A", "2=X", "3=")]
      {
        tables.rig.answer(ok(body))
        #expect(await tables.rig.run(flow, .fresh).message == "")
        tables.rig.clock.advance(by: .seconds(60))
      }
      let isReplaced = mode == "replace"
      #expect(
        try await tables.lines(Self.present) == (isReplaced ? ["1,A", "2,X", "3,-"] : ["1,A", "2,X", "3,-", "4,E"]))
      let ended = try await tables.lines(
        "SELECT id, name FROM users WHERE valid_to IS NOT NULL ORDER BY id, valid_from")
      #expect(ended == (isReplaced ? ["2,B", "3,-", "4,E"] : ["2,B"]))
      // An end is the begin of the next version.
      let joined = try await tables.lines(
        "SELECT o.id FROM users o JOIN users n ON n.id = o.id AND n.valid_from = o.valid_to WHERE n.valid_to IS NULL")
      #expect(joined == ["2"])
      let count = try await tables.lines("SELECT records FROM reactor_tables")
      #expect(count == [isReplaced ? "3" : "4"])
    }
  }

  @Test(arguments: TestStore.available)
  func `a clock that goes back ends no version before it began`(_ store: TestStore) async throws {
    try await TableRig.with(store) { tables in
      let flow = try tables.flow(Self.schema, persistence: "history: true")
      for body in [Self.body("1=A"), Self.body("1=B"), Self.body("1=C"), Self.body("1=D")] {
        tables.rig.answer(ok(body))
        #expect(await tables.rig.run(flow, .fresh).message == "")
        tables.rig.clock.advance(by: .seconds(-3600))
      }
      #expect(try await tables.lines("SELECT name FROM users ORDER BY valid_from") == ["A", "B", "C", "D"])
      #expect(try await tables.lines("SELECT count(*) FROM users WHERE valid_to <= valid_from") == ["0"])
      let joined = try await tables.lines(
        "SELECT count(*) FROM users o JOIN users n ON n.valid_from = o.valid_to WHERE o.valid_to IS NOT NULL")
      #expect(joined == ["3"])
    }
  }

  @Test(arguments: TestStore.available)
  func `the same answer changes nothing`(_ store: TestStore) async throws {
    try await TableRig.with(store, ok(Self.body("1=A", "2="))) { tables in
      let flow = try tables.flow(Self.schema, persistence: "history: true")
      #expect(
        flow.explanation.items.last?.text
          == "db:users, with old versions, the flow waits for the save; a failure fails the flow")
      #expect(await tables.rig.run(flow, .fresh).message == "")
      let before = try await tables.lines("SELECT * FROM users ORDER BY id")
      tables.rig.clock.advance(by: .seconds(60))
      #expect(await tables.rig.run(flow, .fresh).message == "")
      #expect(try await tables.lines("SELECT * FROM users ORDER BY id") == before)
    }
  }

  @Test(arguments: TestStore.available)
  func `a deleted record ends, and comes back as a new version`(_ store: TestStore) async throws {
    try await TableRig.with(store) { tables in
      let flow = try tables.flow(
        Self.schema, persistence: "mode: merge, history: true, delete_when: \"coalesce(source.gone, false)\"")
      for body in [#"[{"id":1,"name":"A"}]"#, #"[{"id":1,"gone":true}]"#, #"[{"id":1,"name":"A"}]"#] {
        tables.rig.answer(ok(body))
        #expect(await tables.rig.run(flow, .fresh).message == "")
        tables.rig.clock.advance(by: .seconds(60))
      }
      let rows = try await tables.lines("SELECT id, name, valid_to IS NULL FROM users ORDER BY valid_from")
      #expect(rows == (store == .sqlite ? ["1,A,0", "1,A,1"] : ["1,A,f", "1,A,t"]))
    }
  }

  @Test(arguments: TestStore.available)
  func `the result and a parent are the present rows`(_ store: TestStore) async throws {
    try await TableRig.with(store) { tables in
      let flow = try tables.flow(Self.schema, persistence: "history: true, expires_after: 1h")
      for body in [Self.body("1=A"), Self.body("1=B")] {
        tables.rig.answer(ok(body))
        #expect(await tables.rig.run(flow, .fresh).message == "")
        tables.rig.clock.advance(by: .seconds(60))
      }
      let run = await tables.rig.run(flow)
      #expect(run.outcome?.source == .persistence && run.kept == 1)
      tables.rig.answer(ok("[]"))
      let child = try tables.rig.flow(
        "each: { store: db, table: users }\nresource: { path: /x, query: { a: \"{{ parent.name }}\" } }",
        top: tables.top())
      #expect(await tables.rig.run(child).message == "")
      #expect(tables.rig.server.requests.filter { $0.target.hasPrefix("/x") }.map(\.target) == ["/x?a=B"])
    }
  }

  @Test(arguments: [
    ("key: id, ", "mode: append, ", "'history' cannot be used with 'mode: append', which keeps every row"),
    ("", "", "'history' needs a key, which identifies the record that a row is a version of"),
    ("key: id, ", "", "the column 'valid_to' is reserved: SQLite and reactor use it themselves"),
  ])
  func `versions need a key, and names that are free`(_ key: String, _ mode: String, _ message: String) async throws {
    try await Rig.with { rig in
      let more = message.contains("valid_to") ? ", valid_to: date" : ""
      let text =
        """
        reactor: 1
        http: { base_url: https://api.example.com }
        stores: { db: { sqlite: a.db } }
        flows:
          users:
            resource: /users
            schema: { \(key)fields: { id: integer\(more) } }
            persistence: { store: db, table: users, \(mode)history: true }
        """
      #expect(rig.compile(text).diagnostics.diagnostics.map(\.message) == [message])
    }
  }

  @Test(arguments: TestStore.available)
  func `a table is loaded with versions or without them, not both`(_ store: TestStore) async throws {
    try await TableRig.with(store, ok(Self.body("1=A"))) { tables in
      let with = try tables.flow(Self.schema, persistence: "history: true")
      let without = try tables.flow(Self.schema)
      #expect(await tables.rig.run(with, .fresh).message == "")
      #expect(await tables.rig.run(without, .fresh).message.contains("has old versions of its rows"))
      try await tables.run("DROP TABLE users")
      #expect(await tables.rig.run(without, .fresh).message == "")
      #expect(await tables.rig.run(with, .fresh).message.contains("was loaded without 'history'"))
      #expect(try await tables.lines("SELECT id, name FROM users") == ["1,A"])
      #expect(await with.rehearse().first?.failure?.message.contains("was loaded without 'history'") ?? false)
    }
  }
}
