import BatchRunner
import ReactorCore
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(1))) struct StoppingTests {
  /// A clock that stands still until a test moves it; whoever waits, waits until then or until he is cancelled.
  private final class HandClock: Sendable {
    private let now = Mutex(Duration.zero)
    private let moved = Mutex(Gate())

    func advance(to time: Duration) {
      now.withLock { $0 = time }
      let gate = moved.withLock { gate in
        defer { gate = Gate() }
        return gate
      }
      gate.open()
    }

    var clock: RunClock {
      RunClock(stopwatch: Stopwatch { self.now.withLock { $0 } }) { duration in
        let end = self.now.withLock { $0 } + duration
        while self.now.withLock({ $0 }) < end {
          let gate = self.moved.withLock { $0 }
          if self.now.withLock({ $0 }) >= end { return }
          await gate.wait()
          try Task.checkCancellation()
        }
      }
    }
  }

  /// A flow that ends well when its gate opens.
  private func waiting(_ id: String, started: Gate, until gate: Gate) -> RunnableFlow {
    RunnableFlow(id: id, host: "h", timeout: .seconds(3600)) { _, _ throws(ReactorError) in
      started.open()
      await gate.wait()
      if Task.isCancelled { throw .cancelled }
      return FetchSummary(source: .network, records: 1)
    }
  }

  @Test func `a draining run starts no flow and lets running flows end`() async {
    let (started, gate) = (Gate(), Gate())
    let flows = [waiting("a", started: started, until: gate), FakeFlow.passing("b")]
    let run = BatchRun(RunPlan(flows, limits: RunLimits(jobs: 1)))
    async let last = run.execute()
    await started.wait()
    run.drain(grace: .seconds(3600))
    while !run.read({ $0.isCancelled }) { await Task.yield() }
    gate.open()
    let state = await last
    #expect(state.flows.map(\.status) == [.passed, .cancelled])
    #expect(state.flows.map(\.attempt) == [1, 0])
    #expect(state.stop == .asked)
  }

  @Test func `what still runs at the end of the grace time is cancelled`() async {
    let hand = HandClock()
    let (started, gate) = (Gate(), Gate())
    let run = BatchRun(RunPlan([waiting("a", started: started, until: gate)]), clock: hand.clock)
    async let last = run.execute()
    await started.wait()
    hand.advance(to: .seconds(1))
    run.drain(grace: .seconds(20))
    while !run.read({ $0.isCancelled }) { await Task.yield() }
    // The flow knows from the signal on that the run ends.
    for _ in 0..<100_000 where !run.plan.end.precedes(.seconds(2)) { await Task.yield() }
    #expect(run.plan.end.precedes(.seconds(2)))
    #expect(!run.plan.end.precedes(.milliseconds(500)))
    hand.advance(to: .seconds(19))
    for _ in 0..<100 { await Task.yield() }
    #expect(run.read { $0.flows[0].status } == .running)
    // The wait for the grace time may begin at any moment: time goes on until it is over.
    var second = 20
    while run.read({ $0.flows[0].status == .running }) {
      hand.advance(to: .seconds(second))
      second += 1
      await Task.yield()
    }
    let state = await last
    #expect(state.flows[0].status == .cancelled)
    #expect(state.flows[0].error?.kind == .cancelled)
  }

  @Test func `without a grace time running flows are cancelled at once`() async {
    let started = Gate()
    let run = BatchRun(RunPlan([FakeFlow.endless("a", started: started)]))
    async let last = run.execute()
    await started.wait()
    run.drain(grace: .zero)
    #expect(await last.flows[0].status == .cancelled)
  }

  @Test func `asking again to stop ends the grace time`() async {
    let started = Gate()
    let run = BatchRun(RunPlan([FakeFlow.endless("a", started: started)]))
    async let last = run.execute()
    await started.wait()
    run.drain(grace: .seconds(3600))
    run.cancel()
    #expect(await last.flows[0].status == .cancelled)
  }

  @Test(arguments: [1, 2, 3]) func `after so many failures no flow starts`(most: Int) async {
    let flows = (0..<20).map { number in
      number.isMultiple(of: 4) ? FakeFlow.throwing("\(number)", .parser("no")) : FakeFlow.passing("\(number)")
    }
    let limits = RunLimits(jobs: 1, maxFailures: most)
    let state = await BatchRun(RunPlan(flows, limits: limits)).execute()
    let begun = 4 * (most - 1) + 1
    #expect(state.counters[.failed] == most)
    #expect(state.flows.map { $0.attempt } == (0..<20).map { $0 < begun ? 1 : 0 })
    #expect(state.counters[.cancelled] == 20 - begun)
    #expect(state.stop == .failures)
  }

  @Test func `flows that run at the last failure may end`() async {
    let (started, gate) = (Gate(), Gate())
    let failing = RunnableFlow(id: "b", host: "x", timeout: .seconds(1)) { _, _ throws(ReactorError) in
      await started.wait()
      throw .server("no")
    }
    let flows = [waiting("a", started: started, until: gate), failing, FakeFlow.passing("c"), FakeFlow.passing("d")]
    let run = BatchRun(RunPlan(flows, limits: RunLimits(jobs: 2, maxFailures: 1)))
    async let last = run.execute()
    while run.read({ $0.stop }) == nil { await Task.yield() }
    gate.open()
    #expect(await last.flows.map(\.status) == [.passed, .error, .cancelled, .cancelled])
  }

  @Test func `a run whose failures come last was not stopped`() async {
    let flows = [FakeFlow.passing("a"), FakeFlow.throwing("b", .parser("no"))]
    let state = await BatchRun(RunPlan(flows, limits: RunLimits(jobs: 1, maxFailures: 1))).execute()
    #expect(state.stop == nil)
    #expect(!state.isCancelled)
  }

  @Test func `at the end of the run's time waiting flows are taken off and running ones cancelled`() async {
    let hand = HandClock()
    let started = Gate()
    let saved = Mutex(false)
    let saving = RunnableFlow(id: "s", host: "h", timeout: .seconds(1)) { queue, _ in
      await queue.add("s", for: Resource(path: "/s", method: .GET)) { saved.withLock { $0 = true } }
      return FetchSummary(source: .network, records: 1, save: .deferred)
    }
    let flows = [saving, FakeFlow.endless("a", started: started), FakeFlow.passing("b")]
    let limits = RunLimits(jobs: 1, totalTimeout: .seconds(30))
    let run = BatchRun(RunPlan(flows, limits: limits), clock: hand.clock)
    async let last = run.execute()
    await started.wait()
    let ticks = Task {
      for second in 1...60 where !Task.isCancelled { hand.advance(to: .seconds(second)); await Task.yield() }
    }
    let state = await last
    ticks.cancel()
    #expect(state.flows.map(\.status) == [.passed, .error, .cancelled])
    #expect(state.flows[1].error == ReactorError(.timeout, "the time for the whole run was over before the flow ended"))
    #expect(state.stop == .timeout)
    #expect(saved.withLock { $0 })
    #expect((state.ended ?? .zero) >= .seconds(30))
  }
}
