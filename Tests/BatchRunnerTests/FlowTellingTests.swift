import ReactorCore
import ReactorState
import Testing

@testable import BatchRunner

/// What a run that nobody looks at learns of its flows.
@Suite(.timeLimit(.minutes(1))) struct FlowTellingTests {
  private static let events: [FlowEvent] = [
    .started(.load), .finished(.load, .milliseconds(1)), .missed(.absent), .started(.request), .received(bytes: 10),
    .retrying(attempt: 1, reason: .status(503), wait: .zero), .waiting(.seconds(1)),
    .finished(.request, .milliseconds(2)), .received(bytes: 70_000), .started(.parse), .paged(pages: 2, records: 5),
    .pruned(PruneReport(kept: 5)), .missingFields(.parser("a name is misspelt")),
    .finished(.parse, .milliseconds(3)), .started(.save), .unstamped(.persistence("no stamp")),
    .finished(.save, .milliseconds(4)),
  ]

  private func flow(_ id: String, ends: @escaping @Sendable () async throws(ReactorError) -> FlowResult) -> RunnableFlow
  {
    RunnableFlow(id: id, host: "h", timeout: .seconds(30)) { (_, observer) async throws(ReactorError) in
      for event in Self.events { observer(event) }
      return try await ends()
    }
  }

  private func plan(isWatched: Bool) -> RunPlan {
    let passes = flow("a") { () async throws(ReactorError) in
      var result = FlowResult(source: .network, records: 5, save: .saved)
      (result.pages, result.bytes, result.miss) = (2, 70_000, .absent)
      for (place, step) in [FlowStep.load, .request, .parse].enumerated() {
        result.timings[step] = .milliseconds(place + 1)
      }
      return result
    }
    let fails = flow("b") { () async throws(ReactorError) in throw .parser("no") }
    var plan = RunPlan([passes, fails], limits: RunLimits(jobs: 1))
    plan.isWatched = isWatched
    return plan
  }

  private func run(isWatched: Bool) async -> (state: RunState, told: [RunMutation]) {
    let run = BatchRun(plan(isWatched: isWatched), clock: RunClock(stopwatch: Stopwatch { .zero }) { _ in })
    let transitions = run.transitions()
    async let told = transitions.reduce(into: [RunMutation]()) { $0.append($1.mutation) }
    return (await run.execute(), await told)
  }

  @Test func `the last state is the same, whether somebody looks or not`() async {
    let (watched, unwatched) = (await run(isWatched: true), await run(isWatched: false))
    // Only what a flow did last is not known of one that has a result.
    #expect(watched.state.flows[0].step == .save)
    #expect(unwatched.state.flows[0].step == nil)
    var states = watched.state.flows
    states[0].step = nil
    #expect(states == unwatched.state.flows)
    #expect(states[0].timings.save == .milliseconds(4))
    // Of one that failed everything is told.
    #expect(states[1].step == .save)
    #expect(states[1].bytes == 70_000)
    #expect(watched.state.counters == unwatched.state.counters)
  }

  @Test func `a flow with a result is told of by what its result does not tell`() async {
    let told = await run(isWatched: false).told.compactMap { mutation -> FlowEvent? in
      if case .flowProgressed(0, let event) = mutation { event } else { nil }
    }
    #expect(
      told == [
        .retrying(attempt: 1, reason: .status(503), wait: .zero), .missingFields(.parser("a name is misspelt")),
        .unstamped(.persistence("no stamp")), .finished(.save, .milliseconds(4)),
      ])
    let watched = await run(isWatched: true).told.count { if case .flowProgressed(0, _) = $0 { true } else { false } }
    #expect(watched == Self.events.count)
  }

  @Test(arguments: [true, false]) func `a run that is stopped tells where its flows are`(_ isDraining: Bool) async {
    let started = Gate()
    let hangs = RunnableFlow(id: "a", host: "h", timeout: .seconds(30)) { (_, observer) async throws(ReactorError) in
      observer(.started(.request))
      observer(.received(bytes: 7))
      started.open()
      await Gate().wait()
      throw .cancelled
    }
    var plan = RunPlan([hangs])
    plan.isWatched = false
    let run = BatchRun(plan)
    async let last = run.execute()
    await started.wait()
    #expect(run.state.flows[0].step == nil)
    if isDraining { run.drain(grace: .seconds(3600)) } else { run.store.send(.drain(grace: nil)) }
    let end = ContinuousClock.now + .seconds(10)
    while run.read({ $0.flows[0].step != .request || $0.flows[0].bytes != 7 }), .now < end { await Task.yield() }
    #expect(run.state.flows[0].step == .request)
    run.cancel()
    #expect(await last.flows[0].status == .cancelled)
  }

  @Test func `the end of a save behind a result is told`() async {
    let gate = Gate()
    let late = RunnableFlow(id: "a", host: "h", timeout: .seconds(30)) { (lane, observer) async throws(ReactorError) in
      await lane.add("a", for: Resource(path: "/a", method: .GET)) { () throws(ReactorError) in
        await gate.wait()
        observer(.started(.save))
        observer(.finished(.save, .milliseconds(9)))
      }
      return FlowResult(source: .network, records: 1, save: .deferred)
    }
    var plan = RunPlan([late])
    plan.isWatched = false
    let run = BatchRun(plan)
    async let last = run.execute()
    let end = ContinuousClock.now + .seconds(10)
    while run.read({ $0.flows[0].status != .passed }), .now < end { await Task.yield() }
    gate.open()
    let state = await last
    #expect(state.flows[0].save == .saved)
    #expect(state.flows[0].timings.save == .milliseconds(9))
  }
}
