import FlowCompiler
import FlowRuntime
import FlowTesting
import Foundation
import ReactorCore
import SourceDiagnostics
import Testing
import TestSupport

/// Results in tables: what holds for files holds for them.
@Suite struct TableTests {
  private static let schema = "schema: { key: id, fields: { id: integer, name: string? } }"
  private static let all = "SELECT id, name FROM users ORDER BY id, name"

  private static func body(_ records: [String]) -> String {
    "["
      + records.map { word in
        let parts = word.split(separator: "=")
        return #"{"id":\#(parts[0]),"name":\#(parts.count > 1 ? "\"\(parts[1])\"" : "null")}"#
      }.joined(separator: ",") + "]"
  }

  private static let pulls: [(mode: String, pulls: [[String]], result: [String])] = [
    ("replace", [["1=A", "2=B"], ["2=X", "3=C"]], ["2,X", "3,C"]),
    ("replace", [["1=A"], []], []),
    ("replace", [["1=A", "2=B", "1=C"]], ["1,C", "2,B"]),
    ("replace", [["1=A", "2=B"], ["1=C", "2=B", "1="]], ["1,-", "2,B"]),
    ("merge", [["1=A", "2=B", "3=C"], ["4=D", "2=X"]], ["1,A", "2,X", "3,C", "4,D"]),
    ("merge", [["1=A"], []], ["1,A"]),
    ("merge", [["1=A", "2=B", "1=C", "2=D", "3=E"]], ["1,C", "2,D", "3,E"]),
    ("merge", [["1=A", "2=B"], ["2=X", "3=Y", "2=Z", "1="]], ["1,-", "2,Z", "3,Y"]),
    ("append", [["1=A", "2=B"], ["2=X"], [], ["3=C"]], ["1,A", "2,B", "2,X", "3,C"]),
    ("append", [[], ["1=A", "1=A"]], ["1,A", "1,A"]),
  ]

  @Test(arguments: TestStore.available, pulls.indices)
  func `each mode joins new records with those that are there`(_ store: TestStore, _ number: Int) async throws {
    let (mode, pulls, result) = Self.pulls[number]
    try await TableRig.with(store) { tables in
      let flow = try tables.flow(Self.schema, persistence: "mode: \(mode)")
      for pull in pulls {
        tables.rig.answer(ok(Self.body(pull)))
        let run = await tables.rig.run(flow, .fresh)
        #expect(run.message == "" && run.save == .saved && run.kept == pull.count)
      }
      #expect(try await tables.lines(Self.all) == result)
      let stamp = try await tables.lines("SELECT name, flow, records FROM reactor_tables")
      #expect(stamp == ["users,shop.users,\(result.count)"])
      let loads = try await tables.lines("SELECT received FROM reactor_loads")
      #expect(loads.sorted() == pulls.map { "\($0.count)" }.sorted())
    }
  }

