import BatchRunner
import ReactorCore
import ReactorState
import Synchronization
import Testing

/// Flows that take the records of others.
@Suite(.timeLimit(.minutes(2))) struct ParentTests {
  /// Who started when, and who had ended by then.
  private final class Log: Sendable {
    private let content = Mutex((starts: [String](), ends: [String]()))

    var starts: [String] { content.withLock { $0.starts } }

    func start(_ id: String) { content.withLock { $0.starts.append(id) } }
    func end(_ id: String) { content.withLock { $0.ends.append(id) } }
  }

  private static func flow(
    _ id: String, after: [String] = [], host: String = "h", _ log: Log = Log(),
    work: @escaping @Sendable () async throws(ReactorError) -> Void = { () async throws(ReactorError) in }
  ) -> RunnableFlow {
    RunnableFlow(
      id: id, after: after, host: host, timeout: .seconds(30), prepare: { log.start(id) }
    ) { _, _ async throws(ReactorError) in
      try await work()
      log.end(id)
      return FetchSummary(source: .network, records: 1)
    }
  }

  @Test func `the plan puts parents first and keeps the order otherwise`() {
    let plan = RunPlan([
      Self.flow("a", after: ["c"]), Self.flow("b"), Self.flow("c", after: ["d"]), Self.flow("d"),
    ])
    #expect(plan.flows.map(\.id) == ["d", "c", "a", "b"])
  }

  @Test(arguments: 1...4) func `a chain of five ends with any number of jobs`(_ jobs: Int) async {
    let log = Log()
    let flows = (0..<5).reversed().map { Self.flow("f\($0)", after: $0 == 0 ? [] : ["f\($0 - 1)"], log) }
    let state = await BatchRun(RunPlan(flows, limits: RunLimits(jobs: jobs))).execute()
    #expect(state.counters[.passed] == 5)
    #expect(log.starts == (0..<5).map { "f\($0)" })
  }

  @Test(arguments: 1...4) func `a hundred children of one parent all end`(_ jobs: Int) async {
    let log = Log()
    let flows = [Self.flow("parent", log)] + (0..<100).map { Self.flow("f\($0)", after: ["parent"], log) }
    let state = await BatchRun(RunPlan(flows, limits: RunLimits(jobs: jobs, perHost: jobs))).execute()
    #expect(state.counters[.passed] == 101)
    #expect(log.starts.first == "parent")
    if jobs == 1 { #expect(log.starts == flows.map(\.id)) }
  }

  @Test func `a child starts while its parent runs`() async {
    let childRuns = Gate()
    let flows = [
      Self.flow("parent") { () async throws(ReactorError) in await childRuns.wait() },
      Self.flow("child", after: ["parent"]) { () async throws(ReactorError) in childRuns.open() },
    ]
    let state = await BatchRun(RunPlan(flows, limits: RunLimits(jobs: 2))).execute()
    #expect(state.counters[.passed] == 2)
  }

  @Test(arguments: 0..<40) func `random plans end, and no flow starts before its parents`(_ seed: UInt64) async {
    var state = seed &* 0x9E37_79B9_7F4A_7C15 &+ 1
    func number(_ below: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % below
    }
    let log = Log()
    let count = 40
    var links: [String: [String]] = [:]
    var flows: [RunnableFlow] = []
    for flow in 0..<count {
      let parents = flow == 0 ? [] : Array(Set((0..<number(4)).map { _ in "f\(number(flow))" }))
      links["f\(flow)"] = parents
      let fails = number(8) == 0
      flows.append(
        Self.flow("f\(flow)", after: parents, host: "h\(number(4))", log) { () async throws(ReactorError) in
          for _ in 0..<3 { await Task.yield() }
          if fails { throw ReactorError.server("no") }
        })
    }
    // In any order of declaration.
    for index in flows.indices { flows.swapAt(index, number(count)) }
    let limits = RunLimits(jobs: 1 + number(4), perHost: 1 + number(3))
    let plan = RunPlan(flows, limits: limits)
    let run = BatchRun(plan)
    let transitions = run.transitions()
    let last = await run.execute()
    #expect(last.counters.ended == count)
    #expect(last.counters[.cancelled] == 0)
    var rank: [String: Int] = [:]
    for (index, id) in log.starts.enumerated() { rank[id] = index }
    #expect(rank.count == count)
    for (child, parents) in links {
      for parent in parents { #expect(rank[parent, default: count] < rank[child, default: 0]) }
    }
    var replayed = RunState(plan)
    for await transition in transitions { replayed.reduce(transition.mutation) }
    #expect(replayed == last)
  }

  @Test(arguments: 1...3) func `a parent that has failed fails what comes after it, by name`(_ jobs: Int) async {
    let flows = [
      FakeFlow.throwing("a", .parser("does not fit")), Self.flow("b", after: ["a"]), Self.flow("c", after: ["b"]),
      Self.flow("d"),
    ]
    let state = await BatchRun(RunPlan(flows, limits: RunLimits(jobs: 1))).execute()
    #expect(state.flows.map(\.status) == [.failed, .error, .error, .passed])
    #expect(state.flows[1].error == .server("its parent 'a' failed: does not fit"))
    #expect(state.flows[2].error?.message == "its parent 'b' failed: its parent 'a' failed: does not fit")
  }

  @Test func `a parent that is not part of the run is named`() async {
    let state = await BatchRun(RunPlan([Self.flow("b", after: ["a"])])).execute()
    #expect(state.flows[0].error == .server("the flow needs the records of 'a', which is not part of this run"))
  }

  @Test func `a waiting parent that is cancelled cancels its children, and the run ends`() async {
    let (started, goesOn) = (Gate(), Gate())
    let run = BatchRun(
      RunPlan(
        [
          Self.flow("first") { () async throws(ReactorError) in
            started.open()
            await goesOn.wait()
          },
          Self.flow("parent"), Self.flow("child", after: ["parent"]),
        ], limits: RunLimits(jobs: 1)))
    async let last = run.execute()
    await started.wait()
    await run.store.dispatch(.cancel(1))
    goesOn.open()
    let state = await last
    #expect(state.flows.map(\.status) == [.passed, .cancelled, .cancelled])
    #expect(state.flows[2].error == ReactorError(.cancelled, "its parent 'parent' was cancelled"))
  }

  @Test func `a child whose parent runs again waits for it to start again`() async {
    let (log, stays, again) = (Log(), Gate(), Gate())
    let attempts = Mutex(0)
    let flows = [
      Self.flow("parent", log) { () async throws(ReactorError) in
        let attempt = attempts.withLock { attempts in
          attempts += 1
          return attempts
        }
        if attempt == 1 { throw ReactorError.server("no") }
      },
      Self.flow("child", after: ["parent"], log) { () async throws(ReactorError) in again.open() },
      Self.flow("stays", host: "other") { () async throws(ReactorError) in await stays.wait() },
    ]
    let run = BatchRun(RunPlan(flows, limits: RunLimits(jobs: 2)))
    let ends = run.transitions {
      if case .flowFailed = $0 { true } else { false }
    }
    async let last = run.execute()
    var failed = 0
    for await _ in ends {
      failed += 1
      if failed == 2 { break }
    }
    await run.store.dispatch(.retry(0))
    await run.store.dispatch(.retry(1))
    await again.wait()
    stays.open()
    let state = await last
    #expect(state.counters[.passed] == 3)
    #expect(log.starts.filter { $0 == "parent" }.count == 2)
  }

  @Test func `stopping after a failure takes waiting children off`() async {
    let flows = [
      FakeFlow.throwing("a", .server("no")), Self.flow("b", after: ["a"]), Self.flow("c", after: ["b"]),
    ]
    let state = await BatchRun(RunPlan(flows, limits: RunLimits(jobs: 1, maxFailures: 1))).execute()
    #expect(state.flows.map(\.status) == [.error, .cancelled, .cancelled])
    #expect(state.stop == .failures)
  }

  @Test func `cancelling everything ends parents and children`() async {
    let started = Gate()
    let run = BatchRun(
      RunPlan(
        [
          FakeFlow.endless("a", started: started),
          Self.flow("b", after: ["a"]) { () async throws(ReactorError) in
            await Gate().wait()
            throw .cancelled
          },
        ], limits: RunLimits(jobs: 2)))
    async let last = run.execute()
    await started.wait()
    run.cancel()
    let state = await last
    #expect(state.flows.map(\.status) == [.cancelled, .cancelled])
  }

  @Test func `flows that wait for each other in a circle still end`() async {
    let flows = [Self.flow("a", after: ["b"]), Self.flow("b", after: ["a"]), Self.flow("c", after: ["c"])]
    let state = await BatchRun(RunPlan(flows, limits: RunLimits(jobs: 1))).execute()
    #expect(state.counters[.passed] == 3)
  }
}
