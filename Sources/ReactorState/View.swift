/// Shows a reactor's state and sends its actions: nothing else.
///
/// ```swift
/// struct CounterView: View {
///   func bind(to store: ReactorStore<Counter>) async {
///     for await value in store.states(of: \.value) { draw(value) }
///   }
/// }
/// ```
public protocol View<Reactor>: Sendable {
  /// What it shows.
  associatedtype Reactor: StateReactor

  /// Reads the store's streams until they end or this task is cancelled: a binding lasts as long as its task.
  func bind(to store: ReactorStore<Reactor>) async
}
