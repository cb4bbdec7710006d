import ReactorState
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(2))) struct ReentrancyTests {
  /// Changes that each enter and leave: they must never mix.
  private static let act: @Sendable (String, [String]) -> Effect<String> = { action, _ in
    .commit("enter \(action)", "exit \(action)")
  }

  private static let expected = ["enter A", "exit A", "enter B", "exit B"]

  @Test func `K-012: in 2,000 runs no action enters what another has entered`() async {
    var violations = 0
    for _ in 0..<2_000 {
      let store = ReactorStore(Machine(act: Self.act))
      let changes = store.transitions()
      async let reader: Void = {
        for await change in changes {
          if change.mutation == "enter A" { store.send("B") }
          if change.mutation == "exit B" { return }
        }
      }()
      store.send("A")
      await reader
      if await store.state != Self.expected { violations += 1 }
    }
    #expect(violations == 0)
  }

  @Test func `K-013: not even an action that reduce itself sends`() async {
    var violations = 0
    for _ in 0..<200 {
      let target = Target()
      let store = ReactorStore(
        Machine(
          apply: { state, mutation in
            state.append(mutation)
            if mutation == "enter A" { target.send("B") }
          }, act: Self.act))
      target.store.withLock { $0 = store }
      await store.dispatch("A")
      if await store.state != Self.expected { violations += 1 }
      target.store.withLock { $0 = nil }
    }
    #expect(violations == 0)
  }

  @Test func `K-012: many senders and effects at once never mix`() async {
    let store = ReactorStore(
      Machine { action, _ in
        .sequence(
          .commit("enter \(action)", "exit \(action)"), .run { _ in await Task.yield() },
          .commit("enter \(action)+", "exit \(action)+"))
      })
    await withTaskGroup(of: Void.self) { group in
      for sender in 0..<20 { group.addTask { for number in 0..<25 { store.send("\(sender).\(number)") } } }
    }
    await store.idle()
    let state = await store.state
    #expect(state.count == 2_000)
    for index in stride(from: 0, to: state.count - 1, by: 2) {
      #expect(state[index].dropFirst("enter ".count) == state[index + 1].dropFirst("exit ".count))
    }
  }

  private final class Target: Sendable {
    let store = Mutex<ReactorStore<Machine>?>(nil)
    func send(_ action: String) { store.withLock { $0 }?.send(action) }
  }
}
