internal import Synchronization

/// A store for tests of views: it records actions, and the test sets its states.
///
/// ```swift
/// let stub = Stub(Counter())
/// let binding = ViewBinding(CounterView(draw: draw))
/// await binding.bind(to: stub.store)
/// stub.state = Counter.State(value: 7)  // the view shows 7
/// return await stub.actions  // what the view has sent
/// ```
///
/// The stub calls no function of the reactor.
public final class Stub<R: StateReactor>: Sendable {
  private final class Record: Sendable {
    let actions = Mutex<[R.Action]>([])
  }

  /// The store to which the test binds a view.
  public let store: ReactorStore<R>
  private let record = Record()

  /// Creates a stub of a reactor.
  ///
  /// - Parameter state: The first state; nil for the reactor's `initialState`.
  public init(_ reactor: R, state: R.State? = nil) {
    store = ReactorStore(reactor, state: state ?? reactor.initialState) { [record] action in
      record.actions.withLock { $0.append(action) }
    }
  }

  /// The actions that were sent so far, in order.
  public var actions: [R.Action] {
    get async {
      await store.idle()
      return record.actions.withLock { $0 }
    }
  }

  /// The current state of the store. A test sets it.
  public var state: R.State {
    get { store.currentState }
    set { store.cell.replace(newValue) }
  }
}
