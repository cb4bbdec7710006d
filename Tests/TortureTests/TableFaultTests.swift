import Foundation
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// T3 and T4 for tables: what a database refuses is an error with flow, table and cause, and the old rows stay.
@Suite(.serialized)
struct TableFaultTests {
  private static let item = "T3 tables"
  private static let password = "tea & biscuits"

  /// Something that an operator of PostgreSQL does, and what the run then says.
  private struct Refusal: Sendable {
    var name: String
    var breaking: String
    var fixing: String
    var words: String
    var help: String
  }

  private static let refusals = [
    Refusal(
      name: "a wrong password", breaking: "ALTER ROLE loader PASSWORD 'swapped-out'",
      fixing: "ALTER ROLE loader PASSWORD '\(password)'", words: "password authentication failed",
      help: "check the user, the password"),
    Refusal(
      name: "a missing schema", breaking: "ALTER SCHEMA tea RENAME TO elsewhere",
      fixing: "ALTER SCHEMA elsewhere RENAME TO tea", words: "schema \"tea\" does not exist",
      help: "create the schema"),
    Refusal(
      name: "a schema of somebody else", breaking: "REVOKE ALL ON SCHEMA tea FROM loader",
      fixing: "GRANT ALL ON SCHEMA tea TO loader", words: "permission denied for schema tea",
      help: "grant this user the right"),
    Refusal(
      name: "a table of somebody else",
      breaking: "ALTER TABLE tea.merged OWNER TO reactor; ALTER TABLE tea.appended OWNER TO reactor; "
        + "ALTER TABLE tea.replaced OWNER TO reactor",
      fixing: "ALTER TABLE tea.merged OWNER TO loader; ALTER TABLE tea.appended OWNER TO loader; "
        + "ALTER TABLE tea.replaced OWNER TO loader", words: "permission denied for table",
      help: "grant this user the right"),
    Refusal(
      name: "a read-only server", breaking: "ALTER ROLE loader SET default_transaction_read_only = on",
      fixing: "ALTER ROLE loader RESET default_transaction_read_only", words: "in a read-only transaction",
      help: "use the primary server"),
    Refusal(
      name: "a column of another type",
      breaking: "ALTER TABLE tea.merged ALTER n TYPE text; ALTER TABLE tea.appended ALTER n TYPE text; "
        + "ALTER TABLE tea.replaced ALTER n TYPE text",
      fixing: "ALTER TABLE tea.merged ALTER n TYPE bigint USING n::bigint; "
        + "ALTER TABLE tea.appended ALTER n TYPE bigint USING n::bigint; "
        + "ALTER TABLE tea.replaced ALTER n TYPE bigint USING n::bigint", words: "has type text",
      help: "RENAME COLUMN \"n\" TO \"n_old\""),
    Refusal(
      name: "state tables of somebody else", breaking: "ALTER TABLE tea.reactor_loads OWNER TO reactor",
      fixing: "ALTER TABLE tea.reactor_loads OWNER TO loader", words: "permission denied for table reactor_loads",
      help: "grant this user the right"),
  ]

  @Test func `what PostgreSQL refuses is an error that says how to fix it, and the rows stay`() async throws {
    guard TableStore.Kind.available.contains(.postgres) else { return }
    let server = try PostgreSQLServer(password: "owner", listensOnLoopback: true)
    let port = try #require(server.port)
    try server.sql(
      "CREATE ROLE loader LOGIN PASSWORD '\(Self.password)'; CREATE SCHEMA tea AUTHORIZATION loader; "
        + "ALTER ROLE loader SET search_path = tea; GRANT CONNECT ON DATABASE shop TO loader")
    let url = server.url(port: port, password: Self.password).replacingOccurrences(of: "//reactor:", with: "//loader:")
    let secret = ["DATABASE_URL": url]
    let bench = try await TableBench(
      .postgres(server, url: "{{ secrets.DATABASE_URL }}", schema: "tea"), head: "secrets: [DATABASE_URL]",
      environment: secret)
    bench.advance()
    #expect(try await bench.recover() == [])
    for refusal in Self.refusals {
      bench.advance()
      // Columns of another type cannot be looked at; they are again what they were before the rows are.
      try server.sql(refusal.breaking)
      let outcome = try await bench.start(["--format", "json"]).end()
      let text = try await bench.start().end()
      try server.sql(refusal.fixing)
      var wrong = Self.complaints(outcome, refusal.words)
      if !text.stderr.contains(refusal.help) { wrong.append("no help: \(text.stderr)") }
      for secret in ["biscuits", "swapped-out"] where (text.stderr + text.stdout + outcome.stdout).contains(secret) {
        wrong.append("the password is shown")
      }
      if Torture.isPlanted("t3-tables") { try server.sql("DELETE FROM tea.appended WHERE id = 7") }
      wrong += Self.unchanged(bench)
      wrong += try await bench.recover()
      #expect(wrong == [], "\(refusal.name)")
    }
    Torture.report(Self.item, "PostgreSQL: \(Self.refusals.count) refusals, each with a named error, old rows intact")
  }

