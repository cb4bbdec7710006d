import FlowCompiler
import FlowRuntime
import FlowTesting
import ReactorCore
import Records
import Storage
import Synchronization
import TestSupport
import Testing

/// Several fetches of one declared flow, one after the other or at the same time.
@Suite(.timeLimit(.minutes(1))) struct ConcurrentFetchTests {
  private static let users = #"[{"id": 1, "name": "Ada"}, {"id": 2, "name": "Bo"}]"#

  /// Answers when the gate is open.
  private func gated(_ rig: Rig, by gate: Gate) {
    rig.answer { _ in [.until { _ in gate.isOpen.load(ordering: .acquiring) }] + ok(Self.users) }
  }

  private final class Counter: Sendable {
    private let number = Atomic(0)
    var value: Int { number.load(ordering: .relaxed) }
    func count() { number.add(1, ordering: .relaxed) }
  }

  private final class Gate: Sendable {
    let isOpen = Atomic(false)
    func open() { isOpen.store(true, ordering: .releasing) }
  }

  private static let places: [(keys: String, top: String)] = [
    ("", ""), ("persistence: users.jsonl", ""), ("persistence: { path: users.jsonl, mode: merge }", ""),
    ("persistence: { path: users.jsonl, mode: merge }\ncursor: { field: id, query: after }", ""),
    ("persistence: [users.jsonl, copy.csv]", ""), ("persistence: disabled", ""),
    ("persistence: { path: users.jsonl }\nrejected: rejected.jsonl", ""),
    ("persistence: { store: db, table: users }", "stores: { db: { sqlite: shop.db } }"),
    (
      "persistence: { store: db, table: users, mode: merge }\ncursor: { field: id, query: after }",
      "stores: { db: { sqlite: shop.db } }"
    ),
  ]

  @Test(arguments: places)
  func `five fetches in a row succeed although none waits for its save`(_ keys: String, _ top: String) async throws {
    try await Rig.with(ok(Self.users)) { rig in
      let flow = try rig.flow(keys + "\nwait: false", top: top)
      let queue = SaveQueue()
      let reactor = flow.reactor(queue: queue)
      for _ in 0..<5 {
        let fetched = try await reactor.fetchFromNetwork(flow.resource)
        #expect(fetched.save == (keys.contains("disabled") ? .notAsked : .deferred))
      }
      #expect(await queue.drain() == [])
      #expect(rig.server.requests.count == 5)
    }
  }

  @Test func `a run waits for the save of an earlier one that is not done yet`() async throws {
    try await Rig.with(ok(Self.users)) { rig in
      let flow = try rig.flow("wait: false")
      let (queue, latch) = (SaveQueue(), TestSupport.Latch())
      // The saves of one resource run one after the other.
      await queue.add(flow.id, for: flow.resource) { () async throws(ReactorError) in await latch.wait() }
      let first = try await flow.execute(.fresh, queue: queue) { _ in }
      #expect(first.save == .deferred)
      let second = Task { try await flow.execute(.fresh, queue: queue) { _ in } }
      for _ in 0..<1_000 { await Task.yield() }
      #expect(rig.server.requests.count == 1)
      latch.open()
      #expect(try await second.value.save == .deferred)
      #expect(await queue.drain() == [])
      #expect(rig.server.requests.count == 2)
    }
  }

  @Test func `records are read before their save has ended`() async throws {
    try await Rig.with(ok(Self.users)) { rig in
      let flow = try rig.flow("wait: false")
      let queue = SaveQueue()
      for _ in 0..<5 {
        let fetched = try await flow.reactor(queue: queue).fetchFromNetwork(flow.resource)
        #expect(try await fetched.model.values().count == 2)
      }
      #expect(await queue.drain() == [])
    }
  }

  @Test(arguments: places, ["", "\nwait: false"])
  func `fetches at the same time share one pull`(_ place: (keys: String, top: String), _ wait: String) async throws {
    try await Rig.with { rig in
      let gate = Gate()
      gated(rig, by: gate)
      let flow = try rig.flow(place.keys + wait, top: place.top)
      let queue = SaveQueue()
      let (begun, finished) = (Counter(), Counter())
      try await withThrowingTaskGroup(of: Int.self) { group in
        for _ in 0..<20 {
          group.addTask {
            let reactor = flow.reactor(queue: queue) { event in
              if case .missed = event { begun.count() }
              if case .finished(.parse, _) = event { finished.count() }
            }
            return try await reactor.fetch(flow.resource).model.values().count
          }
        }
        while begun.value < 20 { await Task.yield() }
        for _ in 0..<1_000 { await Task.yield() }
        gate.open()
        for try await count in group { #expect(count == 2) }
      }
      #expect(rig.server.requests.count == 1)
      #expect(finished.value == 20)
      #expect(await queue.drain() == [])
    }
  }

  @Test func `a fetch that is cancelled leaves the others their pull, and the last one ends it`() async throws {
    try await Rig.with { rig in
      let gate = Gate()
      gated(rig, by: gate)
      let flow = try rig.flow()
      func fetch() -> Task<Int, any Error> {
        Task { try await flow.reactor().fetch(flow.resource).model.values().count }
      }
      let (first, second) = (fetch(), fetch())
      while rig.server.requests.isEmpty { await Task.yield() }
      first.cancel()
      await #expect(throws: ReactorError.cancelled) { try await first.value }
      second.cancel()
      await #expect(throws: ReactorError.cancelled) { try await second.value }
      gate.open()
      #expect(try await fetch().value == 2)
    }
  }

  @Test func `fetches of different resources wait for each other and all succeed`() async throws {
    try await Rig.with(ok(Self.users)) { rig in
      let flow = try rig.flow()
      try await withThrowingTaskGroup(of: Void.self) { group in
        for number in 0..<10 {
          group.addTask {
            var resource = flow.resource
            resource.query.append(Resource.QueryItem("team", "\(number)"))
            let fetched = try await flow.reactor().fetch(resource)
            #expect(fetched.source == .network && fetched.save == .saved)
          }
        }
        try await group.waitForAll()
      }
      #expect(rig.server.requests.count == 10)
    }
  }

  @Test func `fetches whose records a caller changes succeed at the same time`() async throws {
    try await Rig.with(ok(Self.users)) { rig in
      let flow = try rig.flow()
      let closures = flow.reactorFlow().mapNetwork { set in
        RecordSet(
          schema: set.schema, count: 1, format: .jsonLines, content: .memory(Array("{\"id\":7,\"name\":\"x\"}\n".utf8)))
      }
      try await withThrowingTaskGroup(of: Int.self) { group in
        for _ in 0..<10 {
          group.addTask { try await flow.reactor(closures).fetchFromNetwork(flow.resource).model.values().count }
        }
        for try await count in group { #expect(count == 1) }
      }
    }
  }

  @Test func `another process is still refused at once`() async throws {
    try await Rig.with(ok(Self.users)) { rig in
      let lock = try await rig.environment.root.lock(OutputPath(parsing: "users.jsonl"))
      defer { lock.release() }
      let flow = try rig.flow()
      let error = await #expect(throws: ReactorError.self) { try await flow.reactor().fetch(flow.resource) }
      #expect(error?.isOtherRun == true)
      #expect(rig.server.requests.isEmpty)
    }
  }

  @Test func `a failed pull fails every fetch that shares it, and the next one asks again`() async throws {
    try await Rig.with(answer("404 Not Found", "{}")) { rig in
      let flow = try rig.flow()
      for _ in 0..<3 {
        let error = await #expect(throws: ReactorError.self) { try await flow.reactor().fetch(flow.resource) }
        #expect(error?.status == 404)
      }
      #expect(rig.server.requests.count == 3)
    }
  }

  private static let child = "  posts:\n    resource: /posts\n    each: users\n"

  @Test func `a child flow whose parent does not run fails with words`() async throws {
    try await Rig.with(ok(Self.users)) { rig in
      let flows = try rig.compile(rig.text() + Self.child).accepted()
      let child = try #require(flows.first { $0.name == "posts" })
      let parent = try #require(flows.first { $0.name == "users" })
      func expectWords(_ work: () async throws -> Void) async {
        let error = await #expect(throws: ReactorError.self) { try await work() }
        #expect(error?.kind == .server)
        #expect(error?.message == "the records of 'shop.users' are needed, and that flow does not run")
        #expect(error?.help?.contains("RunPlan") == true)
      }
      await expectWords { _ = try await child.reactor().fetch(child.resource) }
      await expectWords { _ = try await child.execute(.fresh, queue: SaveQueue()) { _ in } }
      // A fetch hands no records on, so its end does not matter.
      _ = try await parent.reactor().fetch(parent.resource)
      await expectWords { _ = try await child.reactor().fetch(child.resource) }
      #expect(rig.server.requests.count == 1)
      // A run does.
      _ = try await parent.execute(.fresh, queue: SaveQueue()) { _ in }
      let fetched = try await child.reactor().fetch(child.resource)
      #expect(fetched.pages == 2)
    }
  }
}
