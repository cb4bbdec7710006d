import ReactorState
import Terminal

/// Shows the repositories and sends the actions: the newest state on a terminal, what is new in each state in a pipe.
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
  /// What the user enters.
  let lines: AsyncStream<String>

  func bind(to store: ReactorStore<RepositorySearch>) async {
    // The states are read from before the first action on, so the view misses none.
    let states: any AsyncSequence<Content, Never> & Sendable =
      terminal.isInteractive ? store.states(of: { Content($0) }) : store.allStates(of: { Content($0) })
    async let shown: Void = show(states)
    for await line in lines { await store.dispatch(line == "n" ? .loadNextPage : .updateQuery(line)) }
    await store.finish()
    await shown
  }

  private func show(_ states: any AsyncSequence<Content, Never> & Sendable) async {
    if terminal.isInteractive {
      for await content in states {
        let keys = "a query and Return\(content.hasNextPage ? "; n for the next page" : ""); q ends"
        terminal.show(content.repositories.map(\.name) + [content.status, "", keys])
      }
    } else {
      var (shown, status) = (0, "")
      for await content in states {
        shown = min(shown, content.repositories.count)
        for repository in content.repositories.dropFirst(shown) { terminal.print(repository.name) }
        shown = content.repositories.count
        if content.status != status { terminal.print(content.status) }
        status = content.status
      }
    }
  }
}
