import FlowRuntime
import FlowTesting
import Foundation
import JSONSyntax
import ReactorCore
import Records
import Testing
import TestSupport

/// The columns of tables: each type is stored without a loss, and changes of the schema change the table or are refused.
@Suite struct TableColumnTests {
  private static let types = """
    schema:
      key: id
      fields:
        id: integer
        text: { type: string, default: "a \\"b\\"" }
        number: number?
        exact: decimal?
        yes: boolean?
        at: timestamp?
        day: date?
        long: duration?
        uuid: uuid?
        link: url?
        raw: bytes?
        word: { type: enum, values: [a, b], optional: true }
        list: { type: [integer], optional: true }
        object: { type: object, fields: { x: integer, y: string? }, optional: true }
        any: json?
    """

  /// Values at the limits of each type, as persisted records.
  private static let records = [
    #"{"id":-9223372036854775808,"text":"","number":0.1,"exact":"0","yes":true,"at":"0001-01-01T00:00:00Z","day":"0001-01-01","long":"P1Y2M","uuid":"00000000-0000-0000-0000-000000000000","link":"https://a.example/?q=%20","raw":"","word":"a","list":[],"object":{"x":1,"y":null},"any":{}}"#,
    #"{"id":0,"text":"a \"b\"","number":null,"exact":null,"yes":null,"at":null,"day":null,"long":null,"uuid":null,"link":null,"raw":null,"word":null,"list":null,"object":null,"any":null}"#,
    #"{"id":1,"text":"日本 𝄞 é\n\t\\ ' $1 {{","number":-0.5,"exact":"-0.000100","yes":false,"at":"1969-12-31T23:59:59.999999Z","day":"1999-12-31","long":"PT0.5S","uuid":"6f9619ff-8b86-d011-b42d-00c04fc964ff","link":"urn:a","raw":"AAH/","word":"b","list":[1,-2],"object":{"x":9007199254740993,"y":"\""},"any":[1.50,"x",null,true]}"#,
    #"{"id":9223372036854775807,"text":"x","number":1e+300,"exact":"123456789012345678901234567890.123400","yes":true,"at":"9999-12-31T23:59:59.000001Z","day":"9999-12-31","long":"3d","uuid":"ffffffff-ffff-ffff-ffff-ffffffffffff","link":"https://é.example/","raw":"//8=","word":"a","list":[9223372036854775807],"object":{"x":0,"y":""},"any":"text"}"#,
    #"{"id":9223372036854775806,"text":"y","number":12345678901.25,"exact":"10000","yes":true,"at":"2000-01-01T00:00:00Z","day":"2000-01-01","long":"P0D","uuid":"ffffffff-ffff-ffff-ffff-fffffffffffe","link":"a:b","raw":"AA==","word":"a","list":null,"object":null,"any":0}"#,
  ]

  /// Both as JSON, with numbers by their value.
  private func isSame(_ left: String, _ right: String) -> Bool {
    guard let left = try? JSONValue(parsing: Array(left.utf8)), let right = try? JSONValue(parsing: Array(right.utf8))
    else { return false }
    return left.isEquivalent(to: right)
  }

  @Test(
    .enabled(if: TestStore.available.contains(.postgres)),
    arguments: [
      "quote_all_identifiers=on", "intervalstyle=iso_8601", "datestyle=SQL", "bytea_output=escape",
      "extra_float_digits=-10", "transform_null_equals=on", "standard_conforming_strings=off", "TimeZone=Asia/Tokyo",
      "default_transaction_isolation=serializable", "search_path=pg_catalog",
    ])
  func `settings of a role change nothing`(_ setting: String) async throws {
    let url = try TableRig.serverURL()
    let options = "options=-c%20\(setting.replacing("=", with: "%3D"))"
    try await TableRig.with(.postgres, through: url + (url.contains("?") ? "&" : "?") + options) { tables in
      let flow = try tables.flow(Self.types, persistence: "mode: merge")
      for _ in 0..<2 {
        tables.rig.answer(ok("[\(Self.records.joined(separator: ","))]"))
        #expect(await tables.rig.run(flow, .fresh).message == "")
      }
      let rows = try await tables.lines("SELECT id, number, raw, \"at\", \"long\" FROM users ORDER BY id")
      #expect(rows.count == Self.records.count)
    }
  }

