/// Binds a view to one store at a time.
///
/// A new binding begins when the view is loaded and the previous binding has ended. When this object is released, its
/// binding ends.
public actor ViewBinding<V: View> {
  /// The view.
  public nonisolated let view: V
  /// The store to which the view is bound, or will be bound after it is loaded.
  public private(set) var store: ReactorStore<V.Reactor>?
  private var loading: Task<Void, Never>?
  private var binding: Task<Void, Never>?

  /// Creates a binding without a store.
  public init(_ view: V) { self.view = view }

  deinit {
    loading?.cancel()
    binding?.cancel()
  }

  /// Ends the current binding and binds the view to a store; nil only ends the current binding.
  ///
  /// The view is also bound again when the store is the same as before.
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

  /// Returns when the current binding has ended: because the store has ended, or because the binding was replaced.
  public func ended() async { await binding?.value }
}
