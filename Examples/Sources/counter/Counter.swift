import ReactorState

/// ReactorKit's first example: a value that goes up and down, with a pause before each step.
struct Counter: StateReactor {
  enum Action { case increase, decrease }

  enum Mutation { case increaseValue, decreaseValue, setLoading(Bool), setAlertMessage(String) }

  struct State {
    var value = 0
    var isLoading = false
    @Pulse var alertMessage: String?
  }

  /// The time that a step takes.
  let pause: Duration

  var initialState: State { State() }

  func mutate(_ action: Action, state: State) -> Effect<Mutation> {
    let pause = pause
    let (mutation, message): (Mutation, String) =
      switch action {
      case .increase: (.increaseValue, "increased")
      case .decrease: (.decreaseValue, "decreased")
      }
    return .sequence(
      .commit(.setLoading(true)),
      .run { emit in
        try await Task.sleep(for: pause)
        await emit(mutation)
      },
      .commit(.setAlertMessage(message), .setLoading(false)))
  }

  func reduce(_ state: inout State, _ mutation: Mutation) {
    switch mutation {
    case .increaseValue: state.value += 1
    case .decreaseValue: state.value -= 1
    case .setLoading(let isLoading): state.isLoading = isLoading
    case .setAlertMessage(let message): state.alertMessage = message
    }
  }
}
