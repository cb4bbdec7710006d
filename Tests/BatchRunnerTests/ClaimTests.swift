import BatchRunner
import ReactorCore
import Synchronization
import TestSupport
import Testing

/// Runs whose flows other processes run, too.
struct ClaimTests {
  /// Gives the claims of a list, one after the other.
  private final class Claims: FlowClaims {
    private let list: Mutex<[FlowClaim]>
    let counts = Mutex<[Int]>([])
    let lead: Int

    init(_ claims: FlowClaim..., lead: Int = 0) {
      list = Mutex(claims)
      self.lead = lead
    }

    func claim(_ count: Int) async -> FlowClaim {
      counts.withLock { $0.append(count) }
      return list.withLock { $0.isEmpty ? .over : $0.removeFirst() }
    }
  }

  private static func flows(_ count: Int) -> [RunnableFlow] {
    (0..<count).map { FakeFlow.passing("f\($0)", records: 2) }
  }

  @Test func `a process runs the flows that it has claimed, and no other`() async {
    let claims = Claims(.flows(["f4"]), .later(.milliseconds(1)), .flows(["f1", "f3"]))
    let state = await BatchRun(RunPlan(Self.flows(6), claims: claims)).execute()
    #expect(state.phase == .finished && state.stop == nil)
    #expect(state.flows.filter { $0.status == .passed }.map(\.id) == ["f1", "f3", "f4"])
    #expect(state.flows.filter { $0.status == .elsewhere }.map(\.id) == ["f0", "f2", "f5"])
    let own = state.own(without: ["f4"])
    #expect(own.flows.map(\.id) == ["f1", "f3"])
    #expect((own.counters.selected, own.counters[.passed], own.counters.records) == (2, 2, 4))
  }

  @Test func `a process asks for short flows before it can begin them`() async {
    let claims = Claims(.flows(["f0", "f1", "f2"]), lead: 3)
    _ = await BatchRun(RunPlan(Self.flows(3), limits: RunLimits(jobs: 2), claims: claims)).execute()
    #expect(claims.counts.withLock { $0.first } == 5)
  }

  @Test func `a process asks for as many flows as it can begin`() async {
    let claims = Claims(.flows(["f0", "f1"]), .flows(["f2"]))
    _ = await BatchRun(RunPlan(Self.flows(3), limits: RunLimits(jobs: 2), claims: claims)).execute()
    #expect(claims.counts.withLock { $0.first } == 2)
    #expect(claims.counts.withLock { $0.allSatisfy { 1...2 ~= $0 } })
  }

  @Test func `a child of a claim begins after its parent`() async {
    let order = Mutex<[String]>([])
    func flow(_ id: String, after: [String] = []) -> RunnableFlow {
      RunnableFlow(id: id, after: after, host: "http://a:80", timeout: .seconds(30)) { _, _ in
        order.withLock { $0.append(id) }
        return FetchSummary(source: .network, records: 1)
      }
    }
    let claims = Claims(.flows(["parent", "child"]))
    let plan = RunPlan([flow("child", after: ["parent"]), flow("parent")], limits: RunLimits(jobs: 1), claims: claims)
    let state = await BatchRun(plan).execute()
    #expect(state.counters[.passed] == 2)
    #expect(order.withLock { $0 } == ["parent", "child"])
  }

  @Test func `a flow that was lost and comes back is run again`() async {
    let claims = Claims(.flows(["f0"]), .later(.milliseconds(100)), .flows(["f0"]))
    let state = await BatchRun(RunPlan(Self.flows(1), claims: claims)).execute()
    #expect(state.flows[0].attempt == 2 && state.flows[0].status == .passed)
  }

  @Test func `after a stop the flows that have not begun remain for the others`() async {
    let started = Gate()
    let claims = Claims(.flows(["endless", "f0"]), .later(.seconds(60)))
    let flows = [FakeFlow.endless("endless", started: started)] + Self.flows(2)
    let run = BatchRun(RunPlan(flows, limits: RunLimits(jobs: 1), claims: claims))
    async let end = run.execute()
    await started.wait()
    run.cancel()
    let state = await end
    #expect(state.flows.map(\.status) == [.cancelled, .elsewhere, .elsewhere])
    #expect(state.own().flows.map(\.id) == ["endless"])
  }
}
