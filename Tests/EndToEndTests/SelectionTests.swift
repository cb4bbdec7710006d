import Foundation
import TestSupport
import Testing

/// Which flows a command line means, and what the other commands say about them.
@Suite(.timeLimit(.minutes(2)))
struct SelectionTests {
  private static let flows = """
    reactor: 1
    vars: { base_url: { type: string, default: "http://127.0.0.1:1" } }
    secrets: [SHOP_TOKEN]
    http: { base_url: "{{ vars.base_url }}/v1", headers: { Authorization: "Bearer {{ secrets.SHOP_TOKEN }}" } }
    flows:
      one: { tags: [daily], resource: /products, records: "$[*]", persistence: out/one.jsonl }
      two:
        tags: [weekly]
        resource: { method: POST, path: /echo, body: { json: { a: 1 } } }
        persistence: out/two.json
    """

  private let server: DemoServer
  private let workspace: Workspace
  private let environment: [String: String]

  init() async throws {
    server = try await DemoServer()
    workspace = try Workspace()
    try workspace.write(Self.flows, to: "flows/a.yaml")
    environment = server.environment.merging(["SHOP_TOKEN": "tea-for-two-4711"]) { $1 }
  }

  @Test(arguments: [
    (["--select", "tag:daily"], ["a.one"]), (["--select", "two"], ["a.two"]),
    (["--select", "a.*"], ["a.one", "a.two"]),
    (["--select", "path:flows/a.yaml"], ["a.one", "a.two"]),
    (["--select", "tag:daily", "--select", "tag:weekly"], ["a.one", "a.two"]),
  ])
  func `flows are selected by name, tag and path`(arguments: [String], ids: [String]) async throws {
    let outcome = try await workspace.start(["run", "--format", "json"] + arguments, environment: environment).end()
    #expect(outcome.status == 0, "\(outcome.stderr)")
    #expect(try Summary(outcome).flows.map(\.id) == ids)
  }

  @Test func `a secret reaches its server and nothing that people read`() async throws {
    for arguments in [["run", "-v", "--format", "json"], ["run", "-v", "--fresh"], ["explain", "a.two"], ["list"]] {
      let outcome = try await workspace.start(arguments, environment: environment).end()
      #expect(outcome.status == 0, "\(arguments): \(outcome.stderr)")
      #expect(!(outcome.stdout + outcome.stderr).contains("tea-for-two"), "\(arguments) shows the secret")
    }
    let echoed = try #require(workspace.text("out/two.json"))
    #expect(echoed.contains("Bearer tea-for-two-4711"), "the echo must hold what was sent: \(echoed)")
  }

  @Test func `a secret comes from a file and from nowhere else by accident`() async throws {
    let without = server.environment
    let missing = try await workspace.start(["run", "--select", "two"], environment: without).end()
    #expect(missing.status == 3, "a secret without a value is a mistake before anything runs: \(missing.stderr)")
    #expect(missing.stderr.contains("SHOP_TOKEN"), "\(missing.stderr)")
    #expect(try await server.requests().isEmpty)
    try workspace.write("# the shop's\nSHOP_TOKEN=from-a-file-0815\n", to: "shop.secrets")
    let found = try await workspace.start(
      ["run", "--select", "two", "--secret-file", "shop.secrets"], environment: without
    ).end()
    #expect(found.status == 0, "\(found.stderr)")
    #expect(workspace.text("out/two.json")?.contains("Bearer from-a-file-0815") == true)
    let inline = try await workspace.start(["run", "--secret", "SHOP_TOKEN=x"], environment: without).end()
    #expect(inline.status == 2, "secrets on the command line are shown to every user of the machine")
  }

  @Test func `a pipe gets no control characters unless asked, and NO_COLOR holds`() async throws {
    try workspace.write(Self.flows.replacingOccurrences(of: "tags: [daily]", with: "tgas: [daily]"), to: "flows/a.yaml")
    let plain = try await workspace.start(["check"], environment: environment).end()
    #expect(plain.status == 3)
    #expect(!(plain.stdout + plain.stderr).contains("\u{1B}"))
    let forced = try await workspace.start(["check"], environment: environment.merging(["FORCE_COLOR": "1"]) { $1 })
      .end()
    #expect(forced.stderr.contains("\u{1B}["))
    let refused = try await workspace.start(
      ["check"], environment: environment.merging(["NO_COLOR": "1", "FORCE_COLOR": "1"]) { $1 }
    ).end()
    #expect(!refused.stderr.contains("\u{1B}"))
  }

  @Test func `explaining, listing and checking send no request and write nothing`() async throws {
    for (arguments, tells) in [
      (["explain", "a.one"], ["\(server.address)/v1/products", "out/one.jsonl"]), (["explain", "prune"], ["true"]),
      (["list"], ["a.one", "a.two"]), (["check"], []), (["schema"], ["\"flows\"", "expires_after"]),
      (["version"], ["curl", "simdjson"]),
      (["version", "--json"], ["\"commit\":null", "\"sqlite\":", "\"cursors\":2"]),
    ] {
      let outcome = try await workspace.start(arguments, environment: environment).end()
      #expect(outcome.status == 0, "\(arguments): \(outcome.stderr)")
      for word in tells { #expect(outcome.stdout.contains(word), "\(arguments) does not tell \(word)") }
      if arguments == ["schema"] { _ = try Records.value(outcome.stdout) }
    }
    #expect(try await server.requests().isEmpty)
    #expect(workspace.files(hidden: true) == ["flows/a.yaml"])
  }

  @Test func `results are the same for any number of jobs`() async throws {
    let many = (0..<40).map {
      """
        f\($0):
          resource: { path: /feed/large, query: { records: \($0 * 7) } }
          records: $.data[*]
          persistence: out/\($0).jsonl
      """
    }
    try workspace.write(
      """
      reactor: 1
      vars: { base_url: http://127.0.0.1:1 }
      http: { base_url: "{{ vars.base_url }}/v1" }
      flows:
      \(many.joined(separator: "\n"))
      """, to: "many/m.yaml")
    var results: [[Data?]] = []
    for jobs in ["1", "16"] {
      let outcome = try await workspace.start(
        ["run", "many", "--fresh", "--format", "json", "-j", jobs], environment: environment
      ).end()
      #expect(outcome.status == 0, "\(outcome.stderr)")
      #expect(try Summary(outcome).flows.map(\.records) == (0..<40).map { $0 * 7 })
      results.append((0..<40).map { workspace.bytes("out/\($0).jsonl") })
    }
    #expect(results[0] == results[1])
  }

  @Test func `--root is where results go and nothing leaves it`() async throws {
    let outcome = try await workspace.start(
      ["run", "--root", "elsewhere", "--select", "one"], environment: environment
    ).end()
    #expect(outcome.status == 0, "\(outcome.stderr)")
    #expect(workspace.files() == ["elsewhere/out/one.jsonl", "flows/a.yaml"])
  }
}
