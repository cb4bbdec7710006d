import Databases
import Foundation
import JSONSyntax
import ReactorCore
import ReactorTesting
import Records
import Synchronization
import TestSupport
import Testing

/// What docs/guides/databases.md shows of tables from Swift.
@Suite(.timeLimit(.minutes(1))) struct DatabaseGuideTests {
  private static let all = [Product(sku: "CUP-9"), Product(sku: "TEA-1")]
  private let resource = Resource(path: "/products", method: .GET)

  @Test func `a flow of a program persists in a table of SQLite`() async throws {
    let workspace = try Workspace()
    let path = workspace.folder.appendingPathComponent("shop.db").path
    let server = StubConnection(bodies: ["/products": #"[{"sku": "TEA-1"}, {"sku": "CUP-9"}]"#])
    for source in [FetchSource.network, .persistence] {
      let database = Database.sqlite(at: path)
      let fetched = try await Reactor(flow: productFlow(server, in: database)).fetch(resource)
      #expect(fetched.source == source)
      #expect(fetched.model.sorted { $0.sku < $1.sku } == Self.all)
      await database.close()
    }
  }

  @Test func `a database of one's own keeps the contract`() async {
    let parser = Parser.array(of: ModelMapping<Product>())
    let contract = PersistenceContract(
      models: (Self.all, [Product(sku: "POT \"4\"")]),
      make: {
        InTablePersistence(
          in: toyDatabase(ToyTables()), table: "products", schema: productColumns, parser: parser)
      }, isSame: ==)
    #expect(await contract.violations() == [])
  }

  @Test func `a load that fails leaves the tables of a database of one's own`() async throws {
    let tables = ToyTables()
    let products = InTablePersistence(in: toyDatabase(tables), table: "products", schema: productColumns)
    func records(_ lines: String) -> RecordSet {
      RecordSet(schema: productColumns, count: 1, format: .jsonLines, content: .memory(Array(lines.utf8)))
    }
    _ = try await products.save(records("{\"sku\":\"TEA-1\"}\n"), for: resource)
    await #expect(throws: ReactorError.self) {
      try await products.save(records("{\"sku\":\"CUP-9\"}\n{\"sku\":7}\n"), for: resource)
    }
    #expect(tables.all.withLock { $0["products"]?.rows.map { $0["sku"] } } == ["\"TEA-1\""])
    #expect(tables.all.withLock { $0["reactor_loads"]?.rows.count } == 1)
    guard case .hit(let found) = try await products.load(for: resource) else {
      Issue.record("nothing was served")
      return
    }
    #expect(try await found.values().first?["sku"]?.string == "TEA-1")
  }
}
