import FlowCompiler
import FlowRuntime
import FlowSpec
import FlowTesting
import Foundation
import ReactorCore
import SourceDiagnostics
import Testing
import TestSupport

/// Rows of a table or of a query as the parents of a flow.
@Suite struct TableParentsTests {
  private static func flow(_ tables: TableRig, _ each: String, inputs: FlowCompiler.Inputs = .init()) throws
    -> DeclaredFlow
  {
    try tables.rig.flow(
      "each: { store: db, \(each) }\nresource: { path: /x, query: { a: \"{{ parent.id }}\", b: \"{{ parent.name }}\" } }",
      top: "vars: { name: { default: \"B\" } }\n" + tables.top(), inputs: inputs)
  }

  private static func targets(_ tables: TableRig) -> [String] { tables.rig.server.requests.map(\.target).sorted() }

  /// A table with two rows, as anybody might have made it.
  private static func fill(_ tables: TableRig) async throws {
    try await tables.run(
      "CREATE TABLE people (id integer PRIMARY KEY, name text, note text)",
      "INSERT INTO people VALUES (2, 'B''s', NULL), (1, 'A', '\"\\x')")
  }

  @Test(arguments: TestStore.available)
  func `a request is sent for each row of a table`(_ store: TestStore) async throws {
    try await TableRig.with(store) { tables in
      try await Self.fill(tables)
      tables.rig.answer(ok("[]"))
      let run = await tables.rig.run(try Self.flow(tables, "table: people, key: id"))
      #expect(run.message == "")
      #expect(Self.targets(tables) == ["/x?a=1&b=A", "/x?a=2&b=B%27s"])
    }
  }

  @Test(arguments: TestStore.available)
  func `rows that reactor loaded have the values that were persisted`(_ store: TestStore) async throws {
    let body = #"[{"id":7,"name":{"first":"A"},"at":"2023-10-01T02:00:00+02:00","ok":true}]"#
    try await TableRig.with(store, ok(body)) { tables in
      let schema =
        "schema: { key: id, fields: { id: integer, name: { type: object, fields: { first: string } }, at: timestamp, ok: boolean } }"
      #expect(await tables.rig.run(try tables.flow(schema)).message == "")
      tables.rig.answer(ok("[]"))
      let child = try tables.rig.flow(
        """
        each: { store: db, table: users }
        resource: { path: /x, query: { a: "{{ parent.name.first }}", b: "{{ parent.at }}", c: "{{ parent.ok }}" } }
        """, top: tables.top())
      #expect(await tables.rig.run(child).message == "")
      #expect(Self.targets(tables).last == "/x?a=A&b=2023-10-01T00%3A00%3A00Z&c=true")
    }
  }

  @Test(arguments: TestStore.available)
  func `rows may have changed, so no fresh result replaces asking`(_ store: TestStore) async throws {
    try await TableRig.with(store, ok("[]")) { tables in
      try await Self.fill(tables)
      let flow = try tables.rig.flow(
        """
        each: { store: db, query: "select id from people" }
        resource: "/x/{{ parent.id }}"
        persistence: { path: out.jsonl, expires_after: never }
        """, top: tables.top())
      #expect(await tables.rig.run(flow).source == .network)
      let again = await tables.rig.run(flow)
      #expect(again.source == .network && again.miss?.description.contains("may have changed") ?? false)
      // Without a network the result is used, as old as it may be.
      #expect(await tables.rig.run(flow, .offline).source == .persistence)
    }
  }

  @Test(arguments: TestStore.available)
  func `a template in a query is a value and nothing else`(_ store: TestStore) async throws {
    try await TableRig.with(store, ok("[]")) { tables in
      try await Self.fill(tables)
      var inputs = FlowCompiler.Inputs()
      let query = "query: \"select * from people where name = {{ vars.name }}; \""
      for (name, found) in [("A", ["/x?a=1&b=A"]), ("B's", ["/x?a=2&b=B%27s"]), ("'; DROP TABLE people; --", [])] {
        tables.rig.answer(ok("[]"))
        inputs.overrides = VariableOverrides(arguments: ["name": name])
        let before = tables.rig.server.requests.count
        #expect(await tables.rig.run(try Self.flow(tables, query, inputs: inputs)).message == "")
        #expect(tables.rig.server.requests.dropFirst(before).map(\.target) == found)
      }
      #expect(try await tables.lines("SELECT count(*) FROM people") == ["2"])
    }
  }

  @Test(
    arguments: TestStore.available,
    [
      "delete from people", "delete from people returning id", "select 1; delete from people",
      "select 1 -- x\n; delete from people",
      "select 1 as id) reactor_row) TO STDOUT; DELETE FROM people; --", "COMMIT; delete from people", "commit",
      "select 1 as id) reactor_row) TO '/tmp/reactor-must-not-be-there' --", "select from from",
    ])
  func `a query cannot change anything`(_ store: TestStore, _ query: String) async throws {
    try await TableRig.with(store, ok("[]")) { tables in
      try await Self.fill(tables)
      let text = query.replacingOccurrences(of: "\n", with: "\\n")
      let run = await tables.rig.run(try Self.flow(tables, "query: \"\(text)\""))
      #expect(run.message.contains("the query of 'db' failed"), "\(run.message)")
      #expect(try await tables.lines("SELECT count(*) FROM people") == ["2"])
      #expect(!FileManager.default.fileExists(atPath: "/tmp/reactor-must-not-be-there"))
      #expect(tables.rig.server.requests.isEmpty)
    }
  }

  @Test(arguments: TestStore.available)
  func `values of a query have the database's own types`(_ store: TestStore) async throws {
    try await TableRig.with(store, ok("[]")) { tables in
      let child = try tables.rig.flow(
        """
        each: { store: db, query: "select 9007199254740993 as big, 1.5 as share, 'é' as text, null as gone" }
        resource:
          path: /x
          query: { a: "{{ parent.big }}", b: "{{ parent.share }}", c: "{{ parent.text }}", d: "{{ parent.gone == null }}" }
        """, top: tables.top())
      let run = await tables.rig.run(child)
      #expect(run.message == "")
      #expect(Self.targets(tables) == ["/x?a=9007199254740993&b=1.5&c=%C3%A9&d=true"])
    }
  }

  @Test(arguments: TestStore.available)
  func `a table that is missing fails the flow and says so`(_ store: TestStore) async throws {
    try await TableRig.with(store) { tables in
      let run = await tables.rig.run(try Self.flow(tables, "table: nobody"))
      #expect(run.message.contains("nobody"), "\(run.message)")
      #expect(tables.rig.server.requests.isEmpty)
    }
  }
}
