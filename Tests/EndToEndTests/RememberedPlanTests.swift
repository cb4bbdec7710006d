import Foundation
import TestSupport
import Testing

/// A run whose plan is remembered tells and writes the same as one that reads its files.
@Suite(.timeLimit(.minutes(5)))
struct RememberedPlanTests {
  private static let count = 120
  private static func text(expires: String = "1h") -> String {
    """
    reactor: 1
    vars: { base_url: { type: string, default: "http://127.0.0.1:1" } }
    http: { base_url: "{{ vars.base_url }}/v1" }
    schemas: { product: { key: sku, fields: { sku: string, stock: integer } } }
    flows:

    """
      + (0..<count).map {
        """
          f\($0):
            resource: { path: /products, query: { n: "\($0)" } }
            records: $[*]
            schema: product
            persistence: { path: out/f\($0).jsonl, expires_after: \(expires) }

        """
      }.joined()
  }

  private let server: DemoServer
  private let workspace: Workspace

  init() async throws {
    server = try await DemoServer()
    workspace = try Workspace()
    try workspace.write(Self.text(), to: "flows/a.yaml")
  }

  private func run(_ arguments: String...) async throws -> Program.Outcome {
    try await workspace.start(["run"] + arguments, environment: server.environment).end()
  }

  private var plan: Data? { workspace.bytes(".reactor/plan") }

  private func forget() throws {
    try FileManager.default.removeItem(at: workspace.folder.appendingPathComponent(".reactor/plan"))
  }

  /// The lines of an event log without numbers and times, those of one flow in their order.
  private func untimed(_ name: String) throws -> [String] {
    let lines = try #require(workspace.text(name)).split(separator: "\n").map {
      String($0).replacing(#/"n":[0-9]+/#, with: "").replacing(#/"([a-z_]+_us|load)":[0-9]+/#, with: "")
    }
    // A stable order: flows end in any.
    return lines.enumerated().sorted { one, other in
      let (first, second) = (flow(one.element), flow(other.element))
      return first == second ? one.offset < other.offset : first < second
    }.map(\.element)
  }

  private func flow(_ line: String) -> Substring { line.firstMatch(of: #/"flow":"([^"]*)"/#)?.1 ?? "" }

  @Test(arguments: [
    ["--no-timing"], ["--no-timing", "--format", "json"], ["--no-timing", "--verbose"], ["--quiet"],
    ["--no-timing", "--offline", "--format", "json"], ["--no-timing", "--jobs", "1", "--report", "junit=-"],
  ])
  func `what is printed is the same`(_ arguments: [String]) async throws {
    #expect(try await run().status == 0)
    #expect(plan != nil)
    let program = ["run"] + arguments
    let remembered = try await workspace.start(program, environment: server.environment).end()
    try forget()
    let read = try await workspace.start(program, environment: server.environment).end()
    #expect(remembered.status == 0)
    #expect(remembered.status == read.status)
    #expect(remembered.stdout == read.stdout)
    #expect(remembered.stderr == read.stderr)
    #expect(try await server.requests()["/v1/products"] == Self.count)
  }

  @Test func `the event log tells the same`() async throws {
    _ = try await run()
    _ = try await run("--report", "ndjson=one.ndjson")
    try forget()
    _ = try await run("--report", "ndjson=other.ndjson")
    let (one, other) = (try untimed("one.ndjson"), try untimed("other.ndjson"))
    #expect(one.count > 4 * Self.count)
    #expect(one == other)
  }

  @Test(arguments: ["removed", "changed", "emptied"])
  func `a result that is not as it was is fetched again, the others are not`(_ fate: String) async throws {
    _ = try await run()
    let good = workspace.bytes("out/f7.jsonl")
    switch fate {
    case "removed": try FileManager.default.removeItem(at: workspace.folder.appendingPathComponent("out/f7.jsonl"))
    case "changed": try workspace.write(try #require(workspace.text("out/f7.jsonl")) + "\n", to: "out/f7.jsonl")
    default: try workspace.write("", to: "out/f7.jsonl")
    }
    let summary = try Summary(await run("--format", "json"))
    #expect(summary.exit == 0)
    #expect(try summary.flow("f7").source == "network")
    #expect(try summary.flow("f8").source == "persistence")
    #expect(workspace.bytes("out/f7.jsonl") == good)
    #expect(try await server.requests()["/v1/products"] == Self.count + 1)
  }

  @Test func `results expire as they do without a plan`() async throws {
    try workspace.write(Self.text(expires: "1ms"), to: "flows/a.yaml")
    _ = try await run()
    #expect(plan != nil)
    #expect(try Summary(await run("--format", "json")).flow("f0").source == "network")
    #expect(try await server.requests()["/v1/products"] == 2 * Self.count)
  }

  @Test func `a mistake in a file is found although everything is fresh`() async throws {
    _ = try await run()
    try workspace.write(Self.text().replacingOccurrences(of: "f119:", with: "f119: { x }"), to: "flows/a.yaml")
    let end = try await run()
    #expect(end.status == 3)
    #expect(end.stderr.contains("flows/a.yaml:"))
  }

  @Test func `another working folder has its files read`() async throws {
    _ = try await run("--root", workspace.folder.appendingPathComponent("root").path)
    let text = "reactor: 1\nhttp: { base_url: \"http://127.0.0.1:1\" }\nflows:\n  b: { resource: /b }\n"
    try workspace.write(text, to: "else/flows/a.yaml")
    let end = try await workspace.shell("cd else && \"$REACTOR\" run --root ../root", environment: server.environment)
    #expect(end.status != 0)
    #expect(end.stdout.contains("a.b"))
  }
}
