import ReactorState
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct CounterTests {
  @Test func `the counter counts`() async {
    let store = ReactorStore(Counter())
    await store.dispatch(.increase)
    await store.dispatch(.increase)
    await store.dispatch(.decrease)
    let state = await store.state
    #expect(state.value == 1)
    #expect(!state.isLoading)
    #expect(state.alert == "decreased")
  }

  @Test func `it loads while it waits`() async {
    let gate = Latch()
    let store = ReactorStore(Counter(pause: { await gate.wait() }))
    store.send(.increase)
    #expect(await store.state.isLoading)
    #expect(await store.state.value == 0)
    gate.open()
    await store.idle()
    #expect(await store.state.isLoading == false)
    #expect(await store.state.value == 1)
  }

  @Test func `its changes come in the order of the documentation`() async throws {
    let store = ReactorStore(Counter())
    await store.dispatch(.increase)
    let transitions = try #require(store.transitions(after: 0))
    await store.finish()
    #expect(
      await transitions.all().map(\.mutation)
        == [.setLoading(true), .increaseValue, .setLoading(false), .setAlert("increased")])
  }

  @Test func `all states of isLoading are false, true, false`() async {
    let store = ReactorStore(Counter())
    let loading = store.allStates(of: \.isLoading)
    await store.dispatch(.increase)
    await store.finish()
    #expect(await loading.all() == [false, true, false])
  }

  @Test func `a view shows the counter and asks for more`() async {
    struct CounterView: View {
      let shown = Shown()

      func bind(to store: ReactorStore<Counter>) async {
        for await value in store.states(of: \.value) {
          shown.add(value)
          if value < 3 { store.send(.increase) } else { await store.finish() }
        }
      }
    }
    let binding = ViewBinding(CounterView())
    await binding.bind(to: ReactorStore(Counter()))
    await binding.ended()
    #expect(binding.view.shown.values == [0, 1, 2, 3])
  }
}

/// What a view drew.
final class Shown: Sendable {
  private let content = Mutex<[Int]>([])
  var values: [Int] { content.withLock { $0 } }
  func add(_ value: Int) { content.withLock { $0.append(value) } }
}
