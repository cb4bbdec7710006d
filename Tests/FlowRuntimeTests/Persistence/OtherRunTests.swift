import FlowCompiler
import FlowRuntime
import FlowSpec
import FlowTesting
import ReactorCore
import SourceDiagnostics
import Storage
import Synchronization
import TestSupport
import Testing

/// A flow whose path another run is writing.
@Suite(.timeLimit(.minutes(1))) struct OtherRunTests {
  /// The parent with these keys, of two runs over one root: the rig's, and one that waits as the closure says.
  private static func parents(
    _ rig: Rig, _ keys: String, child: String = "each: users",
    waiting: @escaping @Sendable () async throws(ReactorError) -> Void
  ) throws -> (first: DeclaredFlow, second: DeclaredFlow) {
    let text = rig.text(keys) + "  posts:\n    resource: /posts\n    \(child)\n"
    let environment = FlowEnvironment(
      root: OutputRoot(path: rig.scratch.folder, durability: .fast),
      clocks: .init(
        wallClock: rig.clock.wallClock, stopwatch: rig.clock.stopwatch,
        patience: Patience(delay: Delay { (_) async throws(ReactorError) in try await waiting() })))
    let other = rig.compile([SourceFile(path: "flows/shop.yaml", text: text)], in: environment)
    let first = try #require(rig.compile(text).flows.first { $0.name == "users" })
    return (first, try #require(other.flows.first { $0.name == "users" }))
  }

  /// Keys of the parent, how both are run, and whether the first run fails.
  private static let cases: [(String, FetchMode, Bool)] = [
    ("", .persistenceFirst, false), ("", .fresh, false), ("", .revalidate, false),
    (
      "persistence: { path: users.jsonl, mode: merge }\ncursor: { field: id, query: after }", .persistenceFirst, false
    ),
    ("wait: false", .persistenceFirst, false), ("", .persistenceFirst, true), ("", .fresh, true),
  ]

  @Test(arguments: cases)
  func `a parent waits for another run, and uses what this one persists`(
    _ keys: String, _ mode: FetchMode, _ fails: Bool
  ) async throws {
    try await Rig.with { rig in
      let isOpen = Atomic(false)
      let body = "[{\"id\":1,\"name\":\"Ann\"}]"
      rig.answer { _ in
        [.until { _ in isOpen.load(ordering: .acquiring) }]
          + (fails && rig.server.requests.count == 1 ? answer("404 Not Found", "{}") : ok(body))
      }
      let one = Mutex<Task<FlowRun, Never>?>(nil)
      let (first, second) = try Self.parents(rig, keys) { () async throws(ReactorError) in
        rig.clock.advance(by: .seconds(1))
        isOpen.store(true, ordering: .releasing)
        _ = await one.withLock { $0 }?.value
      }
      one.withLock { $0 = Task { await rig.run(first, mode) } }
      while rig.server.requests.isEmpty { await Task.yield() }
      let run = await rig.run(second, mode)
      #expect(run.error == nil)
      #expect(run.kept == 1)
      #expect(run.source == (fails ? .network : .persistence))
      #expect(run.events.contains(.waitingForRun(path: "users.jsonl")))
      #expect(rig.server.requests.count == (fails ? 2 : 1))
      #expect(rig.result?.contains("Ann") == true)
    }
  }

  @Test func `what another flow or an earlier run persisted is not used`() async throws {
    try await Rig.with(ok("[]")) { rig in
      let lock = Mutex<PathLock?>(nil)
      let (first, second) = try Self.parents(rig, "") { () async throws(ReactorError) in
        rig.clock.advance(by: .seconds(1))
        lock.withLock { $0 }?.release()
      }
      #expect(await rig.run(first).error == nil)
      rig.clock.advance(by: .seconds(7200))
      let held = try await rig.environment.root.lock(OutputPath(parsing: "users.jsonl"))
      lock.withLock { $0 = held }
      let run = await rig.run(second)
      #expect(run.source == .network && run.events.contains(.waitingForRun(path: "users.jsonl")))
      #expect(rig.server.requests.count == 2)
    }
  }

  @Test func `a parent waits no longer than its own time, and not at all when it is cancelled`() async throws {
    try await Rig.with(ok("[]")) { rig in
      let lock = try await rig.environment.root.lock(OutputPath(parsing: "users.jsonl"))
      defer { lock.release() }
      let (_, late) = try Self.parents(rig, "deadline: 30s") { () async throws(ReactorError) in
        rig.clock.advance(by: .seconds(10))
      }
      let run = await rig.run(late)
      #expect(run.error?.kind == .persistence)
      #expect(
        run.message.contains("another reactor run is writing users.jsonl, and did not end before this flow's deadline"))
      let (_, cancelled) = try Self.parents(rig, "") { () async throws(ReactorError) in throw .cancelled }
      #expect(await rig.run(cancelled).error?.kind == .cancelled)
      #expect(rig.server.requests.isEmpty)
    }
  }

  @Test func `a flow that is nobody's parent is refused at once`() async throws {
    try await Rig.with(ok("[]")) { rig in
      let lock = try await rig.environment.root.lock(OutputPath(parsing: "users.jsonl"))
      defer { lock.release() }
      let (_, flow) = try Self.parents(rig, "", child: "tags: [alone]") { () async throws(ReactorError) in
        Issue.record("waits")
      }
      let run = await rig.run(flow)
      #expect(run.message.contains("another reactor run is writing"))
      #expect(rig.server.requests.isEmpty)
    }
  }
}