  @Test(.enabled(if: TestStore.available.contains(.postgres)))
  func `a role whose transactions only read stores nothing`() async throws {
    let url = try TableRig.serverURL()
    let options = "options=-c%20default_transaction_read_only%3Don"
    try await TableRig.with(.postgres, through: url + (url.contains("?") ? "&" : "?") + options) { tables in
      let flow = try tables.flow(Self.types, persistence: "mode: merge")
      tables.rig.answer(ok("[\(Self.records.joined(separator: ","))]"))
      #expect(await tables.rig.run(flow, .fresh).message.contains("read-only transaction"))
    }
  }

  @Test(arguments: TestStore.available)
  func `a value of each type comes back as it was`(_ store: TestStore) async throws {
    try await TableRig.with(store, ok("[" + Self.records.joined(separator: ",") + "]")) { tables in
      let flow = try tables.flow(Self.types, persistence: "expires_after: 1h")
      #expect(await tables.rig.run(flow).message == "")
      let reactor = flow.reactor()
      let fetched = try await reactor.fetch(flow.resource)
      #expect(fetched.source == .persistence)
      let values = try await fetched.model.values().map { String(decoding: JSONWriter.bytes($0), as: UTF8.self) }
      let expected = Self.records.sorted {
        (try? JSONValue(parsing: Array($0.utf8)))?["id"]?.int64 ?? 0
          < (try? JSONValue(parsing: Array($1.utf8)))?["id"]?.int64 ?? 0
      }
      #expect(values.count == expected.count)
      for (value, record) in zip(values, expected) { #expect(isSame(value, record), "\(value)\n\(record)") }
      // The same records again change no row.
      if store == .postgres {
        let before = try await tables.lines("SELECT id, xmin FROM users ORDER BY id")
        #expect(await tables.rig.run(flow, .fresh).message == "")
        #expect(try await tables.lines("SELECT id, xmin FROM users ORDER BY id") == before)
      }
    }
  }

  private static let refused: [(field: String, type: String, value: String, words: String, store: TestStore)] = [
    ("n", "string", #""a\u0000b""#, "U+0000", .postgres),
    ("n", "json", #"{"a":"\u0000"}"#, "U+0000", .postgres),
    ("n", "number", "12345678901234567890", "more digits", .postgres),
    ("n", "number", "12345678901234567890", "more digits", .sqlite),
    ("n", "number", "0.12345678901234567891", "more digits", .sqlite),
    ("n", "timestamp", #""2024-01-01T00:00:00.1234567Z""#, "more precise than a microsecond", .postgres),
    ("n", "decimal", #""1e200000""#, "more digits", .postgres),
  ]

  @Test(arguments: refused.indices)
  func `a value that the column cannot hold is an error that names it`(_ number: Int) async throws {
    let row = Self.refused[number]
    guard TestStore.available.contains(row.store) else { return }
    let body = #"[{"id":1,"n":null},{"id":42,"n":\#(row.value)}]"#
    try await TableRig.with(row.store, ok(body)) { tables in
      let keys = "schema: { key: id, fields: { id: integer, n: { type: \(row.type), optional: true } } }"
      let run = await tables.rig.run(try tables.flow(keys))
      #expect(
        run.message.contains("the column 'n'") && run.message.contains("id 42") && run.message.contains(row.words))
      #expect(run.error?.help != nil)
    }
  }

  @Test func `SQLite holds what PostgreSQL does not`() async throws {
    let body = #"[{"id":1,"text":"a\u0000b","at":"2024-01-01T00:00:00.123456789Z"}]"#
    try await TableRig.with(.sqlite, ok(body)) { tables in
      let keys = "schema: { key: id, fields: { id: integer, text: string, at: timestamp } }"
      let flow = try tables.flow(keys)
      #expect(await tables.rig.run(flow).message == "")
      let values = try await flow.reactor().fetch(flow.resource).model.values()
      #expect(values.first?["text"]?.string == "a\0b")
      #expect(values.first?["at"]?.string == "2024-01-01T00:00:00.123456789Z")
    }
  }

  // MARK: - Changes of the schema

  private func load(
    _ tables: TableRig, _ fields: String, _ body: String, _ more: String = "", mode: String = "merge"
  ) async -> FlowRun {
    tables.rig.answer(ok(body))
    let keys = "schema: { key: id, fields: { id: integer, \(fields) } }"
    let persistence = more.isEmpty ? "mode: \(mode)" : "mode: \(mode), " + more
    guard let flow = try? tables.flow(keys, persistence: persistence) else {
      Issue.record("the flow does not compile")
      return FlowRun()
    }
    return await tables.rig.run(flow, .fresh)
  }

  @Test(arguments: TestStore.available)
  func `a new field adds a column, and a field that is gone leaves its column`(_ store: TestStore) async throws {
    try await TableRig.with(store) { tables in
      #expect(await load(tables, "a: string", #"[{"id":1,"a":"x"}]"#).message == "")
      #expect(await load(tables, "b: string?", #"[{"id":2,"b":"y"}]"#).message == "")
      let found = try await tables.lines("SELECT id, a, b FROM users ORDER BY id")
      #expect(found == ["1,x,-", "2,-,y"])
    }
  }

  @Test(arguments: TestStore.available)
  func `a wider type widens the column`(_ store: TestStore) async throws {
    try await TableRig.with(store) { tables in
      #expect(await load(tables, "a: integer, b: integer", #"[{"id":1,"a":9007199254740993,"b":7}]"#).message == "")
      #expect(await load(tables, "a: decimal, b: string", #"[{"id":2,"a":"1.50","b":"y"}]"#).message == "")
      let rows = try await tables.lines("SELECT id, a, b FROM users ORDER BY id")
      #expect(rows == ["1,9007199254740993,7", "2,1.50,y"])
    }
  }

  @Test(arguments: TestStore.available)
  func `a change that could lose data is an error with the statement to run`(_ store: TestStore) async throws {
    try await TableRig.with(store) { tables in
      #expect(await load(tables, "a: string", #"[{"id":1,"a":"x"}]"#).message == "")
      let run = await load(tables, "a: integer", #"[{"id":2,"a":2}]"#)
      #expect(run.message.contains("the column 'a' of the table 'users' has type"))
      #expect(run.error?.help?.contains("RENAME COLUMN \"a\" TO \"a_old\"") ?? false)
      let found = try await tables.lines("SELECT id, a FROM users")
      #expect(found == ["1,x"])
      let loads = try await tables.lines("SELECT count(*) FROM reactor_loads")
      #expect(loads == ["1"])
    }
  }

  @Test(arguments: TestStore.available, ["merge", "append"])
  func `a new field that is required is refused where rows without it stay`(
    _ store: TestStore, _ mode: String
  ) async throws {
    try await TableRig.with(store) { tables in
      #expect(await load(tables, "a: string", #"[{"id":1,"a":"x"}]"#, mode: mode).message == "")
      let run = await load(tables, "a: string, b: string", #"[{"id":2,"a":"y","b":"y"}]"#, mode: mode)
      #expect(run.message.contains("has rows without the field 'b', which the schema requires"), "\(run.message)")
      #expect(run.error?.help?.contains("optional: true") ?? false)
      let found = try await tables.lines("SELECT id, a FROM users")
      #expect(found == ["1,x"])
      // A load that replaces all rows writes the field in each of them.
      guard mode == "merge" else { return }
      #expect(await load(tables, "a: string, b: string", #"[{"id":2,"a":"y","b":"y"}]"#, mode: "replace").message == "")
    }
  }

  @Test(arguments: [
    ("integer", "5", "boolean", "true", false), ("string", "\"1\"", "json", "{}", false),
    ("string", "\"x\"", "timestamp", "\"2024-01-01T00:00:00Z\"", false),
    ("url", "\"http://a/\"", "string", "\"x\"", true),
    ("date", "\"2024-01-01\"", "string", "\"x\"", true),
  ])
  func `a type that changes within one storage class of SQLite is refused unless old values fit`(
    _ old: String, _ first: String, _ new: String, _ second: String, _ fits: Bool
  ) async throws {
    try await TableRig.with(.sqlite) { tables in
      #expect(await load(tables, "a: \(old)", "[{\"id\":1,\"a\":\(first)}]").message == "")
      let run = await load(tables, "a: \(new)", "[{\"id\":2,\"a\":\(second)}]")
      #expect(run.message.contains("changing it could lose data") != fits, "\(run.message)")
      #expect((run.message == "") == fits)
    }
  }

  @Test(arguments: [
    "CREATE INDEX ia ON users (a)", "CREATE VIEW va AS SELECT a FROM users",
    "CREATE TRIGGER ta AFTER INSERT ON users BEGIN SELECT NEW.a; END",
  ])
  func `a column of SQLite widens whatever uses it`(_ user: String) async throws {
    try await TableRig.with(.sqlite) { tables in
      #expect(await load(tables, "a: integer", #"[{"id":1,"a":7}]"#).message == "")
      try await tables.run(user)
      let run = await load(tables, "a: decimal", #"[{"id":2,"a":1.5}]"#)
      #expect(run.message == "")
      let found = try await tables.lines("SELECT id, a, typeof(a) FROM users ORDER BY id")
      #expect(found == ["1,7,text", "2,1.5,text"])
      let name = user.split(separator: " ")[2]
      let users = try await tables.lines("SELECT count(*) FROM sqlite_master WHERE name = '\(name)'")
      #expect(users == ["1"])
    }
  }

  @Test func `the key of a table of SQLite widens`() async throws {
    try await TableRig.with(.sqlite) { tables in
      let (old, new) = ("schema: { key: id, fields: { id: integer } }", "schema: { key: id, fields: { id: string } }")
      tables.rig.answer(ok(#"[{"id":1}]"#))
      #expect(await tables.rig.run(try tables.flow(old, persistence: "mode: merge"), .fresh).message == "")
      tables.rig.answer(ok(#"[{"id":"x"},{"id":"1"}]"#))
      #expect(await tables.rig.run(try tables.flow(new, persistence: "mode: merge"), .fresh).message == "")
      let found = try await tables.lines("SELECT id FROM users ORDER BY id")
      #expect(found == ["1", "x"])
    }
  }

  @Test(arguments: TestStore.available)
  func `a frozen table refuses every change`(_ store: TestStore) async throws {
    try await TableRig.with(store) { tables in
      #expect(await load(tables, "a: string", #"[{"id":1,"a":"x"}]"#, "columns: freeze").message == "")
      #expect(await load(tables, "a: string", #"[{"id":2,"a":"y"}]"#, "columns: freeze").message == "")
      let run = await load(
        tables, "a: string, b: string?", #"[{"id":3,"a":"z","b":"z"}]"#, "columns: freeze")
      #expect(run.message.contains("'columns: freeze' does not allow a load to add the column 'b'"))
      #expect(run.error?.help?.contains("ALTER TABLE") ?? false)
      let found = try await tables.lines("SELECT id FROM users ORDER BY id")
      #expect(found == ["1", "2"])
    }
  }

  @Test(arguments: TestStore.available)
  func `names that mean something else are only names`(_ store: TestStore) async throws {
    let hostile = #"a"; DROP TABLE users; --"#
    try await TableRig.with(store) { tables in
      let yaml = "'" + hostile + "'"
      let keys = """
        schema: { key: order, fields: { order: integer, user: string, \(yaml): string, "Ünï'c ode": string } }
        """
      tables.rig.answer(
        ok(#"[{"order":1,"user":"'; DROP TABLE users; --","a\"; DROP TABLE users; --":"x","Ünï'c ode":"y"}]"#))
      let flow = try tables.rig.flow(
        keys + "\npersistence: { store: db, table: \(yaml), expires_after: never }", top: tables.top())
      for _ in 0..<2 { #expect(await tables.rig.run(flow, .fresh).message == "") }
      let quoted = "\"" + hostile.replacingOccurrences(of: "\"", with: "\"\"") + "\""
      #expect(
        try await tables.lines("SELECT \"order\", \"user\", \(quoted) FROM \(quoted)") == [
          "1,'; DROP TABLE users; --,x"
        ])
      #expect(await tables.rig.run(flow).source == .persistence)
    }
  }
}
