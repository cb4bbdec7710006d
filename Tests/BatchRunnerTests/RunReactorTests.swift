import BatchRunner
import ReactorCore
import ReactorState
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(1))) struct RunReactorTests {
  /// A flow whose attempts end as they are told to.
  private final class Scripted: Sendable {
    private let attempts = Mutex(0)
    let gates = (0..<4).map { _ in Gate() }
    let began = (0..<4).map { _ in Gate() }
    let results: [Result<FetchSummary, ReactorError>]

    init(_ results: [Result<FetchSummary, ReactorError>]) { self.results = results }

    func flow(_ id: String) -> RunnableFlow {
      RunnableFlow(id: id, host: "s", timeout: .seconds(30)) { _, _ throws(ReactorError) in
        let attempt = self.attempts.withLock { attempts in
          attempts += 1
          return attempts - 1
        }
        self.began[attempt].open()
        await self.gates[attempt].wait()
        if Task.isCancelled { throw .cancelled }
        return try self.results[attempt].get()
      }
    }
  }

  @Test func `one flow is cancelled alone, running or waiting`() async {
    let started = Gate()
    let gate = Gate()
    let other = RunnableFlow(id: "b", host: "x", timeout: .seconds(1)) { _, _ in
      await gate.wait()
      return FetchSummary(source: .network, records: 1)
    }
    let flows = [FakeFlow.endless("a", started: started), other, FakeFlow.passing("c"), FakeFlow.passing("d")]
    let run = BatchRun(RunPlan(flows, limits: RunLimits(jobs: 2, perHost: 1)))
    async let last = run.execute()
    await started.wait()
    run.store.send(.cancel(2))
    run.store.send(.cancel(0))
    while run.read({ $0.flows[3].status }) != .passed { await Task.yield() }
    run.store.send(.cancel(3))
    run.store.send(.cancel(99))
    gate.open()
    let state = await last
    #expect(state.flows.map(\.status) == [.cancelled, .passed, .cancelled, .passed])
    #expect(state.flows.map(\.attempt) == [1, 1, 0, 1])
    #expect(state.stop == nil)
  }

  @Test func `a flow that is cancelled at the moment of its start is cancelled`() async {
    for _ in 0..<300 {
      let run = BatchRun(RunPlan([FakeFlow.endless("a")]))
      // Asked while the start is reduced, before the flow's task is there.
      let starts = run.transitions { [store = run.store] mutation in
        if case .flowStarted(let index, _) = mutation { store.send(.cancel(index)) }
        return false
      }
      #expect(await run.execute().flows[0].status == .cancelled)
      for await _ in starts {}
    }
  }

  @Test func `a flow that was over is run again, and only its last attempt counts`() async {
    let script = Scripted([
      .failure(.server("busy")), .success(FetchSummary(source: .network, records: 5, bytes: 70)),
      .success(FetchSummary(source: .network, records: 7, bytes: 90, pages: 3)),
    ])
    let end = Gate()
    let holding = RunnableFlow(id: "b", host: "x", timeout: .seconds(1)) { _, _ in
      await end.wait()
      return FetchSummary(source: .persistence, records: 1)
    }
    let run = BatchRun(RunPlan([script.flow("a"), holding], limits: RunLimits(jobs: 2)))
    async let last = run.execute()
    for attempt in 0..<3 {
      await script.began[attempt].wait()
      // Not while it runs.
      run.store.send(.retry(0))
      script.gates[attempt].open()
      while run.read({ $0.flows[0].status.isFinal }) == false || run.read({ $0.flows[0].attempt }) != attempt + 1 {
        await Task.yield()
      }
      if attempt < 2 { run.store.send(.retry(0)) }
    }
    end.open()
    let state = await last
    #expect(state.flows.map(\.status) == [.passed, .passed])
    #expect(state.flows[0].attempt == 3)
    #expect(state.flows[0].records == 7 && state.flows[0].pages == 3 && state.flows[0].error == nil)
    #expect(state.flows[1].pages == 0)
    #expect(state.counters.records == 8)
    #expect(state.counters.bytes == 90)
    #expect(state.counters[.error] == 0 && state.counters[.passed] == 2)
  }

  @Test func `a retry at the very end is run or refused, never lost`() async {
    for _ in 0..<300 {
      let run = BatchRun(RunPlan([FakeFlow.passing("a")]))
      let asking = Task {
        for await change in run.transitions() {
          if case .flowFinished = change.mutation { run.store.send(.retry(0)) }
          if case .flowQueued = change.mutation { return }
        }
      }
      let state = await run.execute()
      await asking.value
      #expect(state.flows[0].status == .passed)
      #expect(state.phase == .finished)
      #expect(state.counters[.queued] == 0)
    }
  }

  @Test func `the changes of a run that was meddled with, applied again, give its last state`() async {
    for round in 0..<20 {
      let flows = (0..<120).map { number in
        switch number % 6 {
        case 0: FakeFlow.throwing("f.\(number)", .parser("no"), host: "h\(number % 5)")
        case 1:
          RunnableFlow(id: "f.\(number)", host: "h\(number % 5)", timeout: .seconds(1)) { queue, observer in
            for step in [FlowStep.load, .reach, .request, .parse] {
              observer(.started(step))
              observer(.finished(step, .milliseconds(number)))
            }
            observer(.received(bytes: number))
            await queue.add("f", for: Resource(path: "/\(number)", method: .GET)) { observer(.finished(.save, .zero)) }
            return FetchSummary(source: .network, records: number, bytes: 2 * number, save: .deferred)
          }
        default: FakeFlow.passing("f.\(number)", host: "h\(number % 5)", records: number)
        }
      }
      let plan = RunPlan(flows, limits: RunLimits(jobs: 4, maxFailures: round.isMultiple(of: 2) ? 15 : nil))
      let run = BatchRun(plan)
      let log = run.transitions()
      let meddling = Task {
        for await change in run.transitions() {
          switch change.mutation {
          case .flowStarted(let index, _):
            if index % 7 == 3 { run.store.send(.cancel(index)) }
            run.store.send(.cancel((index * 13) % 120))
          case .flowFailed(let index, _, _):
            if index.isMultiple(of: 4), change.sequence < 400 { run.store.send(.retry(index)) }
          default: break
          }
        }
      }
      let last = await run.execute()
      await meddling.value
      var replayed = RunState(plan)
      var sequence = 0
      for await change in log {
        sequence += 1
        #expect(change.sequence == sequence)
        replayed.reduce(change.mutation)
      }
      #expect(replayed == last)
      #expect(last.counters[.queued] == 0 && last.counters[.running] == 0)
      for status in FlowStatus.allCases {
        #expect(last.counters[status] == last.flows.count { $0.status == status })
      }
      #expect(last.counters.records == last.flows.reduce(0) { $0 + $1.records })
      #expect(last.counters.bytes == last.flows.reduce(0) { $0 + $1.bytes })
    }
  }

  @Test func `received bytes are reported first, then in steps, and at the end exactly`() async {
    let flow = RunnableFlow(id: "a", host: "h", timeout: .seconds(1)) { _, observer in
      for kilobytes in 1...1_000 { observer(.received(bytes: 1_024 * kilobytes)) }
      return FetchSummary(source: .network, records: 1, bytes: 1_024_500)
    }
    let run = BatchRun(RunPlan([flow]))
    let changes = run.transitions { if case .flowProgressed = $0 { true } else { false } }
    let state = await run.execute()
    var told: [Int] = []
    for await change in changes {
      if case .flowProgressed(_, .received(let bytes)) = change.mutation { told.append(bytes / 1_024) }
    }
    #expect(told == Array(stride(from: 1, through: 1_000, by: 64)))
    #expect(state.flows[0].bytes == 1_024_500)
  }

  @Test func `a listener that comes late goes on after a number`() async {
    let run = BatchRun(RunPlan((0..<20).map { FakeFlow.passing("f.\($0)") }))
    let last = await run.execute()
    var replayed = RunState(run.plan)
    var sequence = 0
    guard let changes = run.transitions(after: 0) else {
      Issue.record("the first changes are gone")
      return
    }
    for await change in changes {
      replayed.reduce(change.mutation)
      sequence = change.sequence
    }
    #expect(replayed == last)
    #expect(sequence == run.store.snapshot.sequence)
  }

  @Test func `a view is bound to a run like to any store`() async {
    final class Box: Sendable { let counts = Mutex<[Int]>([]) }
    struct CountView: View {
      let box = Box()
      func bind(to store: ReactorStore<RunReactor>) async {
        for await count in store.states(of: { $0.counters[.passed] }) { box.counts.withLock { $0.append(count) } }
      }
    }
    let run = BatchRun(RunPlan((0..<50).map { FakeFlow.passing("f.\($0)") }))
    let binding = ViewBinding(CountView())
    await binding.bind(to: run.store)
    _ = await run.execute()
    await binding.ended()
    let counts = binding.view.box.counts.withLock { $0 }
    #expect(counts.last == 50)
    #expect(counts == counts.sorted())
  }
}