  @Test(arguments: TestStore.available)
  func `a table without a key takes the records as they come`(_ store: TestStore) async throws {
    try await TableRig.with(store) { tables in
      let flow = try tables.flow("schema: { fields: { name: string } }")
      for names in [["A", "A"], ["B", "A", "B"]] {
        tables.rig.answer(ok("[" + names.map { #"{"name":"\#($0)"}"# }.joined(separator: ",") + "]"))
        #expect(await tables.rig.run(flow, .fresh).message == "")
        #expect(try await tables.lines("SELECT name FROM users ORDER BY name") == names.sorted())
      }
    }
  }

  @Test(arguments: TestStore.available)
  func `the load of an appended row is in its own column`(_ store: TestStore) async throws {
    try await TableRig.with(store, ok(Self.body(["1=A"]))) { tables in
      let flow = try tables.flow(Self.schema, persistence: "mode: append")
      for _ in 0..<2 { #expect(await tables.rig.run(flow, .fresh).message == "") }
      let rows = try await tables.rows("SELECT reactor_load FROM users")
      let loads = try await tables.rows("SELECT load FROM reactor_loads")
      #expect(rows.count == 2 && Set(rows) == Set(loads))
    }
  }

  @Test(arguments: TestStore.available)
  func `a fresh result is taken from the table, an expired one from the network`(_ store: TestStore) async throws {
    try await TableRig.with(store, ok(Self.body(["1=A", "2="]))) { tables in
      let flow = try tables.flow(Self.schema, persistence: "expires_after: 1h")
      #expect(await flow.persisted().miss == .absent)
      let first = await tables.rig.run(flow)
      #expect(first.source == .network && first.miss == .absent)
      let second = await tables.rig.run(flow)
      #expect(second.source == .persistence && second.kept == 2)
      #expect(await tables.rig.run(flow, .offline).source == .persistence)
      #expect(await flow.persisted().description.hasPrefix("2 records of "))
      tables.rig.clock.advance(by: .seconds(3601))
      let third = await tables.rig.run(flow)
      #expect(third.source == .network && third.miss == .expired)
      let other = try tables.flow("resource: /others\n" + Self.schema)
      #expect(await tables.rig.run(other).miss == .otherResource)
    }
  }

  @Test func `a lookup creates no file`() async throws {
    try await Rig.with { rig in
      let flow = try rig.flow(
        Self.schema + "\npersistence: { store: db, table: users }", top: "stores: { db: { sqlite: sub/shop.db } }")
      #expect(await flow.persisted().miss == .absent)
      #expect(rig.scratch.names() == [])
      rig.answer(ok(Self.body(["1=A"])))
      #expect(await rig.run(flow).message == "")
      #expect(rig.scratch.names().contains("sub/shop.db"))
    }
  }

  @Test(arguments: TestStore.available)
  func `an unmodified result only gets a new age`(_ store: TestStore) async throws {
    try await TableRig.with(store) { tables in
      tables.rig.answer { request in
        guard request["If-None-Match"] == "\"v1\"" else { return ok(Self.body(["1=A"]), "ETag: \"v1\"") }
        return [.text("HTTP/1.1 304 Not Modified\r\n\r\n")]
      }
      let flow = try tables.flow(Self.schema, persistence: "expires_after: 1h")
      #expect(await tables.rig.run(flow).source == .network)
      for _ in 0..<2 {
        tables.rig.clock.advance(by: .seconds(3601))
        let run = await tables.rig.run(flow)
        #expect(run.message == "" && run.source == .notModified && run.kept == 1)
        #expect(await tables.rig.run(flow).source == .persistence)
      }
      #expect(try await tables.lines("SELECT count(*) FROM reactor_loads") == ["1"])
    }
  }

  @Test(arguments: TestStore.available)
  func `deleted records leave the table`(_ store: TestStore) async throws {
    try await TableRig.with(store) { tables in
      let flow = try tables.flow(
        Self.schema, persistence: "mode: merge, delete_when: \"coalesce(source.gone, false)\"")
      let pulls = [
        (#"[{"id":1,"name":"A"},{"id":2,"name":"B"},{"id":3,"gone":true}]"#, ["1,A", "2,B"]),
        (
          #"[{"id":1,"gone":true},{"id":3,"name":"C"},{"id":3,"gone":true},{"id":4,"gone":true},{"id":4,"name":"D"}]"#,
          ["2,B", "4,D"]
        ),
      ]
      for (body, result) in pulls {
        tables.rig.answer(ok(body))
        #expect(await tables.rig.run(flow, .fresh).message == "")
        #expect(try await tables.lines(Self.all) == result)
      }
    }
  }

  @Test(arguments: TestStore.available)
  func `a failed pull leaves the table as it was`(_ store: TestStore) async throws {
    try await TableRig.with(store, ok(Self.body(["1=A"]))) { tables in
      let flow = try tables.flow("prune: false\n" + Self.schema)
      #expect(await tables.rig.run(flow).message == "")
      tables.rig.answer(ok(#"[{"id":2,"name":"B"},{"id":"x"}]"#))
      #expect(await tables.rig.run(flow, .fresh).error?.kind == .parser)
      #expect(try await tables.lines(Self.all) == ["1,A"])
      #expect(try await tables.lines("SELECT count(*) FROM reactor_loads") == ["1"])
    }
  }

  @Test(arguments: TestStore.available)
  func `rejected records are counted with the load`(_ store: TestStore) async throws {
    try await TableRig.with(store, ok(#"[{"id":1},{"id":"x"}]"#)) { tables in
      let flow = try tables.flow("rejected: bad.jsonl\n" + Self.schema)
      #expect(await tables.rig.run(flow).message == "")
      #expect(try await tables.lines("SELECT received, rejected FROM reactor_loads") == ["1,1"])
      #expect(tables.rig.scratch.text("bad.jsonl")?.contains(#""record":{"id":"x"}"#) ?? false)
    }
  }

  @Test(arguments: TestStore.available)
  func `a save that is not waited for loads too`(_ store: TestStore) async throws {
    try await TableRig.with(store, ok(Self.body(["1=A"]))) { tables in
      let run = await tables.rig.run(try tables.flow("wait: false\n" + Self.schema))
      #expect(run.message == "" && run.failures.isEmpty)
      #expect(try await tables.lines(Self.all) == ["1,A"])
    }
  }

  @Test(arguments: TestStore.available)
  func `children get the records of the run, and later those of the table`(_ store: TestStore) async throws {
    try await TableRig.with(store) { tables in
      tables.rig.answer { request in
        ok(request.target == "/users" ? Self.body(["1=A", "2=B"]) : #"[{"at":"\#(request.target)"}]"#)
      }
      let text =
        tables.rig.text(
          """
          \(Self.schema)
          persistence: { store: db, table: users }
          """, top: tables.top())
          + """
            orders:
              resource: "/orders/{{ parent.id }}"
              each: { flow: users, on_error: fail }
              schema: { fields: { at: string } }
              persistence: { store: db, table: orders }

          """
      for _ in 0..<2 {
        let compilation = tables.rig.compile(text)
        #expect(compilation.diagnostics.diagnostics.map(\.message) == [])
        let flows = compilation.flows
        #expect(flows.count == 2)
        for flow in flows { flow.begin() }
        for flow in flows {
          let run = await tables.rig.run(flow, flow.name == "orders" ? .fresh : .persistenceFirst)
          #expect(run.message == "")
        }
        let found = try await tables.lines("SELECT at FROM orders ORDER BY at")
        #expect(found == ["/orders/1", "/orders/2"])
      }
    }
  }
}
