import ReactorState

/// A batch as a state: what a run of flows does to its store, without the flows.
struct Batch: StateReactor {
  enum Action {
    /// All flows in one effect with some workers, which do not wait for the store.
    case send(workers: Int)
    /// The same; each mutation is awaited.
    case emit(workers: Int)
    /// One flow in an effect of its own, whose mutations are awaited.
    case flow(Int)
  }

  enum Mutation {
    case started(Int, at: Duration)
    case step(Int, String)
    case received(Int, bytes: Int)
    case finished(Int, records: Int, at: Duration)
  }

  struct Flow {
    let id: String
    let file = "flows/shop.yaml"
    let host = "https://api.example.com:443"
    var status = 0
    var step = ""
    var records = 0
    var rejected: [String] = []
    var bytes = 0
    var times: [Duration] = [.zero, .zero, .zero, .zero, .zero]
    var error: String?
    var started = Duration.zero
    var ended = Duration.zero
  }

  struct State {
    var flows: [Flow]
    var running = 0
    var ended = 0
    var records = 0
  }

  let count: Int

  var initialState: State { State(flows: (0..<count).map { Flow(id: "shop.flow-\($0)") }) }

  func mutate(_ action: Action, state: State) -> Effect<Mutation> {
    let count = count
    switch action {
    case .send(let workers):
      return .run { emit in
        await withTaskGroup(of: Void.self) { group in
          for worker in 0..<workers {
            group.addTask {
              for index in stride(from: worker, to: count, by: workers) {
                for mutation in Self.mutations(index) { emit.send(mutation) }
              }
            }
          }
        }
      }
    case .emit(let workers):
      return .run { emit in
        await withTaskGroup(of: Void.self) { group in
          for worker in 0..<workers {
            group.addTask {
              for index in stride(from: worker, to: count, by: workers) {
                for mutation in Self.mutations(index) { await emit(mutation) }
              }
            }
          }
        }
      }
    case .flow(let index):
      return .run(id: "flow/\(index)") { emit in
        for mutation in Self.mutations(index) { await emit(mutation) }
      }
    }
  }

  static func mutations(_ index: Int) -> [Mutation] {
    [
      .started(index, at: .seconds(1)), .step(index, "request"), .received(index, bytes: 4096), .step(index, "save"),
      .finished(index, records: 7, at: .seconds(2)),
    ]
  }

  func reduce(_ state: inout State, _ mutation: Mutation) {
    switch mutation {
    case .started(let index, let time):
      state.flows[index].status = 1
      state.flows[index].started = time
      state.running += 1
    case .step(let index, let step): state.flows[index].step = step
    case .received(let index, let bytes): state.flows[index].bytes = bytes
    case .finished(let index, let records, let time):
      state.flows[index].status = 2
      state.flows[index].records = records
      state.flows[index].ended = time
      state.running -= 1
      state.ended += 1
      state.records += records
    }
  }
}

func measure(_ name: String, rounds: Int, views: Bool, _ act: (ReactorStore<Batch>) async -> Void) async {
  guard name.contains(filter) else { return }
  var times: [Duration] = []
  for _ in 0..<rounds {
    let store = ReactorStore(Batch(count: 10_000))
    let readers = views ? [readChanges(store), readStates(store)] : []
    let time = await ContinuousClock().measure {
      await act(store)
      await store.idle()
    }
    guard await store.state.ended == 10_000, store.snapshot.sequence == 50_000 else {
      print("\(name): the store lost mutations")
      return
    }
    await store.finish()
    for reader in readers { await reader.value }
    times.append(time)
  }
  times.sort()
  func text(_ time: Duration) -> String { "\(Int(time / .microseconds(1)) / 100)".replacingLast() }
  print("\(name): \(text(times[times.count / 2])) ms (\(text(times[0])) to \(text(times[times.count - 1])))")
}

func readChanges(_ store: ReactorStore<Batch>) -> Task<Void, Never> {
  let transitions = store.transitions()
  return Task {
    var last = 0
    for await transition in transitions {
      if transition.sequence != last + 1 { print("a transition is missing") }
      last = transition.sequence
    }
  }
}

func readStates(_ store: ReactorStore<Batch>) -> Task<Void, Never> {
  // As a view does: at most ten times a second.
  Task {
    for await _ in store.states(of: \.ended) { try? await Task.sleep(for: .milliseconds(100)) }
  }
}

extension String {
  /// A number of tenths with its point.
  func replacingLast() -> String { count == 1 ? "0.\(self)" : "\(dropLast()).\(suffix(1))" }
}

let filter = CommandLine.arguments.dropFirst(2).first ?? " "
let rounds = CommandLine.arguments.dropFirst().first.flatMap { Int($0) } ?? 15
print("10,000 flows with 5 mutations each, median of \(rounds) rounds (minimum to maximum)")
for views in [false, true] {
  let suffix = views ? ", with a log and a display" : ""
  await measure("8 workers that do not wait\(suffix)", rounds: rounds, views: views) {
    await $0.dispatch(.send(workers: 8))
  }
  await measure("8 workers that wait\(suffix)", rounds: rounds, views: views) { await $0.dispatch(.emit(workers: 8)) }
  await measure("an effect for each flow\(suffix)", rounds: rounds, views: views) { store in
    for index in 0..<10_000 { store.send(.flow(index)) }
  }
}
