import Databases
import FlowCompiler
import FlowRuntime
import FlowTesting
import Foundation
import ReactorCore
import Testing
import TestSupport

/// The databases that flows of a test load into.
enum TestStore: String, CaseIterable, Sendable {
  case sqlite, postgres

  /// All that this machine has.
  static var available: [TestStore] {
    let hasServer = (try? PostgreSQLServer.isAvailable(for: "loads into PostgreSQL")) ?? true
    return hasServer ? allCases : [.sqlite]
  }
}

/// A rig whose flows load into an empty database; the server of PostgreSQL is that of all tests.
final class TableRig: Sendable {
  let rig: Rig
  let store: TestStore
  private let schema = "t" + UUID().uuidString.replacingOccurrences(of: "-", with: "").lowercased()
  private let session: any SQLSession
  private let url: String

  private static let server = Result { try PostgreSQLServer() }

  /// The URL of PostgreSQL's server.
  static func serverURL() throws -> String { try server.get().url }

  static func with(
    _ store: TestStore, _ steps: [ScriptedServer.Step] = ok("[]"), through url: String? = nil,
    _ body: (TableRig) async throws -> Void
  ) async throws {
    try await Rig.with(steps) { rig in
      let tables = try await TableRig(rig, store, through: url)
      try await body(tables)
      await tables.session.close()
    }
  }

  private init(_ rig: Rig, _ store: TestStore, through url: String?) async throws {
    self.rig = rig
    self.store = store
    switch store {
    case .sqlite:
      self.url = ""
      session = try await SQLiteSession.open(rig.scratch.path("shop.db"), lockTimeout: 5000)
    case .postgres:
      let server = try Self.server.get()
      self.url = url ?? server.url
      session = try await PostgreSQLSession.open(server.url)
      try await session.run("CREATE SCHEMA \(schema)")
      try await session.run("SET search_path TO \(schema)")
    }
  }

  /// The declaration of the store `db`, with further keys.
  func top(_ keys: String = "") -> String {
    let more = keys.isEmpty ? "" : ", \(keys)"
    return switch store {
    case .sqlite: "stores: { db: { sqlite: shop.db\(more) } }"
    case .postgres: "stores: { db: { postgres: \"\(url)\", schema: \(schema)\(more) } }"
    }
  }

  /// The flow `users` that loads into the table `users`.
  func flow(
    _ keys: String = "", persistence: String = "", store: String = "", inputs: FlowCompiler.Inputs = .init()
  ) throws -> DeclaredFlow {
    let more = persistence.isEmpty ? "" : ", \(persistence)"
    let place = "persistence: { store: db, table: users\(more) }"
    return try rig.flow(keys.isEmpty ? place : keys + "\n" + place, top: top(store), inputs: inputs)
  }

  /// The rows of a query, as texts; null is `-`.
  func rows(_ sql: String) async throws -> [[String]] { try await session.run(sql).map { $0.map { $0 ?? "-" } } }

  /// The rows of a query, with commas between the values.
  func lines(_ sql: String) async throws -> [String] { try await rows(sql).map { $0.joined(separator: ",") } }

  /// Runs statements that return nothing of interest.
  func run(_ statements: String...) async throws {
    for statement in statements { _ = try await session.run(statement) }
  }
}
