/// What a state machine does with actions: effects first, then changes of its one state.
///
/// An `Action` says what was asked for. `mutate` answers it with an `Effect`, which gives `Mutation`s, now or later.
/// `reduce` applies each of them to the `State`. Nothing else changes the state, and views only read it.
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
/// A reactor is a value without a state of its own; `ReactorStore` runs it. Only `initialState`, `mutate` and `reduce`
/// must be written, and `mutate` not where actions are the mutations.
public protocol StateReactor<Action, State>: Sendable {
  /// What can be asked for.
  associatedtype Action: Sendable
  /// A change of the state.
  associatedtype Mutation: Sendable = Action
  /// Everything that views read.
  associatedtype State: Sendable

  /// The state before the first mutation; read once by each store.
  var initialState: State { get }

  /// Changes that come from outside, such as a global state's values; the store listens from its start on.
  ///
  /// The end of a source is no event. Each of its mutations is reduced before the next one is taken.
  var externalMutations: [any AsyncSequence<Mutation, Never> & Sendable] { get }

  /// Replaces an action before `mutate`, or drops it (nil).
  func transform(action: Action) -> Action?

  /// Says what an action does. Must return at once: what takes time goes into `Effect.run`.
  ///
  /// - Parameter state: the state at this moment, as `reduce` left it.
  func mutate(_ action: Action, state: State) -> Effect<Mutation>

  /// Replaces a mutation before `reduce`, whatever it comes from, or drops it (nil).
  func transform(mutation: Mutation) -> Mutation?

  /// Applies a change: quick, pure, and in place. It must not ask the store for anything.
  func reduce(_ state: inout State, _ mutation: Mutation)

  /// What readers of a store get instead of the state, also of the first. `reduce` and `mutate` go on with the state.
  func transform(state: State) -> State

  /// The change that tells of an effect's error; nil gives the error to the store's `unhandled`.
  ///
  /// Mutations which the effect gave before the error stay; what follows it in a sequence is not done.
  func mutation(for error: any Error, action: Action) -> Mutation?

  /// The change that tells of an effect's cancellation, which is no error; nil where nobody need know.
  ///
  /// It is reduced when the effect is cancelled, before what the cancelling action does next.
  func mutation(cancelling id: String, action: Action) -> Mutation?
}

extension StateReactor {
  /// None.
  public var externalMutations: [any AsyncSequence<Mutation, Never> & Sendable] { [] }
  /// The action itself.
  public func transform(action: Action) -> Action? { action }
  /// The mutation itself.
  public func transform(mutation: Mutation) -> Mutation? { mutation }
  /// The state itself.
  public func transform(state: State) -> State { state }
  /// None: the store's `unhandled` is told.
  public func mutation(for error: any Error, action: Action) -> Mutation? { nil }
  /// None.
  public func mutation(cancelling id: String, action: Action) -> Mutation? { nil }
}

extension StateReactor where Action == Mutation {
  /// The action as the only mutation.
  public func mutate(_ action: Action, state: State) -> Effect<Mutation> { .commit([action]) }
}
