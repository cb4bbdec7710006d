import ReactorCore
import ReactorState
import ReactorTesting
import Testing

/// What the references of `ReactorState` and `ReactorTesting` show.
enum DocCState {
  struct Counter: StateReactor {
    enum Action { case increase, decrease }
    enum Mutation { case add(Int), setLoading(Bool), setAlert(String) }
    struct State { var value = 0; var isLoading = false; @Pulse var alert: String? }

    var initialState: State { State() }

    func mutate(_ action: Action, state: State) -> Effect<Mutation> {
      switch action {
      case .increase: .commit(.setLoading(true), .add(1), .setLoading(false), .setAlert("increased"))
      case .decrease: .commit(.setLoading(true), .add(-1), .setLoading(false), .setAlert("decreased"))
      }
    }

    func reduce(_ state: inout State, _ mutation: Mutation) {
      switch mutation {
      case .add(let number): state.value += number
      case .setLoading(let isLoading): state.isLoading = isLoading
      case .setAlert(let text): state.alert = text
      }
    }
  }

  struct CounterView: View {
    let draw: @Sendable (Int) -> Void

    func bind(to store: ReactorStore<Counter>) async {
      for await value in store.states(of: \.value) { draw(value) }
    }
  }

  @MainActor final class CounterLabel: View {
    private(set) var text = ""

    func bind(to store: ReactorStore<Counter>) async {
      for await value in store.states(of: \.value) { text = "\(value)" }
    }
  }

  /// A profile of the user that several reactors share.
  struct Profile: StateReactor {
    enum Mutation { case setUser(String?) }
    let user: StateRelay<String?>

    var initialState: String? { nil }
    var externalMutations: [any AsyncSequence<Mutation, Never> & Sendable] { [user.values.map { .setUser($0) }] }

    func mutate(_ action: Never, state: String?) -> Effect<Mutation> {}

    func reduce(_ state: inout String?, _ mutation: Mutation) {
      switch mutation {
      case .setUser(let user): state = user
      }
    }
  }

  static func send() async {
    let store = ReactorStore(Counter())
    store.send(.increase)
    print(await store.state.value)  // 1
  }

  static func read() async {
    let store = ReactorStore(Counter())
    store.send(.increase)
    for await value in store.states(of: \.value) { print(value) }
  }

  static func share() -> ReactorStore<Profile> {
    let user = StateRelay<String?>(nil)
    let profile = ReactorStore(Profile(user: user))
    user.accept("Ada")
    return profile
  }

  static func alert(_ store: ReactorStore<Counter>, _ show: (String?) -> Void) async {
    for await alert in store.pulses(of: \.$alert) { show(alert) }
  }

  static func test(_ draw: @escaping @Sendable (Int) -> Void) async -> [Counter.Action] {
    let stub = Stub(Counter())
    let binding = ViewBinding(CounterView(draw: draw))
    await binding.bind(to: stub.store)
    stub.state = Counter.State(value: 7)  // the view shows 7
    return await stub.actions  // what the view has sent
  }

  static func checkContract() async {
    let contract = PersistenceContract(models: ("a", "b"), make: { InMemoryPersistence<String>() }, isSame: ==)
    #expect(await contract.violations() == [])
  }
}