  @Test func `an SQLite file that cannot be written is an error, and the rows stay`() async throws {
    guard getuid() == 0 else { return Torture.skip(Self.item, "only root can run the program as another user") }
    let bench = try await TableBench(.sqlite)
    bench.advance()
    #expect(try await bench.recover() == [])
    let user = ["/usr/bin/env", "setpriv", "--reuid=65534", "--clear-groups", "--"]
    let folder = bench.root.appendingPathComponent("out").path
    // The root belongs to the user, so that only the database is in the way.
    for (name, others) in [
      ("a file of somebody else", [bench.root.path, folder]), ("a folder of somebody else", [bench.root.path]),
    ] {
      bench.advance()
      for path in [bench.root.path, folder] { chown(path, others.contains(path) ? 65534 : 0, 0) }
      let outcome = try await bench.start(["--format", "json"], through: user).end()
      guard ![126, 127].contains(outcome.status) else {
        return Torture.skip(Self.item, "another user cannot start the program here: \(outcome.stderr)")
      }
      var wrong = Self.complaints(outcome, "readonly", "unable to open")
      wrong += Self.unchanged(bench)
      for path in [bench.root.path, folder] { chown(path, 0, 0) }
      wrong += try await bench.recover()
      #expect(wrong == [], "\(name)")
    }
    Torture.report(Self.item, "SQLite: a file and a folder of another user, old rows intact")
  }

  // MARK: - Disks

  @Test func `a full disk of an SQLite file ends flows with errors and keeps the rows`() async throws {
    let limits = stride(from: 96, through: 736, by: Torture.count(short: 160, full: 16)).map { "size=\($0)k" }
    var (failed, passed) = (0, 0)
    for limit in limits {
      guard let disk = await SmallDisk(limit) else {
        return Torture.skip("T4 tables", "neither root nor a user namespace may mount a tmpfs here")
      }
      let bench = try await TableBench(.sqlite, root: disk.root)
      // Each version needs more room than the one before, until there is no more.
      for version in 1...6 {
        bench.advance()
        let outcome = try await bench.start(["--format", "json"], root: disk.path, through: disk.wrapper).end()
        if outcome.status == 0 { passed += 1 } else { failed += 1 }
        var wrong: [String] = []
        if outcome.status != 0 {
          wrong = Self.complaints(outcome, "disk is full", "disk I/O error", "no space left", isEach: false)
        }
        wrong += bench.complaints(from: version == 1 ? nil : 0)
        #expect(wrong == [], "version \(version) on a disk of \(limit)")
        if outcome.status != 0 { break }
      }
      let hasRoom = try await disk.remount("size=64m")
      #expect(hasRoom)
      if Torture.isPlanted("t4-tables") { try Self.tear(bench) }
      #expect(try await bench.recover(root: disk.path, through: disk.wrapper) == [], "with room again after \(limit)")
    }
    Torture.report("T4 tables", "SQLite: disks of \(limits.count) sizes: \(passed) runs passed, \(failed) had no room")
  }

  @Test func `a read-only disk of an SQLite file keeps the rows`() async throws {
    guard let disk = await SmallDisk("size=16m") else {
      return Torture.skip("T4 tables", "neither root nor a user namespace may mount a tmpfs here")
    }
    let bench = try await TableBench(.sqlite, root: disk.root)
    bench.advance()
    #expect(try await bench.recover(root: disk.path, through: disk.wrapper) == [])
    bench.advance()
    try #require(try await disk.remount("ro"))
    let outcome = try await bench.start(["--format", "json"], root: disk.path, through: disk.wrapper).end()
    #expect(Self.complaints(outcome, "readonly", "unable to open") + Self.unchanged(bench) == [])
    try #require(try await disk.remount("rw"))
    #expect(try await bench.recover(root: disk.path, through: disk.wrapper) == [])
    Torture.report("T4 tables", "SQLite: a read-only disk, old rows intact")
  }

