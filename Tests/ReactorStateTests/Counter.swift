import ReactorState

/// The example of `StateReactor`'s documentation, with work that takes time: a value that goes up and down.
struct Counter: StateReactor {
  enum Action { case increase, decrease }
  enum Mutation: Equatable { case increaseValue, decreaseValue, setLoading(Bool), setAlert(String) }
  struct State {
    var value = 0
    var isLoading = false
    @Pulse var alert: String?
  }

  /// What takes time.
  var pause: @Sendable () async throws -> Void = {}

  var initialState: State { State() }

  func mutate(_ action: Action, state: State) -> Effect<Mutation> {
    let pause = pause
    let (change, alert): (Mutation, String) =
      switch action {
      case .increase: (.increaseValue, "increased")
      case .decrease: (.decreaseValue, "decreased")
      }
    return .sequence(
      .commit(.setLoading(true)),
      .run { emit in
        try await pause()
        await emit(change)
      },
      .commit(.setLoading(false), .setAlert(alert)))
  }

  func reduce(_ state: inout State, _ mutation: Mutation) {
    switch mutation {
    case .increaseValue: state.value += 1
    case .decreaseValue: state.value -= 1
    case .setLoading(let isLoading): state.isLoading = isLoading
    case .setAlert(let text): state.alert = text
    }
  }
}
