import ReactorState
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(1))) struct RelayTests {
  /// The sum of two relays as a state that follows both.
  private struct Sum: StateReactor {
    enum Mutation { case left(Int), right(Int) }
    struct State {
      var left = 0
      var right = 0
    }
    typealias Action = Never
    let left: StateRelay<Int>
    let right: StateRelay<Int>
    var initialState: State { State() }
    var externalMutations: [any AsyncSequence<Mutation, Never> & Sendable] {
      [left.values.map { .left($0) }, right.values.map { .right($0) }]
    }
    func mutate(_ action: Never, state: State) -> Effect<Mutation> {}
    func reduce(_ state: inout State, _ mutation: Mutation) {
      switch mutation {
      case .left(let value): state.left = value
      case .right(let value): state.right = value
      }
    }
  }

  @Test func `K-041: a state that follows two relays changes with each, until it is released`() async {
    let (left, right) = (StateRelay(1), StateRelay(2))
    do {
      let store = ReactorStore(Sum(left: left, right: right))
      var sums = store.states(of: { $0.left + $0.right }).makeAsyncIterator()
      while await sums.next() != 3 {}
      left.accept(5)
      #expect(await sums.next() == 7)
      right.value = 9
      #expect(await sums.next() == 14)
    }
    while left.readerCount + right.readerCount > 0 { await Task.yield() }
    left.accept(0)
  }

  @Test func `K-042: accepting a value sets it`() {
    let relay = StateRelay(1)
    relay.accept(2)
    #expect(relay.value == 2)
    relay.value += 1
    #expect(relay.value == 3)
  }

  @Test func `K-043: a released relay does not end its readers`() async {
    let hasEnded = Mutex(false)
    let values: AsyncStream<Int>
    do {
      let relay = StateRelay(1)
      values = relay.values
    }
    let reader = Task {
      for await _ in values {}
      hasEnded.withLock { $0 = true }
    }
    for _ in 0..<1_000 { await Task.yield() }
    #expect(!hasEnded.withLock { $0 })
    reader.cancel()
    await reader.value
  }

  @Test func `K-044: the sum of two relays follows them`() async {
    let (left, right) = (StateRelay(1), StateRelay(2))
    let store = ReactorStore(Sum(left: left, right: right))
    var sums = store.states(of: { $0.left + $0.right }).makeAsyncIterator()
    while await sums.next() != 3 {}
    left.value = 3
    #expect(await sums.next() == 5)
    right.value = 5
    #expect(await sums.next() == 8)
  }
}
