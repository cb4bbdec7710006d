/// A store for tests of views: it notes the actions that it is sent and shows the states that it is given.
///
/// ```swift
/// let stub = Stub(Counter())
/// let view = ViewBinding(CounterView())
/// await view.bind(to: stub.store)
/// stub.state = Counter.State(value: 7)  // the view shows 7
/// await stub.actions                    // what the view has sent
/// ```
///
/// None of the reactor's functions is called.
public final class Stub<R: StateReactor>: Sendable {
  /// What a view is bound to.
  public let store: ReactorStore<R>
  private let record = StubRecord<R>()

  /// Stubs a reactor.
  ///
  /// - Parameter state: the first state; the reactor's own when nil.
  public init(_ reactor: R, state: R.State? = nil) {
    store = ReactorStore(
      reactor, state: state ?? reactor.initialState, history: 0, unhandled: { _, _ in }, stubbed: record)
  }

  /// The actions that were sent so far, in order.
  public var actions: [R.Action] {
    get async {
      await store.idle()
      return record.actions
    }
  }

  /// What the store shows.
  public var state: R.State {
    get { store.read { copy $0 } }
    set { store.cell.replace(newValue) }
  }
}
