/// Shows a reactor's state and sends its actions.
///
/// ```swift
/// struct CounterView: View {
///   func bind(to store: ReactorStore<Counter>) async {
///     for await value in store.states(of: \.value) { draw(value) }
///   }
/// }
/// ```
public protocol View<Reactor>: Sendable {
  /// The reactor that it shows.
  associatedtype Reactor: StateReactor

  /// Makes the view ready. A binding calls it once and binds no store before it returns.
  ///
  /// It must return soon after its task is cancelled, which happens when the binding is released.
  func load() async

  /// Reads the store's sequences until they end or this task is cancelled.
  func bind(to store: ReactorStore<Reactor>) async
}

extension View {
  /// Returns at once.
  public func load() async {}
}
