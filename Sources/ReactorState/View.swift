/// Shows a reactor's state and sends its actions.
///
/// ```swift
/// struct CounterView: View {
///   let draw: @Sendable (Int) -> Void
///
///   func bind(to store: ReactorStore<Counter>) async {
///     for await value in store.states(of: \.value) { draw(value) }
///   }
/// }
/// ```
///
/// A view on the main actor is written the same way: its functions run there.
///
/// ```swift
/// @MainActor final class CounterLabel: View {
///   private(set) var text = ""
///
///   func bind(to store: ReactorStore<Counter>) async {
///     for await value in store.states(of: \.value) { text = "\(value)" }
///   }
/// }
/// ```
public protocol View<Reactor>: Sendable {
  /// The type of reactor that the view shows.
  associatedtype Reactor: StateReactor

  /// Prepares the view. A binding calls this function once, and binds no store before the function has returned.
  ///
  /// The function must return soon after its task is cancelled. The task is cancelled when the binding is released.
  func load() async

  /// Reads the store's sequences until they end or this task is cancelled.
  func bind(to store: ReactorStore<Reactor>) async
}

extension View {
  /// Prepares nothing.
  public func load() async {}
}
