import Foundation
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Ctrl-C and SIGTERM in the middle of a run.
@Suite(.timeLimit(.minutes(2)))
struct InterruptionTests {
  private static let flows = """
    reactor: 1
    vars: { base_url: { type: string, default: "http://127.0.0.1:1" }, ms: 10, records: 10 }
    http: { base_url: "{{ vars.base_url }}/v1" }
    flows:
      quick: { resource: /products, records: "$[*]", persistence: out/quick.jsonl }
      slow:
        resource: { path: /slow, query: { ms: "{{ vars.ms }}" } }
        persistence: out/slow.json
      long:
        resource: { path: /feed/large, query: { records: "{{ vars.records }}" } }
        records: $.data[*]
        persistence: out/long.jsonl
    """

  @Test(arguments: [(SIGINT, Int32(130)), (SIGTERM, Int32(143))])
  func `without a grace time a signal ends the run within ten seconds and old results stay`(
    number: Int32, status: Int32
  ) async throws {
    let server = try await DemoServer()
    let workspace = try Workspace()
    try workspace.write(Self.flows, to: "flows/a.yaml")
    let first = try await workspace.reactor("run", environment: server.environment)
    #expect(first.status == 0, "\(first.stderr)")
    let before = ["quick.jsonl", "slow.json", "long.jsonl"].map { workspace.bytes("out/\($0)") }

    let program = try workspace.start(
      ["run", "--fresh", "--grace", "0s", "--format", "json", "--var", "ms=60000", "--var", "records=100000000"],
      environment: server.environment)
    let isUnderWay = await program.wait { _ in
      let requests = (try? await server.requests()) ?? [:]
      return requests["/v1/slow"] == 2 && requests["/v1/feed/large"] == 2
    }
    #expect(isUnderWay, "\(program.stderr)")
    let signalled = ContinuousClock.now
    program.signal(number)
    let outcome = await program.end(within: 30)
    #expect(ContinuousClock.now - signalled < .seconds(10))
    #expect(outcome.status == status, "\(outcome.stderr)")
    let summary = try Summary(outcome)
    #expect(!summary.complete)
    #expect(try summary.flow("slow").status == "cancelled")
    #expect(try summary.flow("long").status == "cancelled")
    #expect(["quick.jsonl", "slow.json", "long.jsonl"].map { workspace.bytes("out/\($0)") } == before)
    let left = workspace.files(hidden: true).filter { $0.contains("tmp") || $0.contains("temp") }
    #expect(left.isEmpty, "left behind: \(left)")

    let again = try await workspace.reactor("run", "--fresh", environment: server.environment)
    #expect(again.status == 0, "a lock or a half file is in the way: \(again.stderr)")
  }

  @Test func `a flow that runs may end within the grace time, and no flow starts`() async throws {
    let server = try await DemoServer()
    let workspace = try Workspace()
    try workspace.write(Self.flows, to: "flows/a.yaml")
    let program = try workspace.start(
      ["run", "--select", "slow", "--select", "long", "--jobs", "1", "--format", "json", "--var", "ms=2000"],
      environment: server.environment)
    let isUnderWay = await program.wait { _ in ((try? await server.requests()) ?? [:])["/v1/slow"] == 1 }
    #expect(isUnderWay, "\(program.stderr)")
    program.signal(SIGINT)
    let outcome = await program.end(within: 30)
    #expect(outcome.status == 130, "\(outcome.stderr)")
    #expect(outcome.stderr.contains("stopping: running flows have 20 s to end; a second signal stops at once\n"))
    let summary = try Summary(outcome)
    #expect(!summary.complete)
    #expect(try summary.flow("slow").status == "passed")
    #expect(try summary.flow("long").status == "cancelled")
    #expect(workspace.bytes("out/slow.json") != nil)
    #expect(workspace.bytes("out/long.jsonl") == nil)
    #expect(try await server.requests()["/v1/feed/large"] == nil)
  }

