import BatchRunner
import ReactorCore
import ReactorState
import Testing

@Suite(.timeLimit(.minutes(1))) struct RunStateTests {
  @Test func `the mutations of a run applied again give its last state`() async {
    let flows = (0..<50).map { number in
      switch number % 5 {
      case 0: FakeFlow.throwing("f.\(number)", .parser("no"))
      case 1:
        RunnableFlow(id: "f.\(number)", host: "h", timeout: .seconds(1)) { queue, observer in
          observer(.started(.load))
          observer(.missed(.expired))
          observer(.finished(.load, .milliseconds(1)))
          observer(.started(.request))
          observer(.received(bytes: 700))
          observer(.finished(.request, .milliseconds(2)))
          await queue.add("f", for: Resource(path: "/\(number)", method: .GET)) {}
          return FetchSummary(source: .network, miss: .expired, records: 2, bytes: 900, save: .deferred)
        }
      default: FakeFlow.passing("f.\(number)")
      }
    }
    let plan = RunPlan(flows)
    let run = BatchRun(plan)
    let transitions = run.transitions()
    let last = await run.execute()
    var replayed = RunState(plan)
    var sequence = 0
    for await transition in transitions {
      sequence += 1
      #expect(transition.sequence == sequence)
      replayed.reduce(transition.mutation)
    }
    #expect(sequence > 100)
    #expect(replayed == last)
    #expect(last.counters.bytes == 9000)
    #expect(last.flows[1].miss == .expired)
    #expect(last.flows[1].save == .saved)
  }

  @Test func `a listener gets only what it asks for`() async {
    let run = BatchRun(RunPlan([FakeFlow.passing("a"), FakeFlow.passing("b")]))
    let ends = run.transitions { if case .flowFinished = $0 { true } else { false } }
    _ = await run.execute()
    var count = 0
    for await _ in ends { count += 1 }
    #expect(count == 2)
  }

  @Test func `listening to a run that is over ends at once`() async {
    let run = BatchRun(RunPlan([FakeFlow.passing("a")]))
    _ = await run.execute()
    for await transition in run.transitions() { Issue.record("\(transition)") }
  }

  @Test func `what cannot be changes nothing`() {
    var state = RunState(RunPlan([FakeFlow.passing("a")]))
    let before = state
    let result = FetchSummary(source: .network, records: 1)
    let impossible: [RunMutation] = [
      .flowFinished(0, result, at: .zero), .flowFailed(0, .cancelled, at: .zero), .saveEnded(0, nil),
      .flowStarted(7, at: .zero), .flowProgressed(-1, .started(.load)), .flowFinished(9, result, at: .zero), .draining,
    ]
    for mutation in impossible { state.reduce(mutation) }
    #expect(state == before)
    state.reduce(.flowStarted(0, at: .zero))
    state.reduce(.flowStarted(0, at: .seconds(1)))
    #expect(state.flows[0].attempt == 1)
    state.reduce(.flowFinished(0, result, at: .seconds(1)))
    state.reduce(.flowFailed(0, .cancelled, at: .seconds(2)))
    #expect(state.flows[0].status == .passed)
    #expect(state.counters[.passed] == 1)
  }

  @Test func `the state of a flow is small, because it is copied with each state of a run`() {
    #expect(MemoryLayout<FlowState>.size <= 512)
  }

  @Test func `a deferred save that failed is reported once, by its event or by the queue`() {
    var state = RunState(RunPlan([FakeFlow.passing("a")]))
    state.reduce(.flowStarted(0, at: .zero))
    state.reduce(.flowFinished(0, FetchSummary(source: .network, records: 1, save: .deferred), at: .seconds(1)))
    #expect(!state.flows[0].isSettled)
    state.reduce(.flowProgressed(0, .failed(.save, .persistence("no"))))
    state.reduce(.saveEnded(0, .persistence("no")))
    #expect(state.flows[0].isSettled)
    #expect(state.counters[.error] == 1)
    #expect(state.counters[.passed] == 0)
  }
}
