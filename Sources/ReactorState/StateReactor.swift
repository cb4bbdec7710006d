/// A state machine: an action causes effects, effects emit mutations, and mutations change the state.
///
/// An `Action` is what a user asks for. `mutate` returns an `Effect`, which emits `Mutation`s now or later. `reduce`
/// applies each of them to the `State`. Nothing else changes the state; views only read it.
///
/// ```swift
/// struct Counter: StateReactor {
///   enum Action { case increase, decrease }
///   enum Mutation { case add(Int), setLoading(Bool), setAlert(String) }
///   struct State { var value = 0; var isLoading = false; @Pulse var alert: String? }
///
///   var initialState: State { State() }
///
///   func mutate(_ action: Action, state: State) -> Effect<Mutation> {
///     switch action {
///     case .increase: .commit(.setLoading(true), .add(1), .setLoading(false), .setAlert("increased"))
///     case .decrease: .commit(.setLoading(true), .add(-1), .setLoading(false), .setAlert("decreased"))
///     }
///   }
///
///   func reduce(_ state: inout State, _ mutation: Mutation) {
///     switch mutation {
///     case .add(let number): state.value += number
///     case .setLoading(let isLoading): state.isLoading = isLoading
///     case .setAlert(let text): state.alert = text
///     }
///   }
/// }
///
/// let store = ReactorStore(Counter())
/// store.send(.increase)
/// print(await store.state.value)  // 1
/// ```
///
/// A reactor is a value; `ReactorStore` runs it and holds its state. Only `initialState` must be written.
public protocol StateReactor<Action, State>: Sendable {
  /// A request of a user.
  associatedtype Action: Sendable
  /// A change of the state.
  associatedtype Mutation: Sendable = Action
  /// Everything that views read.
  associatedtype State: Sendable

  /// The state before the first mutation. Each store reads it once.
  var initialState: State { get }

  /// Sources of mutations from outside, such as a global state. The store reads them from its start.
  ///
  /// Each mutation is reduced before the next one is taken. The end of a source changes nothing.
  var externalMutations: [any AsyncSequence<Mutation, Never> & Sendable] { get }

  /// Replaces an action before `mutate`, or drops it (nil). Default: the action.
  func transform(action: Action) -> Action?

  /// Returns what an action does. It must return at once: work that takes time belongs in `Effect.run`.
  ///
  /// Default: the action as a mutation where both have one type, else no effect.
  /// - Parameter state: The current state, as `reduce` left it.
  func mutate(_ action: Action, state: State) -> Effect<Mutation>

  /// Replaces a mutation before `reduce`, or drops it (nil). Default: the mutation.
  func transform(mutation: Mutation) -> Mutation?

  /// Applies a mutation to the state: quickly, in place, without side effects and without use of the store.
  ///
  /// Default: no change.
  func reduce(_ state: inout State, _ mutation: Mutation)

  /// Returns the state that readers get, or nil for the state as it is. Default: nil.
  ///
  /// The store calls it once for the initial state and once after each mutation, whatever the number of readers. `reduce`
  /// and `mutate` continue with the state as it is. A state that is returned is retained until the next one: then `reduce`
  /// has to copy what both share.
  func transform(state: State) -> State?

  /// Returns the mutation for the error of an effect, or nil to pass the error to the store's `unhandled`. Default: nil.
  ///
  /// Mutations that the effect emitted before stay. The rest of its sequence does not begin.
  func mutation(for error: any Error, action: Action) -> Mutation?

  /// Returns the mutation for the cancellation of an effect, or nil for none. Default: nil.
  ///
  /// It is reduced at once, before the next effects of the action that cancels. A cancellation is not an error.
  func mutation(cancelling id: String, action: Action) -> Mutation?
}

extension StateReactor {
  /// None.
  public var externalMutations: [any AsyncSequence<Mutation, Never> & Sendable] { [] }
  /// The action itself.
  public func transform(action: Action) -> Action? { action }
  /// No effect.
  public func mutate(_ action: Action, state: State) -> Effect<Mutation> { .none }
  /// The mutation itself.
  public func transform(mutation: Mutation) -> Mutation? { mutation }
  /// No change.
  public func reduce(_ state: inout State, _ mutation: Mutation) {}
  /// nil: readers get the state as it is.
  public func transform(state: State) -> State? { nil }
  /// nil: the store calls `unhandled`.
  public func mutation(for error: any Error, action: Action) -> Mutation? { nil }
  /// nil: no mutation.
  public func mutation(cancelling id: String, action: Action) -> Mutation? { nil }
}

extension StateReactor where Action == Mutation {
  /// The action as the only mutation.
  public func mutate(_ action: Action, state: State) -> Effect<Mutation> { .commit([action]) }
}
