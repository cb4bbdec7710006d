import FlowCompiler
import FlowRuntime
import FlowTesting
import ReactorCore
import SourceDiagnostics
import Testing
import TestSupport

/// What is known of a table before anything runs.
@Suite struct TableCheckTests {
  private static let long = String(repeating: "n", count: 64)

  private static let rows: [(fields: String, table: String, more: String, message: String)] = [
    (
      "id: integer, \(long): string", "users", "",
      "the column '\(long)' has 64 bytes in its name, and PostgreSQL allows 63"
    ),
    ("id: integer", long, "", "the table '\(long)' has 64 bytes in its name, and PostgreSQL allows 63"),
    (
      "id: integer, xmin: string", "users", "",
      "the column 'xmin' is reserved: PostgreSQL and reactor use it themselves"
    ),
    (
      "id: integer, reactor_load: string", "users", "",
      "the column 'reactor_load' is reserved: PostgreSQL and reactor use it themselves"
    ),
    ("id: integer, a: string, A: string", "users", "", "the columns 'a' and 'A' differ only in case"),
    (
      "id: integer?", "users", "", "the key 'id' may be missing, so it cannot identify records"
    ),
  ]

  @Test(arguments: rows.indices)
  func `what a database cannot hold is an error before anything runs`(_ number: Int) async throws {
    let row = Self.rows[number]
    try await Rig.with { rig in
      let text = """
        reactor: 1
        stores: { db: { postgres: "postgresql:///shop" } }
        http: { base_url: http://127.0.0.1:9 }
        flows:
          users:
            \(row.more.isEmpty ? "resource: /users" : String(row.more.dropFirst(5)))
            schema: { key: id, fields: { \(row.fields) } }
            persistence: { store: db, table: \(row.table) }
        """
      let compilation = rig.compile(text)
      #expect(compilation.diagnostics.diagnostics.map(\.message) == [row.message])
      #expect(compilation.diagnostics.diagnostics.allSatisfy { $0.help != nil })
    }
  }

  @Test(arguments: [
    ("", 1601, "the table has 1601 columns, and PostgreSQL allows 1600"),
    (", mode: append", 1600, "the table has 1600 columns and 1 of reactor's own, and PostgreSQL allows 1600"),
    (
      ", mode: merge, delete_when: \"source.gone == true\"", 1600,
      "the table has 1600 columns and 1 of reactor's own, and PostgreSQL allows 1600"
    ), (", mode: merge", 1600, ""),
  ])
  func `a table of too many columns is an error`(_ keys: String, _ count: Int, _ message: String) async throws {
    try await Rig.with { rig in
      let fields = (1...count).map { "f\($0): string" }.joined(separator: ", ")
      let compilation = rig.compile(
        """
        reactor: 1
        stores: { db: { postgres: "postgresql:///shop" } }
        http: { base_url: http://127.0.0.1:9 }
        flows:
          users:
            resource: /users
            schema: { key: f1, fields: { \(fields) } }
            persistence: { store: db, table: users\(keys) }
        """)
      #expect(compilation.diagnostics.diagnostics.map(\.message) == (message.isEmpty ? [] : [message]))
    }
  }

  @Test func `two flows cannot load one table, whatever their stores are called`() async throws {
    try await Rig.with { rig in
      let compilation = rig.compile(
        """
        reactor: 1
        vars: { name: Users }
        stores: { a: { sqlite: x/../shop.db }, b: { sqlite: shop.db } }
        http: { base_url: http://127.0.0.1:9 }
        flows:
          one: { resource: /1, schema: { fields: { id: integer } }, persistence: { store: a, table: users } }
          two: { resource: /2, schema: { fields: { id: integer } }, persistence: { store: b, table: "{{ vars.name }}" } }
        """)
      #expect(
        compilation.diagnostics.diagnostics.map(\.message) == [
          "flows 'shop.one' and 'shop.two' write the same table 'Users'"
        ])
      #expect(compilation.flows.map(\.id) == ["shop.one"])
    }
  }
}
