import ReactorState
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct StateTests {
  @Test func `K-015: an action passes the five stages in order, the first state the last one alone`() async {
    let store = ReactorStore(
      Machine(
        initialState: ["start"], changeAction: { $0 + " action" }, changeMutation: { $0 + " mutation" },
        changeState: { $0.map { $0 + " state" } }, apply: { $0 = [$1 + " reduce"] },
        act: { action, _ in .commit(action + " mutate") }))
    #expect(await store.states.first(1) == [["start state"]])
    await store.dispatch("go")
    #expect(await store.state == ["go action mutate mutation reduce state"])
    #expect(store.snapshot.state == ["go action mutate mutation reduce"])
  }

  @Test func `transform(state:) runs once for each change, whatever the number of readers, and may read the store`()
    async
  {
    let calls = Mutex<[[String]]>([])
    let observed = Mutex<ReactorStore<Machine>?>(nil)
    let store = ReactorStore(
      Machine(changeState: { state in
        calls.withLock { $0.append(state) }
        // With the state's lock held, this never returns.
        _ = observed.withLock { $0 }?.currentState
        return state.map { $0.uppercased() }
      }))
    observed.withLock { $0 = store }
    let readers = (0..<5).map { _ in store.allStates(of: { $0 }) }
    for _ in 0..<5 { #expect(await store.states.first(1) == [[]]) }
    await store.dispatch("a")
    for _ in 0..<5 { #expect(await store.states.first(1) == [["A"]]) }
    await store.dispatch("b")
    await store.finish()
    for reader in readers { #expect(await reader.all() == [[], ["A"], ["A", "B"]]) }
    #expect(store.currentState == ["A", "B"])
    #expect(calls.withLock { $0 } == [[], ["a"], ["a", "b"]])
    observed.withLock { $0 = nil }
  }

  @Test func `all states skip no value and repeat none`() async {
    let store = ReactorStore(Machine { action, _ in .commit(action, "", "end") })
    await store.dispatch("before")
    let lengths = store.allStates(of: { $0.joined().count })
    for action in ["1", "", "22"] { store.send(action) }
    await store.finish()
    #expect(await lengths.all() == [9, 10, 13, 16, 18, 21])
  }

  @Test func `an action and a mutation can be dropped`() async {
    let store = ReactorStore(
      Machine(changeAction: { $0 == "no" ? nil : $0 }, changeMutation: { $0 == "bad" ? nil : $0 }))
    for action in ["a", "no", "bad", "b"] { await store.dispatch(action) }
    #expect(await store.state == ["a", "b"])
    #expect(store.snapshot.sequence == 2)
  }

  @Test func `K-017: a new reader gets the latest state alone`() async {
    let store = ReactorStore(Machine(apply: { $0 = [$1] }))
    let reader = Task { await store.states.all() }
    await store.dispatch("1")
    await store.dispatch("2")
    reader.cancel()
    _ = await reader.value
    #expect(await store.states.first(1) == [["2"]])
  }

  @Test func `K-018, K-019: what was sent is in the state that is read next, transformed`() async {
    let store = ReactorStore(Machine(changeState: { $0 + ["seen"] }))
    store.send("first thing")
    #expect(await store.state == ["first thing", "seen"])
    store.send("then")
    #expect(await store.state == ["first thing", "then", "seen"])
  }

  @Test func `K-031: the last reference releases store, state and effects`() async {
    let ended = Latch()
    let began = Latch()
    weak var released: ReactorStore<Machine>?
    let states: States<Machine, [String]>
    do {
      let store = ReactorStore(
        Machine { _, _ in
          .run { emit in
            began.open()
            await Latch().wait()
            await emit("late")
            ended.open()
          }
        })
      released = store
      states = store.states
      store.send("go")
      await began.wait()
      #expect(released != nil)
    }
    // The store's own turn may end a moment after the effect has begun.
    while released != nil { await Task.yield() }
    await ended.wait()
    #expect(await states.all() == [[]])
  }

  @Test func `external mutations are reduced in order, one source's end ends nothing`() async {
    let relay = StateRelay("a")
    let source = AsyncStream<String> { continuation in
      for word in ["x", "y", "z"] { continuation.yield(word) }
      continuation.finish()
    }
    let store = ReactorStore(
      Machine(sources: [source, relay.values.map { "user " + $0 }], changeMutation: { $0.uppercased() }))
    let all = await store.states.first { $0.count == 4 }
    #expect(all?.filter { $0.count == 1 } == ["X", "Y", "Z"])
    #expect(all?.contains("USER A") == true)
    relay.accept("b")
    #expect(await store.states.first { $0.count == 5 }?.last == "USER B")
    store.send("c")
    #expect(await store.state.last == "C")
  }

  @Test func `sources are released with the store`() async {
    let relay = StateRelay(1)
    do {
      let store = ReactorStore(Machine(sources: [relay.values.map { "\($0)" }]))
      _ = await store.states.first { $0 == ["1"] }
    }
    while relay.readerCount > 0 { await Task.yield() }
  }

  @Test func `a slow reader skips states and gets the last one`() async {
    let store = ReactorStore(Machine())
    var iterator = store.states.makeAsyncIterator()
    #expect(await iterator.next() == [])
    for number in 0..<1_000 { store.send("\(number)") }
    await store.finish()
    #expect(await iterator.next()?.count == 1_000)
    #expect(await iterator.next() == nil)
  }

  @Test func `values of a part come only when they differ`() async {
    let store = ReactorStore(Machine())
    let lengths = store.states(of: { $0.joined().count })
    var iterator = lengths.makeAsyncIterator()
    #expect(await iterator.next() == 0)
    await store.dispatch("")
    await store.dispatch("abc")
    #expect(await iterator.next() == 3)
    await store.dispatch("")
    await store.finish()
    #expect(await iterator.next() == nil)
  }

  @Test func `changes are numbered without a gap and nothing is lost`() async {
    let store = ReactorStore(Machine())
    let early = store.transitions()
    for number in 0..<5_000 { store.send("\(number)") }
    await store.finish()
    let seen = await early.all()
    #expect(seen.map(\.sequence) == Array(1...5_000))
    #expect(seen.map(\.mutation) == (0..<5_000).map { "\($0)" })
    var replayed: [String] = []
    for change in seen { store.reactor.reduce(&replayed, change.mutation) }
    #expect(await replayed == store.state)
  }

  @Test func `a reader continues after a number while its changes are retained`() async {
    let store = ReactorStore(Machine(), history: 10)
    for number in 1...100 { store.send("\(number)") }
    _ = await store.state
    #expect(store.transitions(after: 89) == nil)
    #expect(store.transitions(after: 0) == nil)
    let (state, sequence) = store.snapshot
    #expect(state.count == 100 && sequence == 100)
    let lists = [90, 95, 100].map { store.transitions(after: $0) }
    let even = store.transitions(after: 90) { Int($0)?.isMultiple(of: 2) == true }
    store.send("101")
    await store.finish()
    for (list, first) in zip(lists, [91, 96, 101]) {
      #expect(await list?.all().map(\.sequence) == Array(first...101))
    }
    #expect(await even?.all().map(\.mutation) == ["92", "94", "96", "98", "100"])
  }

  @Test func `a finished store retains its state and ignores actions`() async {
    let store = ReactorStore(Machine())
    store.send("a")
    await store.finish()
    store.send("b")
    await store.dispatch("c")
    await store.idle()
    #expect(await store.state == ["a"])
    #expect(await store.transitions().all().isEmpty)
    #expect(await store.states.all() == [["a"]])
    #expect(await store.transitions(after: 0)?.all().map(\.mutation) == ["a"])
  }

  @Test func `finishing cancels effects and resumes waiting callers`() async {
    let began = Latch()
    let store = ReactorStore(
      Machine { _, _ in
        .run { _ in
          began.open()
          await Latch().wait()
        }
      })
    async let dispatch: Void = store.dispatch("a")
    await began.wait()
    async let idle: Void = store.idle()
    await store.finish()
    await dispatch
    await idle
  }
}
