import FlowCompiler
import FlowRuntime
import FlowTesting
import ReactorCore
import Synchronization
import Testing
import TestSupport

/// A long range whose complete slices are published while the run goes on.
@Suite struct CheckpointTests {
  /// What is persisted when each request arrives; a request takes 200 seconds.
  private final class Watch: Sendable {
    let shop = CursorTests.Shop([1, 3, 5, 7].map { .init(id: $0, time: CursorTests.time($0)) })
    private let found = Mutex<[Int]>([])

    /// The number of persisted records at each request so far.
    var counts: [Int] { found.withLock { $0 } }

    func answer(_ request: ScriptedServer.Request, _ rig: Rig) -> [ScriptedServer.Step] {
      let lines = rig.scratch.text("users.jsonl")?.split(separator: "\n").count ?? 0
      found.withLock { $0.append(lines) }
      rig.clock.advance(by: .seconds(200))
      return shop.answer(request)
    }
  }

  private static func with(_ body: (Rig, Watch) async throws -> Void) async throws {
    try await Rig.with { rig in
      let watch = Watch()
      rig.answer { watch.answer($0, rig) }
      try await body(rig, watch)
    }
  }

  private static func keys(_ rest: String = "") -> String {
    CursorTests.keys(
      "start: 2023-11-01, end: 2023-11-09, query: { start: since, end: until }, slice: 2d, partial: keep",
      rest: "reachability: false\n" + rest)
  }

  @Test func `complete slices are published before others are requested`() async throws {
    try await Self.with { rig, watch in
      let flow = try rig.flow(Self.keys())
      let run = await rig.run(flow)
      #expect(run.message == "")
      #expect(watch.counts == [0, 0, 2, 2])
      #expect(rig.result?.split(separator: "\n").count == 4)
      #expect(run.kept == 4)
      #expect(run.events.contains(.paged(pages: 4, records: 4)))
      let last = try #require(
        run.events.compactMap { if case .advanced(let from, let to) = $0 { (from, to) } else { nil } }.last)
      #expect(last.0 == nil)
      #expect(last.1 == CursorTests.time(7))
      #expect(await flow.cursor?.memory()?.value == CursorTests.time(7))
      #expect(watch.shop.takeAsked().count == 4)
    }
  }

  @Test(arguments: TestStore.available)
  func `a table has the complete slices too`(_ store: TestStore) async throws {
    try await TableRig.with(store) { tables in
      let watch = Watch()
      tables.rig.answer { watch.answer($0, tables.rig) }
      let keys = Self.keys().replacing("persistence: { path: users.jsonl, mode: merge }\n", with: "")
      let run = await tables.rig.run(try tables.flow(keys, persistence: "mode: merge"))
      #expect(run.message == "")
      #expect(try await tables.lines("SELECT id FROM users ORDER BY id") == ["1", "3", "5", "7"])
      #expect(try await tables.lines("SELECT records FROM reactor_tables") == ["4"])
      #expect(try await tables.lines("SELECT count(*) FROM reactor_loads") == ["2"])
      #expect(try await tables.lines("SELECT count(*) FROM reactor_runs") == ["1"])
    }
  }

  @Test func `a slice that fails after a checkpoint is where the next run goes on`() async throws {
    try await Self.with { rig, watch in
      watch.shop.broken.withLock { _ = $0.insert("since=2023-11-05") }
      let flow = try rig.flow(Self.keys("retry: none"))
      let run = await rig.run(flow)
      #expect(run.message == "")
      let cuts = run.events.compactMap { if case .cutShort(let error) = $0 { error.message } else { nil } }
      #expect(cuts.count == 1)
      #expect(cuts.first?.hasPrefix("slice 3 of 4: ") == true)
      #expect(await flow.cursor?.memory()?.value == CursorTests.time(5))
      watch.shop.broken.withLock { $0 = [] }
      #expect(watch.shop.takeAsked().count == 3)
      #expect(await rig.run(flow).message == "")
      #expect(watch.shop.takeAsked().first?.contains("since=2023-11-05") == true)
      #expect(rig.result?.split(separator: "\n").count == 4)
    }
  }

  @Test func `a checkpoint does not prolong the deadline`() async throws {
    try await Self.with { rig, watch in
      let run = await rig.run(try rig.flow(Self.keys("deadline: 500s")))
      #expect(run.events.contains { if case .cutShort = $0 { true } else { false } })
      #expect(watch.counts.count == 3)
      #expect(rig.result?.split(separator: "\n").count == 3)
    }
  }

  @Test(arguments: ["expect: { min: 3 }", "expect: { max: 9 }"])
  func `nothing is published before the number of records is known`(_ expect: String) async throws {
    try await Self.with { rig, watch in
      let flow = try rig.flow(Self.keys(expect))
      #expect(await rig.run(flow).message == "")
      #expect(watch.counts == [0, 0, 0, 0])
    }
  }

  @Test func `a parent flow publishes its result as a whole`() async throws {
    try await Self.with { rig, watch in
      // Another run, such as another shard, takes what is published for the whole result.
      var inputs = FlowCompiler.Inputs()
      inputs.parents = [try rig.flow(Self.keys()).id]
      let flow = try rig.flow(Self.keys(), inputs: inputs)
      #expect(await rig.run(flow).message == "")
      #expect(watch.counts == [0, 0, 0, 0])
      #expect(rig.result?.split(separator: "\n").count == 4)
    }
  }

  @Test func `a full refresh replaces the result as a whole`() async throws {
    try await Self.with { rig, watch in
      var inputs = FlowCompiler.Inputs()
      inputs.isFullRefresh = true
      let flow = try rig.flow(Self.keys(), inputs: inputs)
      #expect(await rig.run(flow).message == "")
      #expect(watch.counts == [0, 0, 0, 0])
    }
  }
}
