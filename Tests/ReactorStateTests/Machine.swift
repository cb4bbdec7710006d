import ReactorState

/// A reactor whose parts a test writes as closures; its state is a list of words.
struct Machine: StateReactor {
  typealias State = [String]

  let initialState: [String]
  private let sources: [any AsyncSequence<String, Never> & Sendable]
  private let changeAction: @Sendable (String) -> String?
  private let changeMutation: @Sendable (String) -> String?
  private let changeState: @Sendable ([String]) -> [String]?
  private let errorMutation: @Sendable (any Error, String) -> String?
  private let cancellationMutation: @Sendable (String, String) -> String?
  private let apply: @Sendable (inout [String], String) -> Void
  private let act: @Sendable (String, [String]) -> Effect<String>

  init(
    initialState: [String] = [], sources: [any AsyncSequence<String, Never> & Sendable] = [],
    changeAction: @escaping @Sendable (String) -> String? = { $0 },
    changeMutation: @escaping @Sendable (String) -> String? = { $0 },
    changeState: @escaping @Sendable ([String]) -> [String]? = { _ in nil },
    errorMutation: @escaping @Sendable (any Error, String) -> String? = { _, _ in nil },
    cancellationMutation: @escaping @Sendable (String, String) -> String? = { _, _ in nil },
    apply: @escaping @Sendable (inout [String], String) -> Void = { $0.append($1) },
    act: @escaping @Sendable (String, [String]) -> Effect<String>
  ) {
    self.initialState = initialState
    self.sources = sources
    self.changeAction = changeAction
    self.changeMutation = changeMutation
    self.changeState = changeState
    self.errorMutation = errorMutation
    self.cancellationMutation = cancellationMutation
    self.apply = apply
    self.act = act
  }

  /// One whose actions are its mutations.
  init(
    initialState: [String] = [], sources: [any AsyncSequence<String, Never> & Sendable] = [],
    changeAction: @escaping @Sendable (String) -> String? = { $0 },
    changeMutation: @escaping @Sendable (String) -> String? = { $0 },
    changeState: @escaping @Sendable ([String]) -> [String]? = { _ in nil },
    apply: @escaping @Sendable (inout [String], String) -> Void = { $0.append($1) }
  ) {
    self.init(
      initialState: initialState, sources: sources, changeAction: changeAction, changeMutation: changeMutation,
      changeState: changeState, apply: apply, act: { action, _ in .commit(action) })
  }

  var externalMutations: [any AsyncSequence<String, Never> & Sendable] { sources }
  func transform(action: String) -> String? { changeAction(action) }
  func mutate(_ action: String, state: [String]) -> Effect<String> { act(action, state) }
  func transform(mutation: String) -> String? { changeMutation(mutation) }
  func reduce(_ state: inout [String], _ mutation: String) { apply(&state, mutation) }
  func transform(state: [String]) -> [String]? { changeState(state) }
  func mutation(for error: any Error, action: String) -> String? { errorMutation(error, action) }
  func mutation(cancelling id: String, action: String) -> String? { cancellationMutation(id, action) }
}

struct Failure: Error, Equatable {
  var text = "no"
}

extension AsyncSequence where Failure == Never {
  /// The first elements.
  func first(_ count: Int) async -> [Element] {
    var elements: [Element] = []
    var iterator = makeAsyncIterator()
    while elements.count < count, let element = await iterator.next(isolation: nil) { elements.append(element) }
    return elements
  }

  /// All elements.
  func all() async -> [Element] { await first(.max) }
}
