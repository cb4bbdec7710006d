import ReactorState
import Testing

@Suite(.timeLimit(.minutes(1))) struct StubTests {
  private func stub() -> Stub<Machine> {
    Stub(
      Machine(
        sources: [AsyncStream { $0.yield("external") }],
        changeAction: { action in
          Issue.record("transform of \(action)")
          return action
        },
        changeState: { state in
          Issue.record("transform of \(state)")
          return state
        },
        apply: { _, mutation in Issue.record("reduce of \(mutation)") },
        act: { action, _ in
          Issue.record("mutate of \(action)")
          return .none
        }))
  }

  @Test func `K-025: the stub's store is the stub's alone`() async {
    let stub = stub()
    stub.store.send("a")
    stub.state = ["set"]
    #expect(await stub.actions == ["a"])
    #expect(await stub.store.state == ["set"])
  }

  @Test func `K-026: actions are recorded in order`() async {
    let stub = stub()
    for action in ["start", "start", "stop"] { stub.store.send(action) }
    await stub.store.dispatch("last")
    #expect(await stub.actions == ["start", "start", "stop", "last"])
  }

  @Test func `K-027: setting the state shows it each time`() async {
    let stub = stub()
    var iterator = stub.store.states.makeAsyncIterator()
    #expect(await iterator.next() == [])
    for number in 0..<3 {
      stub.state = ["\(number)"]
      #expect(await iterator.next() == ["\(number)"])
      #expect(stub.state == ["\(number)"])
    }
  }

  @Test func `K-028: an action does not change the state`() async {
    let stub = Stub(Machine(), state: ["old"])
    await stub.store.dispatch("a")
    #expect(await stub.store.state == ["old"])
    #expect(stub.store.snapshot.sequence == 0)
  }
}
