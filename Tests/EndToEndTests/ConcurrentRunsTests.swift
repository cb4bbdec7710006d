import Foundation
import Synchronization
import TestSupport
import Testing

/// Several runs at once over one root.
@Suite(.timeLimit(.minutes(3)))
struct ConcurrentRunsTests {
  @Test func `runs that end together are all remembered`() async throws {
    let count = 40
    // Nobody gets a response before all have asked: the runs end together.
    let server = try ScriptedServer { _ in
      [
        .until { $0.requests.count >= count },
        .send(Array("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\n[]".utf8)), .close,
      ]
    }
    defer { server.stop() }
    let workspace = try Workspace()
    let flows = (0..<count).map {
      "  f\($0): { resource: /\($0), reachability: false, persistence: out/\($0).jsonl }\n"
    }
    try workspace.write(
      "reactor: 1\nhttp: { base_url: \"\(server.url)\", timeout: 2m }\nflows:\n" + flows.joined(), to: "flows/a.yaml")
    let runs = try (0..<20).map { try workspace.start(["run", "-s", "f\(2 * $0) f\(2 * $0 + 1)"]) }
    for run in runs {
      let outcome = await run.end(within: 120)
      #expect(outcome.status == 0, "\(outcome.stdout)\(outcome.stderr)")
    }
    let memory = try #require(workspace.text("out/.reactor/history.jsonl") ?? workspace.text(".reactor/history.jsonl"))
    #expect(memory.ranges(of: "\"passed\"").count == count, "\(memory)")
    #expect(try await workspace.start(["run", "-s", "!result:passed"]).end().status == 4)
  }

  @Test func `a parent that is run alone waits for a run of its children too`() async throws {
    let isReady = Atomic(false)
    let server = try ScriptedServer { _ in
      [.until { _ in isReady.load(ordering: .acquiring) }, Self.response("[{\"id\":1}]")]
    }
    defer { server.stop() }
    let workspace = try Workspace()
    try workspace.write(
      """
      reactor: 1
      http: { base_url: "\(server.url)" }
      flows:
        customers: { resource: /customers, persistence: out/customers.jsonl }
        orders: { resource: "/orders/{{ parent.id }}", each: customers, persistence: out/orders.jsonl }
      """, to: "flows/a.yaml")
    let runs = try ["customers", "orders"].map { try workspace.start(["run", "-v", "-s", $0]) }
    #expect(await runs[0].wait { _ in runs.contains { $0.stderr.contains("waits for another run") } })
    isReady.store(true, ordering: .releasing)
    for run in runs {
      let outcome = await run.end(within: 120)
      #expect(outcome.status == 0, "\(outcome.stdout)\(outcome.stderr)")
    }
    #expect(server.requests.map(\.target).sorted() == ["/customers", "/orders/1"])
  }

  @Test(arguments: [
    ("fail", Int32(5), "another reactor run is writing", 1), ("skip", 0, "skipped: already running", 1),
    ("wait", 0, "1 record", 2),
  ])
  func `a run that meets another run of its flow does as it is told`(
    _ policy: String, _ code: Int32, _ words: String, _ requests: Int
  ) async throws {
    let isReady = Atomic(false)
    let server = try ScriptedServer { _ in
      [.until { _ in isReady.load(ordering: .acquiring) }, Self.response("[{\"id\":1}]")]
    }
    defer { server.stop() }
    let workspace = try Workspace()
    try workspace.write(
      """
      reactor: 1
      http: { base_url: "\(server.url)", timeout: 1m }
      flows: { orders: { resource: /orders, reachability: false, persistence: out/orders.jsonl } }
      """, to: "flows/a.yaml")
    let first = try workspace.start(["run"])
    #expect(await first.wait { _ in !server.requests.isEmpty })
    let second = try workspace.start(["run", "-v", "--if-running", policy])
    if policy == "wait" {
      #expect(await second.wait { $0.stderr.contains("waits for another run") })
      isReady.store(true, ordering: .releasing)
    }
    let outcome = await second.end(within: 60)
    isReady.store(true, ordering: .releasing)
    #expect(outcome.status == code, "\(outcome.stdout)\(outcome.stderr)")
    #expect((outcome.stdout + outcome.stderr).contains(words), "\(outcome.stdout)\(outcome.stderr)")
    if policy == "fail" { #expect(outcome.stderr.contains("[run.busy]") && outcome.stderr.contains("--if-running")) }
    #expect(await first.end(within: 60).status == 0)
    #expect(server.requests.count == requests)
  }

  private static func response(_ body: String) -> ScriptedServer.Step {
    .send(Array("HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)".utf8))
  }

  @Test(arguments: [
    ("persistence: out/customers.jsonl", ["-v"]), ("persistence: out/customers.jsonl", ["-v", "--fresh"]),
    ("persistence: { path: out/customers.jsonl, mode: merge }, cursor: { field: id, query: after }", ["-v"]),
  ])
  func `shards that run at once wait for their parent, which is asked once`(_ keys: String, _ flags: [String])
    async throws
  {
    let isReady = Atomic(false)
    let server = try ScriptedServer { request in
      guard request.target.hasPrefix("/customers") else { return [Self.response("[{\"id\":1},{\"id\":2}]")] }
      return [.until { _ in isReady.load(ordering: .acquiring) }, Self.response("[{\"id\":7},{\"id\":8}]")]
    }
    defer { server.stop() }
    let workspace = try Workspace()
    let count = 16
    let children = (0..<count).map {
      "  c\($0): { resource: \"/c\($0)/{{ parent.id }}\", each: customers, persistence: out/c\($0).jsonl }\n"
    }
    try workspace.write(
      "reactor: 1\nhttp: { base_url: \"\(server.url)\" }\nflows:\n"
        + "  customers: { resource: /customers, schema: { key: id, fields: { id: integer } }, \(keys) }\n"
        + children.joined(), to: "flows/a.yaml")
    let runs = try (1...4).map { try workspace.start(["run", "--shard", "\($0)/4"] + flags) }
    let words = "note: 'a.customers' waits for another run, which is writing 'out/customers.jsonl'"
    #expect(await runs[0].wait { _ in runs.filter { $0.stderr.contains(words) }.count == 3 })
    isReady.store(true, ordering: .releasing)
    for run in runs {
      let outcome = await run.end(within: 120)
      #expect(outcome.status == 0, "\(outcome.stdout)\(outcome.stderr)")
    }
    #expect(server.requests.filter { $0.target.hasPrefix("/customers") }.count == 1)
    for child in 0..<count {
      #expect(workspace.text("out/c\(child).jsonl") == "{\"id\":1}\n{\"id\":2}\n{\"id\":1}\n{\"id\":2}\n", "c\(child)")
    }
  }
}
