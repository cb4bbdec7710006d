/// A state machine: an action causes effects, effects emit mutations, and mutations change the state.
///
/// An `Action` is a request of a user. `mutate` returns an `Effect`, which emits `Mutation`s now or later. `reduce`
/// applies each mutation to the `State`. Nothing else changes the state; views only read it.
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
/// ```
///
/// ```swift
/// let store = ReactorStore(Counter())
/// store.send(.increase)
/// print(await store.state.value)  // 1
/// ```
///
/// A reactor is a value; a `ReactorStore` runs it and holds its state. `initialState`, `mutate` and `reduce` must be
/// written; `mutate` may be left out where the actions are the mutations. They have no default that does nothing, so a
/// reactor in which one of them has a wrong label or type does not compile.
public protocol StateReactor<Action, State>: Sendable {
  /// A request of a user.
  associatedtype Action: Sendable
  /// A change of the state.
  associatedtype Mutation: Sendable = Action
  /// The data that views read.
  associatedtype State: Sendable

  /// The state before the first mutation. Each store reads this property once.
  var initialState: State { get }

  /// Sources of mutations from outside, such as a global state. The store reads them from its start on.
  ///
  /// Each mutation is reduced before the next mutation is taken. When a source ends, the store continues without it.
  var externalMutations: [any AsyncSequence<Mutation, Never> & Sendable] { get }

  /// Replaces an action before `mutate`, or drops the action by returning nil. By default the action is not changed.
  func transform(action: Action) -> Action?

  /// Returns the effect of an action. It must return at once: work that takes time belongs in `Effect.run`.
  ///
  /// If `Action` and `Mutation` are the same type, by default the action is the only mutation.
  /// - Parameter state: The current state, as `reduce` left it.
  func mutate(_ action: Action, state: State) -> Effect<Mutation>

  /// Replaces a mutation before `reduce`, or drops the mutation by returning nil. By default it is not changed.
  func transform(mutation: Mutation) -> Mutation?

  /// Applies a mutation to the state.
  ///
  /// It must be quick, change the state in place, have no side effects, and not use the store.
  func reduce(_ state: inout State, _ mutation: Mutation)

  /// Returns the state that readers get, or nil for the unchanged state. The default is nil.
  ///
  /// The store calls this function once for the initial state and once after each mutation, whatever the number of
  /// readers. `reduce` and `mutate` continue with the unchanged state. The store retains the returned state until this
  /// function returns the next one. Until then, `reduce` must copy the storage that both states share before it changes
  /// that storage.
  func transform(state: State) -> State?

  /// Returns the mutation for the error of an effect; nil passes the error to the store's `unhandled`.
  ///
  /// The default is nil. Mutations that the effect emitted earlier stay in the state. The rest of its sequence does not
  /// start.
  func mutation(for error: any Error, action: Action) -> Mutation?

  /// Returns the mutation for the cancellation of an effect; nil means no mutation. The default is nil.
  ///
  /// The mutation is reduced at once, before the next effects of the action that caused the cancellation. A
  /// cancellation is not an error.
  func mutation(cancelling id: String, action: Action) -> Mutation?

  /// Do not implement this function: no store calls it. `mutate(_:state:)` is the function to implement.
  ///
  /// It is declared so that the default of `mutate(_:state:)` notices a reactor that implements it. The default then
  /// ends the program at the first action, instead of ignoring the implementation.
  func mutate(action: Action) -> Effect<Mutation>

  /// Do not implement this function, for the same reason as `mutate(action:)`.
  func mutate(action: Action, state: State) -> Effect<Mutation>
}

extension StateReactor {
  /// No external mutations.
  public var externalMutations: [any AsyncSequence<Mutation, Never> & Sendable] { [] }
  /// Returns the action itself.
  public func transform(action: Action) -> Action? { action }
  /// Returns the mutation itself.
  public func transform(mutation: Mutation) -> Mutation? { mutation }
  /// Returns nil: readers get the unchanged state.
  public func transform(state: State) -> State? { nil }
  /// Returns nil: the store calls `unhandled`.
  public func mutation(for error: any Error, action: Action) -> Mutation? { nil }
  /// Returns nil: there is no mutation.
  public func mutation(cancelling id: String, action: Action) -> Mutation? { nil }
  /// Marks that the reactor does not implement this function.
  public func mutate(action: Action) -> Effect<Mutation> { .unwritten }
  /// Marks that the reactor does not implement this function.
  public func mutate(action: Action, state: State) -> Effect<Mutation> { .unwritten }
}

extension StateReactor where Action == Mutation {
  /// Returns the action as the only mutation.
  public func mutate(_ action: Action, state: State) -> Effect<Mutation> {
    precondition(
      mutate(action: action).isUnwritten && mutate(action: action, state: state).isUnwritten,
      "\(Self.self) declares 'mutate' with the label 'action:', which no store calls: write 'mutate(_ action:state:)'")
    return .commit([action])
  }
}

extension Effect {
  private static var unwrittenID: String { "ReactorState.unwritten" }

  /// The effect that a function returns when a reactor has not implemented the function.
  fileprivate static var unwritten: Effect { .cancel(id: unwrittenID) }

  fileprivate var isUnwritten: Bool { if case .cancel(id: Self.unwrittenID) = self { true } else { false } }
}
