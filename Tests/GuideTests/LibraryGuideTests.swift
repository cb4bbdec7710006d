import FlowRuntime
import Foundation
import ReactorCore
import ReactorTesting
import SourceDiagnostics
import Storage
import Synchronization
import TestSupport
import Testing

/// What docs/guides/library.md shows of flows from Swift.
@Suite(.timeLimit(.minutes(1))) struct LibraryGuideTests {
  private static let all = [Product(sku: "TEA-1"), Product(sku: "CUP-9")]
  private let resource = Resource(path: "/products", method: .GET)

  private func withShop(_ body: (String, Workspace) async throws -> Void) async throws {
    let service = try GuideService(page: "library")
    defer { service.server.stop() }
    try await body(service.server.url, Workspace())
  }

  private func shop(_ url: String) -> SourceFile {
    SourceFile(
      path: "shop.yaml",
      text: """
        reactor: 1
        http: { base_url: "\(url)" }
        flows:
          products:
            resource: /products
            schema: { key: sku, fields: { sku: string } }
            persistence: out/products.jsonl

        """)
  }

  @Test func `a declared flow is taken by its name and read`() async throws {
    try await withShop { url, workspace in
      let environment = FlowEnvironment(root: OutputRoot(path: workspace.folder.path))
      let declared = try #require(flow("shop.products", in: [shop(url)], environment))
      #expect(try await products(of: declared) == Self.all)
      #expect(workspace.text("out/products.jsonl") == "{\"sku\":\"TEA-1\"}\n{\"sku\":\"CUP-9\"}\n")
      #expect(flow("shop.orders", in: [shop(url)], environment) == nil)
      await environment.close()
    }
  }

  @Test func `a declared flow is observed and persists elsewhere`() async throws {
    try await withShop { url, workspace in
      let environment = FlowEnvironment(root: OutputRoot(path: workspace.folder.path))
      let declared = try #require(flow("shop.products", in: [shop(url)], environment))
      let lines = Mutex<[String]>([])
      let closures = observed(declared) { line in lines.withLock { $0.append(line) } }
      for _ in 0..<2 { _ = try await declared.reactor(closures).fetch(declared.resource) }
      #expect(
        lines.withLock { $0 } == [
          "no persisted result: nothing persisted yet", "2 of 2 records fit", "2 persisted records",
        ])
      #expect(workspace.text("out/products.jsonl") == nil)
      await environment.close()
    }
  }

  @Test func `Foundation's client is a connection, and its responses are judged`() async throws {
    try await withShop { url, _ in
      let reactor = Reactor(flow: productFlow(baseURL: url))
      let fetched = try await reactor.fetch(resource)
      #expect(fetched.model == Self.all)
      let error = await #expect(throws: ReactorError.self) {
        try await reactor.fetch(Resource(path: "/nothing", method: .GET))
      }
      #expect(error?.status == 404)
    }
  }

  @Test func `a function that gets bytes makes a flow`() async throws {
    let flow = productFlow { _ in Array(#"[{"sku": "TEA-1"}, {}, {"sku": "CUP-9"}]"#.utf8) }
    #expect(try await Reactor(flow: flow).fetch(resource).model == Self.all)
  }

  @Test func `a persistence in SQLite keeps the contract`() async throws {
    let workspace = try Workspace()
    let folder = workspace.folder
    let contract = PersistenceContract(
      models: (Self.all, [Product(sku: "POT-4")]),
      make: {
        try SQLitePersistence(
          parser: .array(of: ModelMapping<Product>()),
          path: folder.appendingPathComponent("\(UUID().uuidString).db").path)
      }, isSame: ==)
    #expect(await contract.violations() == [])
  }

  @Test func `a result in SQLite outlives its connection and belongs to one base URL`() async throws {
    let workspace = try Workspace()
    let folder = workspace.folder
    let path = folder.appendingPathComponent("results.db").path
    let parser = Parser.array(of: ModelMapping<Product>())
    let flow = productFlow { _ in Array(#"[{"sku": "TEA-1"}]"#.utf8) }
    func fetch(_ scope: String) async throws -> Fetched<[Product]> {
      let persistence = try SQLitePersistence(parser: parser, path: path, scope: scope)
      return try await Reactor(flow: flow.persisting(in: persistence)).fetch(resource)
    }
    #expect(try await fetch("https://a").source == .network)
    let again = try await fetch("https://a")
    #expect(again.source == .persistence)
    #expect(again.model == [Product(sku: "TEA-1")])
    #expect(try await fetch("https://b").miss == .absent)
    // A folder is no database.
    let error = #expect(throws: ReactorError.self) { try SQLitePersistence(parser: parser, path: folder.path) }
    #expect(error?.kind == .persistence)
  }

  @Test func `models without a JSON form are fetched, and cannot be persisted`() async throws {
    let server = StubConnection(bodies: ["/products": #"[{"sku": "TEA-1"}]"#])
    let flow = labelFlow(server)
    #expect(try await Reactor(flow: flow).fetch(resource).model == [Label(text: "No. TEA-1")])

    let workspace = try Workspace()
    let persistence = try SQLitePersistence(
      parser: .array(of: ModelMapping<Label>()), path: workspace.folder.appendingPathComponent("labels.db").path)
    let error = await #expect(throws: ReactorError.self) {
      try await Reactor(flow: flow.persisting(in: persistence)).fetch(resource)
    }
    #expect(error?.description == "the model has no JSON form to persist (record 0)")
  }
}
