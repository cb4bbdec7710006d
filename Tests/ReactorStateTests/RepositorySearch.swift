import ReactorState

/// A search as one types: it asks when typing pauses, drops the request before, and loads further pages on demand.
struct RepositorySearch: StateReactor {
  enum Action {
    case type(String)
    case loadNextPage
  }

  enum Mutation {
    case setQuery(String)
    case setLoading(Bool)
    case set(Page)
    case append(Page)
    case fail(String)
  }

  struct Page {
    let names: [String]
    let next: Int?
  }

  struct State {
    var query = ""
    var names: [String] = []
    var nextPage: Int?
    var isLoading = false
    @Pulse var error: String?
  }

  /// Asks for a page of the repositories with a name.
  let search: @Sendable (_ query: String, _ page: Int) async throws -> Page
  /// Waits.
  let sleep: @Sendable (Duration) async throws -> Void

  var initialState: State { State() }

  func mutate(_ action: Action, state: State) -> Effect<Mutation> {
    let (search, sleep) = (search, sleep)
    switch action {
    case .type(let query):
      guard !query.isEmpty else {
        return .sequence(
          .cancel(id: "search"), .commit(.setQuery(""), .set(Page(names: [], next: nil)), .setLoading(false)))
      }
      return .sequence(
        .cancel(id: "search"), .commit(.setQuery(query)),
        .run(id: "search") { emit in
          try await sleep(.milliseconds(300))
          await emit(.setLoading(true))
          await emit(.set(try await search(query, 1)))
          await emit(.setLoading(false))
        })
    case .loadNextPage:
      guard !state.isLoading, let page = state.nextPage else { return .none }
      let query = state.query
      return .sequence(
        .commit(.setLoading(true)),
        .run(id: "search") { emit in await emit(.append(try await search(query, page))) },
        .commit(.setLoading(false)))
    }
  }

  func reduce(_ state: inout State, _ mutation: Mutation) {
    switch mutation {
    case .setQuery(let query): state.query = query
    case .setLoading(let isLoading): state.isLoading = isLoading
    case .set(let page):
      state.names = page.names
      state.nextPage = page.next
    case .append(let page):
      state.names += page.names
      state.nextPage = page.next
    case .fail(let reason):
      state.isLoading = false
      state.error = reason
    }
  }

  func mutation(for error: any Error, action: Action) -> Mutation? { .fail("\(error)") }

  /// What is cancelled loads no more.
  func mutation(cancelling id: String, action: Action) -> Mutation? { .setLoading(false) }
}
