/// Binds a view to one store at a time.
///
/// A view is bound once to each store that it is given. Another store takes the place of the one before, whose binding
/// has ended before the new one begins. Letting the binding go unbinds the view.
public actor ViewBinding<V: View> {
  /// What is bound.
  public nonisolated let view: V
  /// What it is bound to.
  public private(set) var store: ReactorStore<V.Reactor>?
  private var task: Task<Void, Never>?

  /// A view that is not bound.
  public init(_ view: V) { self.view = view }

  deinit { task?.cancel() }

  /// Binds the view to a store, or to none. The store to which it is bound already changes nothing.
  public func bind(to store: ReactorStore<V.Reactor>?) {
    guard store !== self.store else { return }
    self.store = store
    task?.cancel()
    task = Self.start(view, store, after: task)
  }

  /// Returns when the view's present binding has ended: with its store's streams, or because it was replaced.
  public func ended() async { await task?.value }

  private nonisolated static func start(
    _ view: V, _ store: ReactorStore<V.Reactor>?, after last: Task<Void, Never>?
  ) -> Task<Void, Never> {
    Task {
      await last?.value
      guard let store, !Task.isCancelled else { return }
      await view.bind(to: store)
    }
  }
}
