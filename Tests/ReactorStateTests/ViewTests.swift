import ReactorState
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct ViewTests {
  /// Records what happens to it. It is loaded when its gate is open.
  final class Recorder: View {
    enum Event: Equatable { case loaded, bound(Int), unbound(Int) }
    private let content = Mutex<[Event]>([])
    private let gate: Latch?
    let hasBegunLoading = Latch()

    init(gate: Latch? = nil) { self.gate = gate }

    var events: [Event] { content.withLock { $0 } }

    func load() async {
      hasBegunLoading.open()
      await gate?.wait()
      content.withLock { $0.append(.loaded) }
    }

    func bind(to store: ReactorStore<Machine>) async {
      let number = store.reactor.initialState.count
      content.withLock { $0.append(.bound(number)) }
      for await _ in store.states {}
      // The end of a binding may take time.
      for _ in 0..<20 { await Task.yield() }
      content.withLock { $0.append(.unbound(number)) }
    }

    func wait(for event: Event) async {
      while !events.contains(event), !Task.isCancelled { await Task.yield() }
    }
  }

  /// A view whose functions and properties belong to the main actor.
  @MainActor final class Label: View {
    private(set) var text = ""
    private(set) var isLoaded = false

    func load() { isLoaded = true }

    func bind(to store: ReactorStore<Machine>) async {
      for await state in store.states { text = "\(isLoaded): \(state.count)" }
    }
  }

  @Test func `a view on the main actor is bound there`() async {
    let label = Label()
    let binding = ViewBinding(label)
    let store = store(3)
    await binding.bind(to: store)
    while await label.text.isEmpty, !Task.isCancelled { await Task.yield() }
    #expect(await label.text == "true: 3")
    await store.finish()
    await binding.ended()
  }

  private func store(_ number: Int) -> ReactorStore<Machine> {
    ReactorStore(Machine(initialState: Array(repeating: "x", count: number)))
  }

  @Test func `K-032: a view is bound once to a store, and again to another one`() async {
    let binding = ViewBinding(Recorder())
    await binding.bind(to: store(1))
    await binding.view.wait(for: .bound(1))
    for _ in 0..<500 { await Task.yield() }
    #expect(binding.view.events == [.loaded, .bound(1)])
    await binding.bind(to: store(2))
    await binding.view.wait(for: .bound(2))
    #expect(binding.view.events == [.loaded, .bound(1), .unbound(1), .bound(2)])
  }

  @Test func `the same store is bound again`() async {
    let binding = ViewBinding(Recorder())
    let store = store(1)
    await binding.bind(to: store)
    await binding.view.wait(for: .bound(1))
    await binding.bind(to: store)
    await store.finish()
    await binding.ended()
    #expect(binding.view.events == [.loaded, .bound(1), .unbound(1), .bound(1), .unbound(1)])
  }

  @Test func `K-033: a new binding begins when the one before it has ended`() async {
    let binding = ViewBinding(Recorder())
    let stores = (1...20).map { store($0) }
    for store in stores { await binding.bind(to: store) }
    await binding.view.wait(for: .bound(20))
    var bound: Int?
    for event in binding.view.events {
      switch event {
      case .loaded: #expect(bound == nil)
      case .bound(let number):
        #expect(bound == nil)
        bound = number
      case .unbound(let number):
        #expect(bound == number)
        bound = nil
      }
    }
    #expect(bound == 20)
    for store in stores.dropLast() {
      while store.subscriberCount > 0 { await Task.yield() }
    }
  }

  @Test func `K-034, K-035: a binding has the store that it was given, or none`() async {
    let binding = ViewBinding(Recorder())
    #expect(await binding.store == nil)
    let store = store(1)
    await binding.bind(to: store)
    #expect(await binding.store === store)
    await binding.bind(to: nil)
    #expect(await binding.store == nil)
    await binding.ended()
    #expect(store.subscriberCount == 0)
  }

  @Test func `K-036: a view that is loaded is bound at once`() async {
    let gate = Latch()
    gate.open()
    let binding = ViewBinding(Recorder(gate: gate))
    await binding.bind(to: store(1))
    await binding.view.wait(for: .bound(1))
    #expect(binding.view.events == [.loaded, .bound(1)])
  }

  @Test func `K-037: a view is not bound before it is loaded, and once then`() async {
    let gate = Latch()
    let binding = ViewBinding(Recorder(gate: gate))
    await binding.bind(to: store(1))
    await binding.view.hasBegunLoading.wait()
    for _ in 0..<500 { await Task.yield() }
    #expect(binding.view.events.isEmpty)
    gate.open()
    await binding.view.wait(for: .bound(1))
    for _ in 0..<500 { await Task.yield() }
    #expect(binding.view.events == [.loaded, .bound(1)])
  }

  @Test func `K-038: view and store are released while a binding is deferred`() async {
    weak var view: Recorder?
    weak var released: ReactorStore<Machine>?
    do {
      let recorder = Recorder(gate: Latch())
      let store = store(1)
      let binding = ViewBinding(recorder)
      (view, released) = (recorder, store)
      await binding.bind(to: store)
      await recorder.hasBegunLoading.wait()
    }
    while view != nil || released != nil, !Task.isCancelled { await Task.yield() }
    #expect(view == nil && released == nil)
  }

  @Test func `K-038: view and store are released while the view is bound`() async {
    weak var view: Recorder?
    weak var released: ReactorStore<Machine>?
    do {
      let recorder = Recorder()
      let store = store(1)
      let binding = ViewBinding(recorder)
      (view, released) = (recorder, store)
      await binding.bind(to: store)
      await recorder.wait(for: .bound(1))
    }
    while view != nil || released != nil, !Task.isCancelled { await Task.yield() }
    #expect(view == nil && released == nil)
  }

  @Test func `K-039: a store that is replaced before loading is never bound, one replaced later is`() async {
    let gate = Latch()
    let binding = ViewBinding(Recorder(gate: gate))
    await binding.bind(to: store(1))
    await binding.view.hasBegunLoading.wait()
    await binding.bind(to: store(2))
    gate.open()
    await binding.view.wait(for: .bound(2))
    await binding.bind(to: store(3))
    await binding.view.wait(for: .bound(3))
    #expect(binding.view.events == [.loaded, .bound(2), .unbound(2), .bound(3)])
  }

  @Test func `a deferred binding that is removed is never begun`() async {
    let gate = Latch()
    let binding = ViewBinding(Recorder(gate: gate))
    await binding.bind(to: store(1))
    await binding.view.hasBegunLoading.wait()
    await binding.bind(to: nil)
    gate.open()
    await binding.ended()
    #expect(binding.view.events == [.loaded])
  }

  @Test func `K-040: a view's own load runs once, before the first binding`() async {
    let binding = ViewBinding(Recorder())
    for number in 1...3 {
      await binding.bind(to: store(number))
      await binding.view.wait(for: .bound(number))
    }
    #expect(binding.view.events.filter { $0 == .loaded }.count == 1)
    #expect(binding.view.events.first == .loaded)
  }

  @Test func `a binding ends with its store`() async {
    let binding = ViewBinding(Recorder())
    let store = store(1)
    await binding.bind(to: store)
    await store.finish()
    await binding.ended()
    #expect(binding.view.events == [.loaded, .bound(1), .unbound(1)])
  }
}
