import ReactorState
import Terminal

/// Shows the repositories: the newest state on a terminal, what is new in each state in a pipe.
struct RepositorySearchView: View {
  private struct Content: Equatable {
    let query: String
    let repositories: [Repository]
    let isLoading: Bool
    let hasNextPage: Bool
    let error: String?

    init(_ state: RepositorySearch.State) {
      query = state.query
      repositories = state.repositories
      isLoading = state.isLoading
      hasNextPage = state.nextPage != nil
      error = state.error
    }

    var status: String {
      if isLoading { return "loading …" }
      if let error { return "error: \(error)" }
      return query.isEmpty ? "" : "\(repositories.count) repositories for '\(query)'"
    }
  }

  let terminal: Terminal

  func bind(to store: ReactorStore<RepositorySearch>) async {
    if terminal.isInteractive {
      for await content in store.states(of: { Content($0) }) {
        let keys = "a query and Return\(content.hasNextPage ? "; n for the next page" : ""); q ends"
        terminal.show(content.repositories.map(\.name) + [content.status, "", keys])
      }
    } else {
      var (shown, status) = (0, "")
      for await content in store.allStates(of: { Content($0) }) {
        shown = min(shown, content.repositories.count)
        for repository in content.repositories.dropFirst(shown) { terminal.print(repository.name) }
        shown = content.repositories.count
        if content.status != status { terminal.print(content.status) }
        status = content.status
      }
    }
  }
}
