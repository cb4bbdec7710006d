import ReactorState
import Synchronization
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1))) struct ViewTests {
  /// Notes its bindings; each lasts as long as its store or its task.
  final class Notebook: View {
    enum Note: Equatable { case bound(Int), unbound(Int) }
    let notes = Mutex<[Note]>([])

    func bind(to store: ReactorStore<Machine>) async {
      let number = store.reactor.initialState.count
      notes.withLock { $0.append(.bound(number)) }
      for await _ in store.states {}
      // A view may take its time to put things away.
      for _ in 0..<20 { await Task.yield() }
      notes.withLock { $0.append(.unbound(number)) }
    }

    func wait(for note: Note) async {
      while !notes.withLock({ $0.contains(note) }) { await Task.yield() }
    }
  }

  private func store(_ number: Int) -> ReactorStore<Machine> {
    ReactorStore(Machine(initialState: Array(repeating: "x", count: number)))
  }

  @Test func `K-032, K-036, K-037: a view is bound once to each store`() async {
    let binding = ViewBinding(Notebook())
    let (first, second) = (store(1), store(2))
    await binding.bind(to: first)
    await binding.view.wait(for: .bound(1))
    await binding.bind(to: first)
    for _ in 0..<500 { await Task.yield() }
    #expect(binding.view.notes.withLock { $0 } == [.bound(1)])
    await binding.bind(to: second)
    await binding.view.wait(for: .bound(2))
    #expect(binding.view.notes.withLock { $0 } == [.bound(1), .unbound(1), .bound(2)])
  }

  @Test func `K-033, K-039: another store replaces the binding, which has ended before`() async {
    let binding = ViewBinding(Notebook())
    let stores = (1...20).map { store($0) }
    for store in stores { await binding.bind(to: store) }
    await binding.view.wait(for: .bound(20))
    var isBound: Int?
    for note in binding.view.notes.withLock({ $0 }) {
      switch note {
      case .bound(let number):
        #expect(isBound == nil)
        isBound = number
      case .unbound(let number):
        #expect(isBound == number)
        isBound = nil
      }
    }
    #expect(isBound == 20)
    for store in stores.dropLast() {
      while store.listenerCount > 0 { await Task.yield() }
    }
  }

  @Test func `K-034, K-035: the binding tells its store, or none`() async {
    let binding = ViewBinding(Notebook())
    #expect(await binding.store == nil)
    let store = store(1)
    await binding.bind(to: store)
    #expect(await binding.store === store)
    await binding.bind(to: nil)
    #expect(await binding.store == nil)
    await binding.ended()
    #expect(store.listenerCount == 0)
  }

  @Test func `K-038, K-040: letting the binding go unbinds and releases view and store`() async {
    weak var view: Notebook?
    weak var released: ReactorStore<Machine>?
    do {
      let notebook = Notebook()
      let store = store(1)
      let binding = ViewBinding(notebook)
      (view, released) = (notebook, store)
      await binding.bind(to: store)
      await notebook.wait(for: .bound(1))
    }
    while view != nil || released != nil { await Task.yield() }
  }

  @Test func `a binding ends with its store's streams`() async {
    let binding = ViewBinding(Notebook())
    let store = store(1)
    await binding.bind(to: store)
    await store.finish()
    await binding.ended()
    #expect(binding.view.notes.withLock { $0 } == [.bound(1), .unbound(1)])
  }
}
