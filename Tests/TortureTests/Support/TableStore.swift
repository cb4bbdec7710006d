import CSQLite
import Foundation
import TestSupport

/// A database that flows load into, read by the database's own client and not by the program.
struct TableStore {
  enum Kind: String, CaseIterable, Sendable {
    case sqlite
    case postgres

    /// All that this machine has.
    static var available: [Kind] {
      let hasServer = (try? PostgreSQLServer.isAvailable(for: "torture of loads into PostgreSQL")) ?? true
      return hasServer ? allCases : [.sqlite]
    }
  }

  /// The file of an SQLite database, below the output root.
  static let file = "out/shop.db"

  let kind: Kind
  /// Nil for SQLite.
  let server: PostgreSQLServer?
  /// The connection URI that flows use; empty for SQLite.
  let url: String
  /// The schema of the tables.
  var schema = "public"

  /// An SQLite file.
  static let sqlite = TableStore(kind: .sqlite, server: nil, url: "")

  /// A database of a server, reached over its socket unless a URI is given.
  static func postgres(_ server: PostgreSQLServer, url: String? = nil, schema: String = "public") -> TableStore {
    TableStore(kind: .postgres, server: server, url: url ?? server.url, schema: schema)
  }

  /// A new one.
  static func make(_ kind: Kind) throws -> TableStore {
    switch kind {
    case .sqlite: .sqlite
    case .postgres: .postgres(try PostgreSQLServer())
    }
  }

  /// The declaration of the store `db`.
  var declaration: String {
    switch kind {
    case .sqlite: "stores: { db: { sqlite: \(Self.file) } }"
    case .postgres: "stores: { db: { postgres: \"\(url)\", schema: \(schema) } }"
    }
  }

  struct Failure: Error, CustomStringConvertible {
    let description: String
  }

  /// The one line of each query, all of one moment, with `|` between the values.
  ///
  /// A copy of an SQLite file is read, with its write-ahead log: so nothing is repaired before the program sees it.
  func lines(_ queries: [String], below root: URL) throws -> [String] {
    switch kind {
    case .postgres:
      let text = queries.map { "\($0);\n" }.joined()
      let lines = try server?.sql(
        "SET search_path TO \(schema);\nBEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;\n\(text)COMMIT;\n")
      return (lines ?? "").split(separator: "\n").map(String.init)
    case .sqlite:
      let folder = try Workspace.makeFolder("copy")
      defer { try? FileManager.default.removeItem(at: folder) }
      for suffix in ["", "-wal"] {
        guard let data = try? Data(contentsOf: root.appendingPathComponent(Self.file + suffix)) else { continue }
        try data.write(to: folder.appendingPathComponent("shop.db" + suffix))
      }
      let path = folder.appendingPathComponent("shop.db").path
      let check = try Self.run("PRAGMA integrity_check", in: path)
      guard check == ["ok"] else { throw Failure(description: "the file is damaged: \(check)") }
      return try queries.flatMap { try Self.run($0, in: path) }
    }
  }

  /// The names of all tables.
  func tables(below root: URL) throws -> Set<String> {
    switch kind {
    case .postgres: Set(try lines(["SELECT tablename FROM pg_tables WHERE schemaname = '\(schema)'"], below: root))
    case .sqlite: Set(try lines(["SELECT name FROM sqlite_schema WHERE type = 'table'"], below: root))
    }
  }

  /// Changes the database behind the program's back.
  func tamper(_ statement: String, below root: URL) throws {
    switch kind {
    case .postgres: try server?.sql("SET search_path TO \(schema);\n\(statement);")
    case .sqlite: _ = try Self.run(statement, in: root.appendingPathComponent(Self.file).path)
    }
  }

  private static func run(_ statement: String, in path: String) throws -> [String] {
    var database: OpaquePointer?
    defer { sqlite3_close_v2(database) }
    var prepared: OpaquePointer?
    func failure() -> Failure { Failure(description: String(cString: sqlite3_errmsg(database))) }
    guard sqlite3_open(path, &database) == SQLITE_OK,
      sqlite3_prepare_v2(database, statement, -1, &prepared, nil) == SQLITE_OK
    else { throw failure() }
    defer { sqlite3_finalize(prepared) }
    var lines: [String] = []
    while true {
      switch sqlite3_step(prepared) {
      case SQLITE_DONE: return lines
      case SQLITE_ROW:
        let values = (0..<sqlite3_column_count(prepared)).map { column in
          sqlite3_column_text(prepared, column).map { String(cString: $0) } ?? ""
        }
        lines.append(values.joined(separator: "|"))
      default: throw failure()
      }
    }
  }
}