  @Test func `a full disk of PostgreSQL ends flows with errors and keeps the rows`() async throws {
    guard TableStore.Kind.available.contains(.postgres) else { return }
    guard let owner = PostgreSQLServer.owner else {
      return Torture.skip("T4 tables", "only root can give a disk to the server")
    }
    var (failed, passed) = (0, 0)
    let sizes = Array(stride(from: 256, through: 1280, by: Torture.count(short: 512, full: 64)))
    for size in sizes {
      guard let disk = await SmallDisk("size=\(size)k,uid=\(owner.user),gid=\(owner.group),mode=700") else {
        return Torture.skip("T4 tables", "nothing may be mounted here")
      }
      let server = try PostgreSQLServer(through: disk.wrapper)
      try server.sql("CREATE TABLESPACE small LOCATION '\(disk.path)'")
      try server.sql("ALTER DATABASE shop SET default_tablespace = small")
      let bench = try await TableBench(.postgres(server))
      for version in 1...8 {
        bench.advance()
        let outcome = try await bench.start(["--format", "json"]).end()
        if outcome.status == 0 { passed += 1 } else { failed += 1 }
        var wrong = outcome.status == 0 ? [] : Self.complaints(outcome, "No space left on device", isEach: false)
        wrong += bench.complaints(from: version == 1 ? nil : 0)
        #expect(wrong == [], "version \(version) on a disk of \(size) KiB")
        if outcome.status != 0 { break }
      }
      let hasRoom = try await disk.remount("size=64m")
      #expect(hasRoom)
      if Torture.isPlanted("t4-tables") {
        try bench.store.tamper("DELETE FROM appended WHERE id = 7", below: bench.root)
      }
      #expect(try await bench.recover() == [], "with room again after \(size) KiB")
    }
    Torture.report(
      "T4 tables", "PostgreSQL: disks of \(sizes.count) sizes: \(passed) runs passed, \(failed) had no room")
  }

  // MARK: -

  /// What is wrong with the report of a run in which a flow failed: each names its table and the cause.
  ///
  /// - Parameters:
  ///   - words: what each error says: one of them
  ///   - isEach: whether each flow must fail
  private static func complaints(
    _ outcome: Program.Outcome, _ words: String..., isEach: Bool = true
  ) -> [String] {
    guard let summary = try? Summary(parsing: outcome.stdout) else {
      return ["no summary, status \(outcome.status): \(outcome.stderr)"]
    }
    var wrong: [String] = []
    if outcome.status != 74 { wrong.append("exit \(outcome.status)") }
    let tables = ["merge": "merged", "append": "appended", "replace": "replaced"]
    for flow in summary.flows where flow.status != "passed" {
      let message = flow.error?.message ?? ""
      let table = tables[String(flow.name)] ?? ""
      let isNamed = flow.error?.path == "db:\(table)" && message.contains("'\(table)'")
      // Rows that wait for the end of the pull are in a file of their own.
      let isStaged = message.hasPrefix("cannot store records in a temporary file")
      if flow.error?.kind != "persistence" || !isNamed && !isStaged {
        wrong.append("\(flow.id) does not name its table: \(message), \(flow.error?.path ?? "no path")")
      }
      if !words.contains(where: message.contains) { wrong.append("\(flow.id) does not say \(words): \(message)") }
    }
    if isEach, summary.flows.contains(where: { $0.status == "passed" }) { wrong.append("a flow passed") }
    return wrong
  }

  /// What a program that writes in place would leave: a file without its end.
  private static func tear(_ bench: TableBench) throws {
    let file = try FileHandle(forWritingTo: bench.root.appendingPathComponent(TableStore.file))
    try file.truncate(atOffset: try file.seekToEnd() / 2)
    try file.close()
  }

  /// What has changed although every flow failed.
  private static func unchanged(_ bench: TableBench) -> [String] {
    bench.complaints(from: bench.version - 1) + (bench.renewed() == 0 ? [] : ["a table is new"])
  }
}
