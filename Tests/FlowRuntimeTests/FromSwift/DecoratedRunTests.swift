import BatchRunner
import FlowCompiler
import FlowRuntime
import FlowTesting
import ReactorCore
import Records
import Synchronization
import TestSupport
import Testing

/// Decorations of a declared flow in a run of many flows.
@Suite(.timeLimit(.minutes(1))) struct DecoratedRunTests {
  private static let users = #"[{"id": 1, "name": "Ada"}, {"id": 2, "name": "Bo"}]"#

  @Sendable private static func onlySeven(_ set: RecordSet) -> RecordSet {
    RecordSet(
      schema: set.schema, count: 1, format: .jsonLines, content: .memory(Array("{\"id\":7,\"name\":\"x\"}\n".utf8)))
  }

  @Test func `each closure is decorated, and the persisted result is the changed one`() async throws {
    try await Rig.with(ok(Self.users)) { rig in
      let seen = Mutex<[String]>([])
      let flow = try rig.flow()
      func run() async -> RunState {
        let runnable = RunnableFlow(flow) { closures in
          closures.mapNetwork { Self.onlySeven($0) }
            .onLoadMiss { miss, _ in seen.withLock { $0.append("miss: \(miss)") } }
            .onLoadHit { set, _ in seen.withLock { $0.append("hit: \(set.count)") } }
            .onSave { set, _ in seen.withLock { $0.append("saved: \(set.count)") } }
        }
        return await BatchRun(RunPlan([runnable])).execute()
      }
      #expect(await run().flows.map(\.status) == [.passed])
      #expect(rig.result == "{\"id\":7,\"name\":\"x\"}\n")
      #expect(await run().flows.map(\.status) == [.passed])
      #expect(seen.withLock { $0 } == ["miss: nothing persisted yet", "saved: 1", "hit: 1"])
    }
  }

  @Test(arguments: ["", "persistence: disabled", "persistence: { path: users.jsonl, mode: merge }"])
  func `child flows get the changed records`(_ keys: String) async throws {
    try await Rig.with { rig in
      let targets = Mutex<[String]>([])
      rig.answer { request in
        targets.withLock { $0.append(request.target) }
        return ok(request.target == "/users" ? Self.users : "[]")
      }
      let child = "  posts:\n    resource: \"/posts/{{ user.id }}\"\n    each: { flow: users, as: user }\n"
      let flows = try rig.compile(rig.text(keys) + child).accepted()
      let plan = RunPlan(
        flows.map { flow in
          flow.name == "users"
            ? RunnableFlow(flow, decorating: { closures in closures.mapNetwork { Self.onlySeven($0) } })
            : RunnableFlow(flow)
        })
      let state = await BatchRun(plan).execute()
      #expect(state.flows.map(\.status) == [.passed, .passed], "\(state.flows.map(\.error))")
      #expect(targets.withLock { $0 } == ["/users", "/posts/7"])
    }
  }

  @Test func `an offline run is decorated too`() async throws {
    try await Rig.with(ok(Self.users)) { rig in
      let flow = try rig.flow()
      _ = await rig.run(flow)
      let hits = Mutex(0)
      let summary = try await flow.execute(.offline, queue: SaveQueue(), observer: { _ in }) { closures in
        closures.onLoadHit { _, _ in hits.withLock { $0 += 1 } }
      }
      #expect(summary.source == .persistence)
      #expect(hits.withLock { $0 } == 1)
    }
  }
}
