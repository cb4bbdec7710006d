import BatchRunner
import ReactorCore
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(1))) struct CancellationTests {
  @Test func `cancelling ends running flows and starts no others`() async {
    let started = Gate()
    let later = Mutex(false)
    let flows = [
      FakeFlow.passing("a"), FakeFlow.endless("b", started: started),
      RunnableFlow(id: "c", host: "h", timeout: .seconds(1)) { _, _ in
        later.withLock { $0 = true }
        return FetchSummary(source: .network, records: 1)
      },
    ]
    let run = BatchRun(RunPlan(flows, limits: RunLimits(jobs: 1)))
    async let last = run.execute()
    await started.wait()
    run.cancel()
    let state = await last
    #expect(state.flows.map(\.status) == [.passed, .cancelled, .cancelled])
    #expect(state.flows.map(\.attempt) == [1, 1, 0])
    #expect(state.isCancelled)
    #expect(state.phase == .finished)
    #expect(later.withLock { $0 } == false)
  }

  @Test func `cancelling the task cancels the run`() async {
    let started = Gate()
    let run = BatchRun(RunPlan([FakeFlow.endless("a", started: started), FakeFlow.endless("b")]))
    let task = Task { await run.execute() }
    await started.wait()
    task.cancel()
    #expect(await task.value.counters[.cancelled] == 2)
  }

  @Test func `a run cancelled before its start runs nothing`() async {
    let run = BatchRun(RunPlan([FakeFlow.passing("a"), FakeFlow.passing("b")]))
    run.cancel()
    let state = await run.execute()
    #expect(state.flows.map(\.status) == [.cancelled, .cancelled])
    #expect(state.flows.map(\.attempt) == [0, 0])
  }

  @Test func `a flow that ends well although it was cancelled has passed`() async {
    let started = Gate()
    let flow = RunnableFlow(id: "a", host: "h", timeout: .seconds(1)) { _, _ in
      started.open()
      await Gate().wait()
      return FetchSummary(source: .network, records: 7)
    }
    let run = BatchRun(RunPlan([flow]))
    async let last = run.execute()
    await started.wait()
    run.cancel()
    #expect(await last.flows[0].status == .passed)
  }

  @Test func `deferred saves are drained after cancelling`() async {
    let started = Gate()
    let saveStarted = Gate()
    let saveMayEnd = Gate()
    let saved = Mutex(false)
    let saving = RunnableFlow(id: "a", host: "h", timeout: .seconds(1)) { queue, _ in
      await queue.add("a", for: Resource(path: "/a", method: .GET)) {
        saveStarted.open()
        await saveMayEnd.wait()
        saved.withLock { $0 = true }
      }
      return FetchSummary(source: .network, records: 1, save: .deferred)
    }
    let run = BatchRun(RunPlan([saving, FakeFlow.endless("b", started: started)]))
    async let last = run.execute()
    await started.wait()
    await saveStarted.wait()
    run.cancel()
    saveMayEnd.open()
    let state = await last
    #expect(saved.withLock { $0 })
    #expect(state.flows.map(\.status) == [.passed, .cancelled])
    #expect(state.flows[0].save == .saved)
  }

  @Test(arguments: [false, true]) func `a failed deferred save is the flow's own`(tolerates: Bool) async {
    let error = ReactorError.persistence("no space left", path: "out/a.json")
    var saving = RunnableFlow(id: "a", host: "h", timeout: .seconds(1)) { queue, _ in
      await queue.add("a", for: Resource(path: "/a", method: .GET)) { () throws(ReactorError) in throw error }
      return FetchSummary(source: .network, records: 1, save: .deferred)
    }
    saving.toleratesSaveFailure = tolerates
    let state = await BatchRun(RunPlan([saving, FakeFlow.passing("b")])).execute()
    #expect(state.flows.map(\.status) == [tolerates ? .passed : .error, .passed])
    #expect(state.flows[0].save == (tolerates ? .failedTolerated(error) : .failed(error)))
    #expect(state.flows[0].error == (tolerates ? nil : error))
    #expect(state.counters[.passed] == (tolerates ? 2 : 1))
  }

  @Test func `a flow past its deadline is cancelled and the others go on`() async {
    let now = Mutex(Duration.zero)
    let tick = Gate()
    // Each look at the deadlines comes a minute later; the first waits for the flow to be under way.
    let clock = RunClock(stopwatch: Stopwatch { now.withLock { $0 } }) { _ in
      await tick.wait()
      try Task.checkCancellation()
      now.withLock { $0 += .seconds(60) }
      await Task.yield()
    }
    let flows = [FakeFlow.endless("a", started: tick), FakeFlow.passing("b")]
    let plan = RunPlan(flows, limits: RunLimits(overrun: .seconds(90)))
    let state = await BatchRun(plan, clock: clock).execute()
    #expect(state.flows.map(\.status) == [.error, .passed])
    #expect(state.flows[0].error == ReactorError(.timeout, "the flow did not end within 120 s"))
    #expect(!state.isCancelled)
  }
}
