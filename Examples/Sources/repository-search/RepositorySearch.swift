import ReactorCore
import ReactorState

/// ReactorKit's second example: searches for repositories and loads further pages on demand.
struct RepositorySearch: StateReactor {
  enum Action {
    case updateQuery(String)
    case loadNextPage
  }

  enum Mutation {
    case setQuery(String)
    case setLoading(Bool)
    case setRepositories([Repository], nextPage: Int?)
    case appendRepositories([Repository], nextPage: Int?)
    case setError(String)
  }

  struct State {
    var query = ""
    var repositories: [Repository] = []
    var nextPage: Int?
    var isLoading = false
    @Pulse var error: String?
  }

  private let reactor: Reactor<[Repository]>

  init(flow: ReactorFlow<[Repository]>) { reactor = Reactor(flow: flow) }

  var initialState: State { State() }

  func mutate(_ action: Action, state: State) -> Effect<Mutation> {
    switch action {
    case .updateQuery(let query):
      // A search that still runs is out of date.
      return .sequence(
        .cancel(id: "search"), .commit(.setLoading(true), .setQuery(query)),
        search(query, page: 1) { .setRepositories($0, nextPage: $1) }, .commit(.setLoading(false)))
    case .loadNextPage:
      guard !state.isLoading, let page = state.nextPage else { return .none }
      return .sequence(
        .commit(.setLoading(true)),
        search(state.query, page: page) { .appendRepositories($0, nextPage: $1) }, .commit(.setLoading(false)))
    }
  }

  private func search(
    _ query: String, page: Int, _ mutation: @escaping @Sendable ([Repository], Int?) -> Mutation
  ) -> Effect<Mutation> {
    let reactor = reactor
    return .run(id: "search") { emit in
      let resource = Resource(
        path: "/search/repositories", method: .GET, headers: ["Accept": "application/json", "User-Agent": "reactor"],
        query: [.init("q", query), .init("page", "\(page)")])
      let repositories = try await reactor.fetch(resource).model
      await emit(mutation(repositories, repositories.isEmpty ? nil : page + 1))
    }
  }

  func reduce(_ state: inout State, _ mutation: Mutation) {
    switch mutation {
    case .setQuery(let query):
      state.query = query
      state.repositories = []
      state.nextPage = nil
      state.error = nil
    case .setLoading(let isLoading): state.isLoading = isLoading
    case .setRepositories(let repositories, let nextPage):
      state.repositories = repositories
      state.nextPage = nextPage
    case .appendRepositories(let repositories, let nextPage):
      state.repositories += repositories
      state.nextPage = nextPage
    case .setError(let text):
      state.isLoading = false
      state.error = text
    }
  }

  func mutation(for error: any Error, action: Action) -> Mutation? { .setError("\(error)") }

  func mutation(cancelling id: String, action: Action) -> Mutation? { .setLoading(false) }
}
