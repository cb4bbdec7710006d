import Foundation
import ReactorState
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct ActionTests {
  @Test func `K-001: a reader of states is removed when its task ends`() async {
    let store = ReactorStore(Machine())
    let readers = (0..<2).map { _ in Task { for await _ in store.states {} } }
    while store.subscriberCount < 2 { await Task.yield() }
    readers[0].cancel()
    await readers[0].value
    while store.subscriberCount > 1 { await Task.yield() }
    #expect(store.subscriberCount == 1)
    readers[1].cancel()
    await readers[1].value
    while store.subscriberCount > 0 { await Task.yield() }
    #expect(store.subscriberCount == 0)
  }

  @Test func `K-001: a reader of changes is removed when its task ends`() async {
    let store = ReactorStore(Machine())
    let transitions = store.transitions()
    #expect(store.subscriberCount == 1)
    let reader = Task { for await _ in transitions {} }
    reader.cancel()
    await reader.value
    while store.subscriberCount > 0 { await Task.yield() }
  }

  @Test func `K-002: actions are forwarded one by one as they come`() async {
    let store = ReactorStore(Machine())
    var seen: [[String]] = []
    for action in ["1", "2", "3"] {
      store.send(action)
      seen.append(await store.state)
    }
    #expect(seen == [["1"], ["1", "2"], ["1", "2", "3"]])
  }

  @Test func `K-003, K-020: the error of a source of actions reaches its sender and the store continues`() async {
    let store = ReactorStore(Machine())
    for number in 0..<3 {
      let source = AsyncThrowingStream<String, any Error> { continuation in
        continuation.yield("\(2 * number)")
        continuation.yield("\(2 * number + 1)")
        continuation.finish(throwing: Failure())
      }
      await #expect(throws: Failure()) { try await store.send(contentsOf: source) }
    }
    #expect(await store.state == ["0", "1", "2", "3", "4", "5"])
  }

  @Test func `K-004, K-022: the store continues after the end of a source of actions`() async {
    let store = ReactorStore(Machine())
    for number in 0..<3 {
      let source = AsyncStream<String> { continuation in
        continuation.yield("\(2 * number)")
        continuation.yield("\(2 * number + 1)")
        continuation.finish()
      }
      await store.send(contentsOf: source)
    }
    #expect(await store.state == ["0", "1", "2", "3", "4", "5"])
  }

  @Test func `K-005, K-006: a store equals itself alone, with equal hashes`() {
    let store = ReactorStore(Machine())
    let same = store
    #expect(store == same)
    #expect(store.hashValue == same.hashValue)
    #expect(store != ReactorStore(Machine()))
  }

  @Test func `K-010: a hundred readers share one execution`() async {
    let mutated = Mutex(0)
    let store = ReactorStore(
      Machine { action, _ in
        mutated.withLock { $0 += 1 }
        return .commit(action)
      })
    await withTaskGroup(of: [[String]].self) { group in
      for _ in 0..<100 { group.addTask { await store.states.first(1) } }
      store.send("a")
      for await seen in group { #expect(seen == [[]] || seen == [["a"]]) }
    }
    #expect(await store.state == ["a"])
    #expect(mutated.withLock { $0 } == 1)
  }

  @Test func `K-011: an action may come from any thread`() async {
    let store = ReactorStore(Machine())
    let threads = DispatchGroup()
    for number in 0..<8 {
      DispatchQueue(label: "\(number)").async(group: threads) { store.send("\(number)") }
    }
    await withCheckedContinuation { continuation in threads.notify(queue: .global()) { continuation.resume() } }
    #expect(Set(await store.state) == Set((0..<8).map { "\($0)" }))
  }

  @Test func `K-014: a reader that sends present after dismiss ends with present`() async {
    struct Route: StateReactor {
      enum Action { case present, dismiss }
      struct State: Equatable { var isPresented = true }
      typealias Mutation = Action
      var initialState: State { State() }
      func reduce(_ state: inout State, _ mutation: Action) { state.isPresented = mutation == .present }
    }
    let store = ReactorStore(Route())
    let changes = store.transitions()
    // All changes, because values that are equal again may be left out of `states`.
    let all = store.transitions()
    let reader = Task {
      for await change in changes where change.mutation == .dismiss { store.send(.present) }
    }
    store.send(.dismiss)
    var mutations: [Route.Action] = []
    for await change in all {
      mutations.append(change.mutation)
      if mutations.count == 2 { break }
    }
    #expect(mutations == [.dismiss, .present])
    reader.cancel()
    #expect(await store.state.isPresented)
  }

  @Test func `K-029, K-030: a generic reactor takes the action that is sent first thing`() async {
    struct Sum<Number: AdditiveArithmetic & Sendable>: StateReactor {
      typealias Action = Number
      typealias State = Number
      typealias Mutation = Number
      var initialState: Number { .zero }
      func reduce(_ state: inout Number, _ mutation: Number) { state += mutation }
    }
    let whole = ReactorStore(Sum<Int>())
    whole.send(1)
    #expect(await whole.state == 1)
    let fraction = ReactorStore(Sum<Double>())
    fraction.send(0.5)
    fraction.send(0.25)
    #expect(await fraction.state == 0.75)
  }

  @Test func `actions of many senders keep each sender's order`() async {
    let store = ReactorStore(Machine())
    await withTaskGroup(of: Void.self) { group in
      for sender in 0..<10 {
        group.addTask { for number in 0..<200 { store.send("\(sender) \(1000 + number)") } }
      }
    }
    let state = await store.state
    #expect(state.count == 2000)
    for sender in 0..<10 {
      let own = state.filter { $0.hasPrefix("\(sender) ") }
      #expect(own == own.sorted() && own.count == 200)
    }
  }
}