  @Test func `what still runs after the grace time is cancelled`() async throws {
    let server = try await DemoServer()
    let workspace = try Workspace()
    try workspace.write(Self.flows, to: "flows/a.yaml")
    let program = try workspace.start(
      ["run", "--select", "slow", "--grace", "1s", "--format", "json", "--var", "ms=60000"],
      environment: server.environment)
    let isUnderWay = await program.wait { _ in ((try? await server.requests()) ?? [:])["/v1/slow"] == 1 }
    #expect(isUnderWay, "\(program.stderr)")
    let signalled = ContinuousClock.now
    program.signal(SIGTERM)
    let outcome = await program.end(within: 30)
    let took = ContinuousClock.now - signalled
    #expect(took > .milliseconds(900) && took < .seconds(20), "\(took)")
    #expect(outcome.status == 143, "\(outcome.stderr)")
    #expect(try Summary(outcome).flow("slow").status == "cancelled")
  }

  @Test func `a second signal ends the run at once and leaves no half result`() async throws {
    let server = try await DemoServer()
    let workspace = try Workspace()
    try workspace.write(Self.flows, to: "flows/a.yaml")
    _ = try await workspace.reactor("run", environment: server.environment)
    let before = ["slow.json", "long.jsonl"].map { workspace.bytes("out/\($0)") }
    let program = try workspace.start(
      ["run", "--fresh", "--var", "ms=60000", "--var", "records=100000000"], environment: server.environment)
    let isUnderWay = await program.wait { _ in
      let requests = (try? await server.requests()) ?? [:]
      return requests["/v1/slow"] == 2 && requests["/v1/feed/large"] == 2
    }
    #expect(isUnderWay, "\(program.stderr)")
    program.signal(SIGINT)
    #expect(await program.wait { $0.stderr.contains("stopping") })
    #expect(program.isRunning)
    let signalled = ContinuousClock.now
    program.signal(SIGTERM)
    let outcome = await program.end(within: 30)
    // Well before the twenty seconds that the first signal gave.
    #expect(ContinuousClock.now - signalled < .seconds(10))
    #expect(outcome.status == 143, "\(outcome.stderr)")
    #expect(["slow.json", "long.jsonl"].map { workspace.bytes("out/\($0)") } == before)
    let again = try await workspace.reactor("run", "--fresh", environment: server.environment)
    #expect(again.status == 0, "a lock or a half file is in the way: \(again.stderr)")
  }

  @Test func `killed in the middle of a feed, the old result is whole and the next run works`() async throws {
    let server = try await DemoServer()
    let workspace = try Workspace()
    try workspace.write(Self.flows, to: "flows/a.yaml")
    _ = try await workspace.reactor("run", environment: server.environment)
    let before = workspace.bytes("out/long.jsonl")
    for _ in 0..<3 {
      let asked = try await server.requests()["/v1/feed/large"] ?? 0
      let program = try workspace.start(
        ["run", "--fresh", "--select", "long", "--var", "records=100000000"], environment: server.environment)
      let isUnderWay = await program.wait { _ in
        ((try? await server.requests()) ?? [:])["/v1/feed/large", default: 0] > asked
      }
      #expect(isUnderWay, "\(program.stderr)")
      program.signal(SIGKILL)
      #expect(await program.end().status == 128 + SIGKILL)
      #expect(workspace.bytes("out/long.jsonl") == before)
    }
    let again = try await workspace.reactor("run", "--fresh", environment: server.environment)
    #expect(again.status == 0, "\(again.stderr)")
    #expect(workspace.bytes("out/long.jsonl") == before)
    let output = workspace.files(hidden: true).filter { $0.hasPrefix("out/") && !$0.hasPrefix("out/.reactor") }
    #expect(output == ["out/long.jsonl", "out/quick.jsonl", "out/slow.json"], "the killed runs' files are still there")
  }
}
