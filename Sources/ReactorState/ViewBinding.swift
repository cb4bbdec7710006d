/// Binds a view to one store at a time.
///
/// A new binding begins when the view is loaded and the binding before it has ended. Releasing this object ends its
/// binding.
public actor ViewBinding<V: View> {
  /// The view.
  public nonisolated let view: V
  /// The store to which the view is bound, or will be when it is loaded.
  public private(set) var store: ReactorStore<V.Reactor>?
  private var loading: Task<Void, Never>?
  private var binding: Task<Void, Never>?

  /// Creates a binding without a store.
  public init(_ view: V) { self.view = view }

  deinit {
    loading?.cancel()
    binding?.cancel()
  }

  /// Ends the current binding and binds the view to a store, or to none. The same store is bound again.
  public func bind(to store: ReactorStore<V.Reactor>?) {
    self.store = store
    binding?.cancel()
    let last = binding
    guard let store else { return }
    let loading = loading ?? Task { [view] in await view.load() }
    self.loading = loading
    binding = Task { [view] in
      await loading.value
      await last?.value
      if !Task.isCancelled { await view.bind(to: store) }
    }
  }

  /// Returns when the current binding has ended: with the store, or because it was replaced.
  public func ended() async { await binding?.value }
}
