import Databases
import FieldTypes
import FlowRuntime
import FlowTesting
import Foundation
import JSONSyntax
import ReactorCore
import ReactorTesting
import Records
import Testing
import TestSupport

/// Results of Swift programs in tables.
@Suite(.timeLimit(.minutes(1))) struct InTablePersistenceTests {
  /// A model of a program's own.
  private struct User: Mappable, Equatable {
    var id: Int64
    var name: String?

    static func mapToModel(_ json: JSONValue) throws(MappedError) -> User {
      User(id: try json.integerField("id"), name: json["name"]?.string)
    }

    func mapToJSON() -> JSONValue? {
      JSONValue.object(
        JSONObject([
          .init(name: "id", value: .number(JSONNumber(id))),
          .init(name: "name", value: name.map { .string($0) } ?? .null),
        ]))
    }
  }

  private static let schema = RecordSchema(
    name: "user",
    fields: [FieldMapping("id", .plain(.integer)), FieldMapping("name", .plain(.string), missing: .optional)],
    key: ["id"])
  private static let resource = Resource(path: "/users", method: .GET)
  private static let server = Result { try PostgreSQLServer() }

  /// A database without a table. It ends with the workspace, or it is a schema of its own.
  private static func database(_ store: TestStore, _ folder: URL) throws -> Database {
    let name = "t" + UUID().uuidString.replacingOccurrences(of: "-", with: "").lowercased()
    switch store {
    case .sqlite:
      return .sqlite(at: folder.appendingPathComponent("\(name).db").path, isDurable: false)
    case .postgres:
      let server = try server.get()
      try server.sql("CREATE SCHEMA \(name)")
      return .postgreSQL(server.url, schema: name, connections: 2)
    }
  }

  private static func records(_ lines: String, count: Int) -> RecordSet {
    RecordSet(schema: schema, count: count, format: .jsonLines, content: .memory(Array(lines.utf8)))
  }

  @Test func `a database that cannot be opened, and a name that is no table's, are found before the request`()
    async throws
  {
    let workspace = try Workspace()
    let places = [
      (workspace.folder.appendingPathComponent("none/shop.db").path, "users"),
      (workspace.folder.appendingPathComponent("shop.db").path, "reactor_tables"),
    ]
    for (path, table) in places {
      let flow = ReactorFlow<[User]>(network: { _ in
        Issue.record("requests")
        return []
      }).persisting(
        in: InTablePersistence(
          in: .sqlite(at: path), table: table, schema: Self.schema, parser: .array(of: ModelMapping<User>())))
      let error = await #expect(throws: ReactorError.self) { try await Reactor(flow: flow).fetch(Self.resource) }
      #expect(error?.kind == .persistence)
    }
  }

  @Test(arguments: TestStore.available)
  func `models in a table keep the contract`(_ store: TestStore) async throws {
    let workspace = try Workspace()
    let clock = ManualClock()
    let contract = PersistenceContract(
      models: ([User(id: 1, name: "Ada"), User(id: 2, name: nil)], [User(id: 2, name: "é\"")]),
      expiry: .init(lifetime: .seconds(60)) { clock.advance(by: $0) },
      make: { [folder = workspace.folder] in
        InTablePersistence(
          in: try Self.database(store, folder), table: "users", schema: Self.schema,
          parser: .array(of: ModelMapping<User>()), expiresAfter: .seconds(60), wallClock: clock.wallClock)
      }, isSame: ==)
    #expect(await contract.violations() == [])
  }

  @Test(arguments: TestStore.available)
  func `sets of records in a table keep the contract`(_ store: TestStore) async throws {
    let workspace = try Workspace()
    let contract = PersistenceContract(
      models: (
        Self.records("{\"id\":1,\"name\":\"Ada\"}\n{\"id\":2,\"name\":null}\n", count: 2),
        Self.records("{\"id\":3,\"name\":\"Bo\"}\n", count: 1)
      ),
      make: { [folder = workspace.folder] in
        InTablePersistence(in: try Self.database(store, folder), table: "users", schema: Self.schema)
      }, isSame: { try await $0.values() == $1.values() })
    #expect(await contract.violations() == [])
  }

  @Test(arguments: TestStore.available)
  func `a result belongs to its scope and its schema, and the history names it`(_ store: TestStore) async throws {
    let workspace = try Workspace()
    let database = try Self.database(store, workspace.folder)
    func users(_ scope: String, _ schema: RecordSchema = Self.schema) -> InTablePersistence<RecordSet> {
      InTablePersistence(in: database, table: "users", schema: schema, scope: scope)
    }
    let one = Self.records("{\"id\":1,\"name\":\"Ada\"}\n", count: 1)
    let saved = try await users("https://a").save(one, for: Self.resource)
    #expect(saved.count == 1)
    #expect(try await saved.values().first?["name"]?.string == "Ada")
    // The saved set is read from the table, and not after a later save.
    _ = try await users("https://a").save(Self.records("{\"id\":2,\"name\":\"Bo\"}\n", count: 1), for: Self.resource)
    let error = await #expect(throws: ReactorError.self) { try await saved.values() }
    #expect(error?.message == "\(database.name):users was replaced since its records were fetched")
    guard case .miss(.otherResource) = try await users("https://b").load(for: Self.resource) else {
      Issue.record("another scope was served")
      return
    }
    var wider = Self.schema
    wider.fields.append(FieldMapping("age", .plain(.integer), missing: .optional))
    guard case .miss(.schemaChanged) = try await users("https://a", wider).load(for: Self.resource) else {
      Issue.record("another schema was served")
      return
    }
    #expect(try await database.stamp(of: "users")?.flow == "swift.users")
    await database.close()
  }

  @Test(arguments: TestStore.available)
  func `many records are stored and read in pieces`(_ store: TestStore) async throws {
    let workspace = try Workspace()
    let count = 20_000
    let lines = (1...count).map { "{\"id\":\($0),\"name\":\"user \($0) \(String(repeating: "x", count: 40))\"}\n" }
    let users = InTablePersistence(in: try Self.database(store, workspace.folder), table: "users", schema: Self.schema)
    let saved = try await users.save(Self.records(lines.joined(), count: count), for: Self.resource)
    #expect(saved.count == count)
    var ids: [Int64] = []
    for try await record in saved.records { ids.append(try record.integer("id")) }
    #expect(ids == (1...Int64(count)).map { $0 })
  }

  @Test(arguments: TestStore.available)
  func `what cannot be stored is an error, and the table stays`(_ store: TestStore) async throws {
    let workspace = try Workspace()
    let database = try Self.database(store, workspace.folder)
    let users = InTablePersistence(in: database, table: "users", schema: Self.schema)
    _ = try await users.save(Self.records("{\"id\":1,\"name\":\"Ada\"}\n", count: 1), for: Self.resource)
    let error = await #expect(throws: ReactorError.self) {
      try await users.save(
        Self.records("{\"id\":2,\"name\":\"Bo\"}\n{\"id\":\"x\",\"name\":\"C\"}\n", count: 2), for: Self.resource)
    }
    #expect(error?.kind == .parser && error?.recordIndex == 1, "\(error?.description ?? "")")
    #expect(try await users.save(Self.records("", count: 0), for: Resource(path: "/other", method: .GET)).count == 0)
    for (table, schema, words) in [
      ("reactor_loads", Self.schema, "the name 'reactor_loads' is reserved"),
      ("users", RecordSchema.wholeRecords, "has no fields"),
    ] {
      let refused = InTablePersistence(in: database, table: table, schema: schema)
      let error = await #expect(throws: ReactorError.self) {
        try await refused.save(Self.records("{\"id\":1}\n", count: 1), for: Self.resource)
      }
      #expect(error?.message.contains(words) ?? false && error?.help != nil, "\(error?.description ?? "")")
    }
    await database.close()
  }

  @Test func `a path without a folder is an error that names it`() async throws {
    let workspace = try Workspace()
    let path = workspace.folder.appendingPathComponent("nowhere/shop.db").path
    let users = InTablePersistence(in: .sqlite(at: path), table: "users", schema: Self.schema)
    guard case .miss(.absent) = try await users.load(for: Self.resource) else {
      Issue.record("a file that is not there was read")
      return
    }
    let error = await #expect(throws: ReactorError.self) {
      try await users.save(Self.records("", count: 0), for: Self.resource)
    }
    #expect(error?.message.contains("its folder does not exist") ?? false)
    #expect(!FileManager.default.fileExists(atPath: path))
  }

  // MARK: - Declared flows

  @Test(arguments: TestStore.available, ["merge", "replace", "append"])
  func `records that a program gives a declared flow are loaded`(_ store: TestStore, _ mode: String) async throws {
    try await TableRig.with(store, ok(#"[{"id":1,"name":"Ada"}]"#)) { tables in
      let flow = try tables.flow(
        "schema: { key: id, fields: { id: integer, name: string? } }",
        persistence: "mode: \(mode)")
      #expect(await tables.rig.run(flow).message == "")
      var reactor = flow.reactor()
      reactor.flow.networkFlow = { (_) async throws(ReactorError) -> Fetched<RecordSet> in
        Fetched(Self.records("{\"id\":2,\"name\":\"Bo\"}\n", count: 1))
      }
      let fetched = try await reactor.fetchFromNetwork(flow.resource)
      #expect(fetched.source == .network)
      let rows = try await tables.lines("SELECT id, name FROM users ORDER BY id")
      #expect(rows == (mode == "replace" ? ["2,Bo"] : ["1,Ada", "2,Bo"]))
      #expect(try await fetched.model.values().last?["name"]?.string == "Bo")
    }
  }
}
