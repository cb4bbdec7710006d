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

  @Test func `a slow reader gets every value in its order`() async {
    let relay = StateRelay(0)
    let values = relay.values
    for number in 1...1_000 { relay.accept(number) }
    var seen: [Int] = []
    for await value in values {
      seen.append(value)
      if value == 1_000 { break }
    }
    #expect(seen == Array(0...1_000))
  }

  @Test func `a store that follows a relay reduces every value`() async {
    struct Log: StateReactor {
      typealias Action = Never
      let relay: StateRelay<Int>
      var initialState: [Int] { [] }
      var externalMutations: [any AsyncSequence<Int, Never> & Sendable] { [relay.values] }
      func mutate(_ action: Never, state: [Int]) -> Effect<Int> {}
      func reduce(_ state: inout [Int], _ mutation: Int) { state.append(mutation) }
    }
    let relay = StateRelay(0)
    let store = ReactorStore(Log(relay: relay))
    for number in 1...500 { relay.accept(number) }
    var states = store.states(of: \.last).makeAsyncIterator()
    while await states.next() != 500 {}
    #expect(await store.state == Array(0...500))
  }

  @Test func `tasks that change the value at the same time lose none of their changes`() async {
    let relay = StateRelay(0)
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<8 { group.addTask { for _ in 0..<1_000 { relay.update { $0 += 1 } } } }
    }
    #expect(relay.value == 8_000)
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
