import Databases
import FlowCompiler
import FlowRuntime
import FlowSpec
import FlowTesting
import Foundation
import ReactorCore
import SourceDiagnostics
import Synchronization
import Testing
import TestSupport

/// Loads that are disturbed: they are stored as a whole or not at all.
@Suite(.serialized, .timeLimit(.minutes(3))) struct TableSafetyTests {
  private static let schema = "schema: { key: id, fields: { id: integer, name: string } }"

  private static func body(_ ids: some Sequence<Int>, _ name: String) -> String {
    "[" + ids.map { #"{"id":\#($0),"name":"\#(name)"}"# }.joined(separator: ",") + "]"
  }

  // MARK: - Readers

  @Test(arguments: TestStore.available, ["replace", "merge"])
  func `a reader sees the old rows or the new ones, whole`(_ store: TestStore, _ mode: String) async throws {
    try await TableRig.with(store) { tables in
      let flow = try tables.flow(Self.schema, persistence: "mode: \(mode)")
      tables.rig.answer(ok(Self.body(1...2000, "old")))
      #expect(await tables.rig.run(flow, .fresh).message == "")
      try await tables.run(
        "CREATE VIEW names AS SELECT name, count(*) AS many FROM users GROUP BY name",
        "CREATE INDEX byname ON users (name)")
      if store == .postgres { try await tables.run("GRANT SELECT ON users TO PUBLIC") }
      let isOver = Mutex(false)
      async let seen = Self.looks(tables, until: isOver)
      for round in 0..<20 {
        tables.rig.answer(ok(Self.body(1...2000, "n\(round)")))
        #expect(await tables.rig.run(flow, .fresh).message == "")
      }
      isOver.withLock { $0 = true }
      let looks = try await seen
      #expect(looks.count > 20)
      // One name, 2,000 times: never none, never two.
      #expect(looks.allSatisfy { $0.count == 1 && $0[0].hasSuffix(",2000") })
      let indices =
        store == .postgres
        ? try await tables.lines(
          "SELECT indexname FROM pg_indexes WHERE tablename = 'users' AND schemaname = current_schema() ORDER BY 1")
        : try await tables.lines("SELECT name FROM sqlite_schema WHERE type = 'index' AND name = 'byname'")
      #expect(indices.contains("byname"))
      if store == .postgres {
        let grants = "SELECT has_table_privilege('public', current_schema() || '.users', 'SELECT')"
        #expect(try await tables.lines(grants) == ["t"])
      }
    }
  }

  private static func looks(_ tables: TableRig, until isOver: borrowing Mutex<Bool>) async throws -> [[String]] {
    var looks: [[String]] = []
    while !isOver.withLock({ $0 }) {
      looks.append(try await tables.lines("SELECT name, many FROM names"))
      await Task.yield()
    }
    return looks
  }

  // MARK: - Lost connections

  private static let triggers: [(name: String, trigger: CuttingProxy.Trigger)] = [
    ("before COMMIT", .before("COMMIT")), ("in COMMIT", .during("COMMIT")), ("after COMMIT", .after("COMMIT")),
    ("before COPY", .before("COPY")), ("in COPY", .before("PGCOPY")), ("in the stamp", .during("INSERT INTO \"")),
    ("at BEGIN", .before("BEGIN")), ("at the lock", .during("pg_advisory_xact_lock")),
  ]

  @Test(arguments: triggers.indices, ["append", "merge", "replace"])
  func `a lost connection loses nothing and doubles nothing`(_ number: Int, _ mode: String) async throws {
    guard try PostgreSQLServer.isAvailable(for: "lost connections to PostgreSQL") else { return }
    let server = try PostgreSQLServer(listensOnLoopback: true)
    let proxy = try CuttingProxy(to: server)
    try await Rig.with { rig in
      let top = "stores: { db: { postgres: \"\(proxy.url)\" } }"
      let flow = try rig.flow(
        Self.schema + "\npersistence: { store: db, table: users, mode: \(mode) }", top: top)
      rig.answer(ok(Self.body(1...3, "a")))
      #expect(await rig.run(flow, .fresh).message == "")
      proxy.cut(Self.triggers[number].trigger)
      rig.answer(ok(Self.body(4...6, "b")))
      let run = await rig.run(flow, .fresh)
      #expect(run.message == "", "\(Self.triggers[number].name)")
      // A connection that is lost after the response is noticed by the next run; the proxy may cut it after the run.
      let latest = ContinuousClock.now + .seconds(20)
      while proxy.cuts == 0, ContinuousClock.now < latest { try await Task.sleep(for: .milliseconds(5)) }
      #expect(proxy.cuts == 1)
      let ids = try server.sql("SELECT string_agg(id::text, ',' ORDER BY id) FROM users")
      #expect(ids == (mode == "replace" ? "4,5,6" : "1,2,3,4,5,6"))
      #expect(try server.sql("SELECT count(*) FROM reactor_loads") == "2")
      #expect(await rig.run(flow, .fresh).message == "")
    }
  }

  @Test func `a server that is down is an error, and the load succeeds when it is back`() async throws {
    guard try PostgreSQLServer.isAvailable(for: "a server of PostgreSQL that is down") else { return }
    let server = try PostgreSQLServer(isDurable: true)
    try await Rig.with { rig in
      let flow = try rig.flow(
        Self.schema + "\npersistence: { store: db, table: users }",
        top: "stores: { db: { postgres: \"\(server.url)\" } }")
      rig.answer(ok(Self.body(1...3, "a")))
      #expect(await rig.run(flow, .fresh).message == "")
      server.kill()
      let run = await rig.run(flow, .fresh)
      #expect(run.message.contains("the table 'users' of 'db' cannot be used") && run.error?.help != nil)
      try server.restart()
      #expect(try server.sql("SELECT count(*) FROM users") == "3")
      #expect(await rig.run(flow, .fresh).message == "")
    }
  }

  // MARK: - Refusals

  @Test func `a wrong password is an error without the password`() async throws {
    guard try PostgreSQLServer.isAvailable(for: "a wrong password of PostgreSQL") else { return }
    let server = try PostgreSQLServer(password: "tea-and-biscuits", listensOnLoopback: true)
    let port = try #require(server.port)
    try await Rig.with { rig in
      let secret = server.url(port: port, password: "wrong-password")
      var inputs = FlowCompiler.Inputs()
      inputs.secrets = ["DATABASE_URL": Secret(secret)]
      let flow = try rig.flow(
        Self.schema + "\npersistence: { store: db, table: users }",
        top: "secrets: [DATABASE_URL]\nstores: { db: { postgres: \"{{ secrets.DATABASE_URL }}\" } }", inputs: inputs)
      let run = await rig.run(flow, .fresh)
      #expect(run.message.contains("password authentication failed"))
      #expect(run.error?.help?.contains("check the user, the password") ?? false)
      #expect(!"\(run)".contains("wrong-password"))
      #expect(rig.server.requests.isEmpty)
    }
  }

  private static let refusals: [(sql: String, url: String, keys: String, words: String, help: String)] = [
    ("", "", ", schema: nowhere", "schema \"nowhere\" does not exist", "create the schema"),
    (
      "CREATE ROLE guest LOGIN; CREATE SCHEMA closed", "guest", ", schema: closed",
      "permission denied for schema closed", "grant this user the right"
    ),
    (
      "", "", ", schema: public, lock_timeout: 200ms", "canceling statement due to lock timeout",
      "another transaction holds a lock"
    ),
  ]

  @Test(arguments: refusals.indices)
  func `what the server refuses is an error that says how to fix it`(_ number: Int) async throws {
    guard try PostgreSQLServer.isAvailable(for: "refusals of PostgreSQL") else { return }
    let row = Self.refusals[number]
    let server = try PostgreSQLServer()
    if !row.sql.isEmpty { try server.sql(row.sql) }
    let url =
      row.url.isEmpty ? server.url : server.url.replacingOccurrences(of: "user=reactor", with: "user=\(row.url)")
    try await Rig.with(ok(Self.body(1...3, "a"))) { rig in
      let flow = try rig.flow(
        Self.schema + "\npersistence: { store: db, table: users }",
        top: "stores: { db: { postgres: \"\(url)\"\(row.keys) } }")
      var holder: PostgreSQLSession?
      if row.keys.contains("lock_timeout") {
        #expect(await rig.run(flow, .fresh).message == "")
        holder = try await PostgreSQLSession.open(server.url)
        try await holder?.run("BEGIN")
        try await holder?.run("LOCK TABLE users IN ACCESS EXCLUSIVE MODE")
      }
      let run = await rig.run(flow, .fresh)
      #expect(run.message.contains(row.words), "\(run.message)")
      #expect(run.error?.help?.contains(row.help) ?? false)
      await holder?.close()
    }
  }

  @Test func `a file that cannot be written is an error, and stays as it is`() async throws {
    try await TableRig.with(.sqlite, ok(Self.body(1...3, "a"))) { tables in
      let flow = try tables.flow(Self.schema, store: "lock_timeout: 100ms")
      #expect(await tables.rig.run(flow, .fresh).message == "")
      try await tables.run("BEGIN IMMEDIATE")
      let locked = await tables.rig.run(flow, .fresh)
      #expect(locked.message.contains("database is locked") && locked.error?.help != nil)
      try await tables.run("ROLLBACK")
      #expect(try await tables.lines("SELECT count(*) FROM users") == ["3"])
      #expect(try await tables.lines("PRAGMA integrity_check") == ["ok"])
    }
    try await Rig.with(ok(Self.body(1...3, "a"))) { rig in
      try rig.scratch.write(Array("no database".utf8) + Array(repeating: 7, count: 4096), to: "shop.db")
      let flow = try rig.flow(
        Self.schema + "\npersistence: { store: db, table: users }", top: "stores: { db: { sqlite: shop.db } }")
      let run = await rig.run(flow, .fresh)
      #expect(run.message.contains("is not a database"))
      #expect(rig.scratch.text("shop.db")?.hasPrefix("no database") ?? false)
    }
  }

  @Test func `a symbolic link is not followed`() async throws {
    try await Rig.with(ok(Self.body(1...3, "a"))) { rig in
      try FileManager.default.createSymbolicLink(
        atPath: rig.scratch.path("shop.db"), withDestinationPath: rig.scratch.path("elsewhere.db"))
      let flow = try rig.flow(
        Self.schema + "\npersistence: { store: db, table: users }", top: "stores: { db: { sqlite: shop.db } }")
      #expect(await rig.run(flow, .fresh).error?.kind == .persistence)
      #expect(!rig.scratch.names().contains("elsewhere.db"))
    }
  }

  // MARK: - Many at once

  @Test(arguments: TestStore.available)
  func `flows that load one database at once all load`(_ store: TestStore) async throws {
    try await TableRig.with(store) { tables in
      tables.rig.answer { request in ok(Self.body(1...50, String(request.target.dropFirst()))) }
      let flows = (0..<12).map { number in
        "  f\(number): { resource: /f\(number), \(Self.schema), persistence: { store: db, table: t\(number) } }"
      }.joined(separator: "\n")
      let compilation = tables.rig.compile(
        "reactor: 1\n\(tables.top())\nhttp: { base_url: \"\(tables.rig.server.url)\" }\nflows:\n\(flows)\n")
      #expect(compilation.diagnostics.diagnostics.map(\.message) == [])
      let messages = await withTaskGroup(of: String.self) { group in
        for flow in compilation.flows { group.addTask { await tables.rig.run(flow, .fresh).message } }
        return await group.reduce(into: []) { $0.append($1) }
      }
      #expect(messages == Array(repeating: "", count: 12))
      for number in 0..<12 {
        let names = try await tables.lines("SELECT DISTINCT name FROM t\(number)")
        #expect(names == ["f\(number)"])
      }
    }
  }
}
