import BatchRunner
import ReactorCore
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct BatchRunTests {
  @Test func `a run reports every flow in plan order`() async {
    let plan = RunPlan([
      FakeFlow.passing("shop.a", records: 3), FakeFlow.throwing("shop.b", .parser("does not fit")),
      FakeFlow.throwing("shop.c", .server("answered 500", status: 500)),
      FakeFlow.throwing("shop.d", ReactorError(.timeout, "too slow")), FakeFlow.throwing("shop.e", .noConnectivity),
      FakeFlow.throwing("shop.f", .persistence("disk full")),
    ])
    let state = await BatchRun(plan).execute()
    #expect(state.phase == .finished)
    #expect(state.flows.map(\.id) == ["shop.a", "shop.b", "shop.c", "shop.d", "shop.e", "shop.f"])
    #expect(state.flows.map(\.status) == [.passed, .failed, .error, .error, .error, .error])
    #expect(state.flows[1].error == .parser("does not fit"))
    #expect(state.flows.allSatisfy { $0.attempt == 1 && $0.duration != nil })
    #expect(state.counters[.passed] == 1)
    #expect(state.counters[.failed] == 1)
    #expect(state.counters[.error] == 4)
    #expect(state.counters.records == 3)
    #expect(state.counters.ended == 6)
  }

  @Test(arguments: [(jobs: 1, perHost: 1), (8, 4), (3, 2), (16, 4), (4, 16)])
  func `limits hold and are used up`(jobs: Int, perHost: Int) async {
    let all = Gauge()
    let hosts = (0..<3).map { _ in Gauge() }
    // Flows of three hosts, most of them of the first; each waits until as many run as may.
    let flows = (0..<60).map { number in
      let host = number < 40 ? 0 : number % 3
      return RunnableFlow(id: "f.\(number)", host: "http://h\(host):80", timeout: .seconds(30)) { _, _ in
        all.enter()
        hosts[host].enter()
        for _ in 0..<50 { await Task.yield() }
        hosts[host].leave()
        all.leave()
        return FetchSummary(source: .network, records: 1)
      }
    }
    let state = await BatchRun(RunPlan(flows, limits: RunLimits(jobs: jobs, perHost: perHost))).execute()
    #expect(state.counters[.passed] == 60)
    #expect(all.most <= jobs)
    for host in hosts { #expect(host.most <= perHost) }
  }

  @Test func `eight flows run at once and four of a host`() async {
    let arrived = Mutex(0)
    let allHere = Gate()
    // Six flows of one host and six of another: four and four can meet, and they wait for each other.
    let flows = (0..<12).map { number in
      RunnableFlow(id: "f.\(number)", host: "http://h\(number / 6):80", timeout: .seconds(30)) { _, _ in
        let count = arrived.withLock { count in
          count += 1
          return count
        }
        if count == 8 { allHere.open() }
        await allHere.wait()
        return FetchSummary(source: .network, records: 1)
      }
    }
    let state = await BatchRun(RunPlan(flows)).execute()
    #expect(state.counters[.passed] == 12)
  }

  @Test func `a thousand flows of which a hundred are hostile give nine hundred results`() async {
    let errors: [ReactorError] = [
      .parser("no"), .server("no"), .noConnectivity, .persistence("no"), ReactorError(.timeout, "no"), .cancelled,
    ]
    let flows = (0..<1000).map { number in
      number % 10 == 3
        ? FakeFlow.throwing("f.\(number)", errors[number / 10 % errors.count], host: "http://h\(number % 7)")
        : FakeFlow.passing("f.\(number)", host: "http://h\(number % 7)", records: number)
    }
    let state = await BatchRun(RunPlan(flows)).execute()
    for (number, flow) in state.flows.enumerated() where number % 10 != 3 {
      #expect(flow.status == .passed && flow.records == number)
    }
    #expect(state.counters[.passed] == 900)
    #expect(state.counters[.failed] + state.counters[.error] + state.counters[.cancelled] == 100)
  }

  @Test(arguments: [1, 2, 16]) func `the last state does not depend on the number of jobs`(jobs: Int) async {
    let flows = (0..<200).map { number in
      number % 9 == 0
        ? FakeFlow.throwing("f.\(number)", .parser("no \(number)"), host: "http://h\(number % 5)")
        : FakeFlow.passing("f.\(number)", host: "http://h\(number % 5)", records: number)
    }
    let state = await BatchRun(RunPlan(flows, limits: RunLimits(jobs: jobs))).execute()
    #expect(state.flows.map(\.id) == (0..<200).map { "f.\($0)" })
    #expect(state.flows.map(\.records) == (0..<200).map { $0 % 9 == 0 ? 0 : $0 })
    #expect(state.flows.map(\.status) == (0..<200).map { $0 % 9 == 0 ? .failed : .passed })
  }

  @Test func `ten thousand flows all end`() async {
    // The thread sanitizer makes each change of the state some hundred times as long.
    let count = Sanitizer.isOn ? 1_000 : 10_000
    let flows = (0..<count).map { FakeFlow.passing("f.\($0)", host: "http://h\($0 % 100)") }
    let state = await BatchRun(RunPlan(flows)).execute()
    #expect(state.counters[.passed] == count)
  }

  @Test func `an empty plan ends at once`() async {
    let state = await BatchRun(RunPlan([])).execute()
    #expect(state.phase == .finished)
    #expect(state.counters.selected == 0)
  }

  @Test func `rejected records are counted, and a wholly rejected response fails the flow`() async {
    let rejection = PruneReport.Rejection(index: 0, pointer: "/id", reason: "is no integer")
    func flow(_ id: String, records: Int) -> RunnableFlow {
      RunnableFlow(id: id, host: "h", timeout: .seconds(1)) { _, _ in
        FetchSummary(source: .network, records: records, rejected: 2, rejections: [rejection], save: .withheld)
      }
    }
    let state = await BatchRun(RunPlan([flow("a", records: 5), flow("b", records: 0)])).execute()
    #expect(state.flows.map(\.status) == [.passed, .failed])
    #expect(state.flows[1].error == .parser("none of the 2 records matches the schema"))
    #expect(state.flows[0].rejections == [rejection])
    #expect(state.counters.rejected == 4)
    #expect(state.counters.records == 5)
  }
}
