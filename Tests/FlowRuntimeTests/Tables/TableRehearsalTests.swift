import FlowCompiler
import FlowRuntime
import FlowTesting
import Foundation
import ReactorCore
import Testing
import TestSupport

/// `reactor check --connect`: would the database accept the loads and queries?
@Suite struct TableRehearsalTests {
  private static let schema = "schema: { key: id, fields: { id: integer, name: string? } }"

  private static func failures(_ flow: DeclaredFlow) async -> [String] {
    await flow.rehearse().map { "\($0.part): \($0.failure?.message ?? "fits")" }
  }

  @Test(arguments: TestStore.available, ["replace", "merge", "append"])
  func `a load that fits changes nothing`(_ store: TestStore, _ mode: String) async throws {
    try await TableRig.with(store, ok(#"[{"id":1,"name":"A"}]"#)) { tables in
      let keys = Self.schema + "\nrejected: { store: db, table: bad }"
      let flow = try tables.flow(keys, persistence: "mode: \(mode)")
      #expect(await Self.failures(flow) == ["result: fits", "rejected: fits"])
      await #expect(throws: (any Error).self) { try await tables.run("SELECT 1 FROM users") }
      #expect(await tables.rig.run(flow).message == "")
      #expect(await Self.failures(flow) == ["result: fits", "rejected: fits"])
      #expect(try await tables.lines("SELECT id, name FROM users") == ["1,A"])
      #expect(try await tables.lines("SELECT count(*) FROM reactor_loads WHERE name = 'users'") == ["1"])
      // A new column would be added, and is not.
      let wider = try tables.flow(
        "schema: { key: id, fields: { id: integer, city: string? } }",
        persistence: "mode: \(mode)")
      #expect(await Self.failures(wider) == ["result: fits"])
      await #expect(throws: (any Error).self) { try await tables.run("SELECT city FROM users") }
    }
  }

  @Test(arguments: TestStore.available)
  func `what would fail is said before a server is asked`(_ store: TestStore) async throws {
    try await TableRig.with(store) { tables in
      try await tables.run("CREATE TABLE users (id text PRIMARY KEY, name text)")
      let flow = try tables.flow(Self.schema)
      let failures = await Self.failures(flow)
      #expect(
        failures.count == 1 && failures[0].contains("the column 'id' of the table 'users' has type"), "\(failures)")
      let child = try tables.rig.flow(
        """
        each:
          - { store: db, table: nobody, as: a }
          - { store: db, query: "select id from users;", as: b }
          - { store: db, query: "select nothing from users", as: c }
        resource: "/{{ a.id }}/{{ b.id }}/{{ c.id }}"
        """, top: tables.top())
      let parts = await child.rehearse()
      #expect(parts.map(\.part) == [.parent(0), .parent(1), .parent(2)])
      #expect(parts[0].failure?.message.contains("nobody") ?? false)
      #expect(parts[1].failure == nil, "\(parts[1].failure?.message ?? "")")
      #expect(parts[2].failure?.message.contains("nothing") ?? false)
      #expect(tables.rig.server.requests.isEmpty)
    }
  }

  @Test func `a missing right and a missing schema are found`() async throws {
    guard TestStore.available.contains(.postgres) else { return }
    try await TableRig.with(.postgres, ok(#"[{"id":1,"name":"A"}]"#)) { tables in
      let flow = try tables.flow(Self.schema)
      #expect(await tables.rig.run(flow).message == "")
      let other = try tables.rig.flow(
        Self.schema + "\npersistence: { store: db, table: users }",
        top: tables.top().replacingOccurrences(of: "schema: t", with: "schema: u"))
      let failures = await Self.failures(other)
      #expect(failures.count == 1 && failures[0].contains("schema"), "\(failures)")
    }
  }
}
