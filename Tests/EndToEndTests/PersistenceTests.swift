import Foundation
import TestSupport
import Testing

/// Persistence first: when the server is asked, and when it is not.
@Suite(.timeLimit(.minutes(2)))
struct PersistenceTests {
  private static func flow(
    _ persistence: String = "{ path: out/a.jsonl, expires_after: 1h }", path: String = "/products"
  ) -> String {
    """
    reactor: 1
    vars: { base_url: { type: string, default: "http://127.0.0.1:1" } }
    http: { base_url: "{{ vars.base_url }}/v1" }
    flows:
      a:
        resource: \(path)
        records: $[*]
        schema: { key: sku, fields: { sku: string, stock: integer } }
        persistence: \(persistence)
    """
  }

  private let server: DemoServer
  private let workspace: Workspace

  init() async throws {
    server = try await DemoServer()
    workspace = try Workspace()
    try workspace.write(Self.flow(), to: "flows/a.yaml")
  }

  private func run(_ arguments: String...) async throws -> Summary {
    try await Summary(
      workspace.start(["run", "--format", "json"] + arguments, environment: server.environment).end())
  }

  private func asked() async throws -> Int { try await server.requests()["/v1/products"] ?? 0 }

  @Test func `a second run uses the persisted result and sends no request`() async throws {
    #expect(try await run().flow("a").source == "network")
    let first = workspace.bytes("out/a.jsonl")
    let second = try await run()
    #expect(try second.flow("a").source == "persistence")
    #expect(try second.flow("a").records == 5)
    #expect(second.exit == 0)
    #expect(workspace.bytes("out/a.jsonl") == first)
    #expect(try await asked() == 1)
  }

  @Test func `a persisted hit needs no server at all`() async throws {
    _ = try await run()
    let stopped = await server.stop()
    #expect(stopped.status == 0)
    #expect(stopped.seconds < 60)
    #expect(try await run().flow("a").source == "persistence")
  }

  @Test func `--fresh asks although something is persisted`() async throws {
    _ = try await run()
    #expect(try await run("--fresh").flow("a").source == "network")
    #expect(try await asked() == 2)
  }

  @Test func `--fresh=never takes what is persisted and fails where nothing is`() async throws {
    let empty = try await run("--fresh=never")
    #expect(empty.exit != 0)
    #expect(try empty.flow("a").status != "passed")
    #expect(try await asked() == 0)
    #expect(workspace.files() == ["flows/a.yaml"])
    _ = try await run()
    #expect(try await run("--fresh=never").flow("a").source == "persistence")
    #expect(try await asked() == 1)
  }

  @Test func `an expired result is fetched again`() async throws {
    try workspace.write(Self.flow("{ path: out/a.jsonl, expires_after: 1ms }"), to: "flows/a.yaml")
    _ = try await run()
    #expect(try await run().flow("a").source == "network")
    #expect(try await asked() == 2)
  }

  @Test func `a result of another resource or schema is not taken`() async throws {
    _ = try await run()
    try workspace.write(Self.flow(path: "{ path: /products, query: { page: 2 } }"), to: "flows/a.yaml")
    #expect(try await run().flow("a").source == "network")
    let other = Self.flow(path: "{ path: /products, query: { page: 2 } }")
      .replacingOccurrences(of: "stock: integer", with: "name: string")
    try workspace.write(other, to: "flows/a.yaml")
    #expect(try await run().flow("a").source == "network")
    #expect(try await run().flow("a").source == "persistence")
    #expect(try await asked() == 3)
  }

  @Test(arguments: ["", "{\"sku\":", "\u{0}\u{0}", "{\"sku\":\"TEA-1\",\"stock\":120}\n"])
  func `a file that was changed is not used`(content: String) async throws {
    _ = try await run()
    let good = workspace.bytes("out/a.jsonl")
    try workspace.write(content, to: "out/a.jsonl")
    let again = try await run()
    #expect(again.exit == 0)
    #expect(try again.flow("a").source == "network")
    #expect(workspace.bytes("out/a.jsonl") == good)
  }

  @Test func `a failed run leaves the previous result as it was`() async throws {
    _ = try await run()
    let good = workspace.bytes("out/a.jsonl")
    try workspace.write(Self.flow(path: "/page"), to: "flows/a.yaml")
    let failed = try await run("--fresh")
    #expect(failed.exit != 0)
    #expect(workspace.bytes("out/a.jsonl") == good)
    #expect(workspace.files() == ["flows/a.yaml", "out/a.jsonl"])
  }

  @Test func `a persisted hit opens no socket`() async throws {
    guard FileManager.default.isExecutableFile(atPath: "/usr/bin/strace") else {
      print("skipped: strace is not installed")
      return
    }
    let trace = #"strace -f -e trace=socket,connect -o trace.txt "$REACTOR" run --format json"#
    let first = try await workspace.shell(trace, environment: server.environment)
    guard first.status == 0 else {
      print("skipped: strace may not trace here: \(first.stderr)")
      return
    }
    #expect(try #require(workspace.text("trace.txt")).contains("AF_INET"), "the trace does not show the network run")
    let second = try await workspace.shell(trace, environment: server.environment)
    #expect(try Summary(second).flow("a").source == "persistence")
    let calls = try #require(workspace.text("trace.txt")).split(separator: "\n")
      .filter { $0.contains("socket(") || $0.contains("connect(") }
    #expect(calls.isEmpty, "\(calls)")
  }

  @Test func `a large result is on its way to the disk before it is whole`() async throws {
    guard FileManager.default.isExecutableFile(atPath: "/usr/bin/strace") else {
      print("skipped: strace is not installed")
      return
    }
    let shop = try ScriptedServer { request in
      let count = request.target.hasSuffix("/large") ? 100_000 : 10
      let body = "[" + (0..<count).map { "{\"sku\":\"\($0)\",\"stock\":1}" }.joined(separator: ",") + "]"
      return [.send(Array(("HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\r\n" + body).utf8))]
    }
    defer { shop.stop() }
    let trace = #"strace -f -e trace=sync_file_range,fsync -o trace.txt "$REACTOR" run --var base_url="$SHOP""#
    for (path, isBegun) in [("/large", true), ("/small", false)] {
      try workspace.write(Self.flow("out/\(path.dropFirst()).jsonl", path: path), to: "flows/a.yaml")
      let outcome = try await workspace.shell(trace, environment: ["SHOP": shop.url])
      guard outcome.status == 0 else {
        print("skipped: strace may not trace here: \(outcome.stderr)")
        return
      }
      let calls = try #require(workspace.text("trace.txt")).split(separator: "\n")
      let last = try #require(calls.lastIndex { $0.contains("fsync(") })
      #expect(calls[..<last].contains { $0.contains("sync_file_range(") } == isBegun, "\(calls)")
    }
  }
}
