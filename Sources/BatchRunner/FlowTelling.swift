internal import ReactorCore
internal import ReactorState
internal import Synchronization

/// What one attempt of a flow tells the store while it runs.
///
/// Where somebody looks at steps, each event is told as it comes. Else those that the flow's result tells anyhow are
/// kept back, because each change of the state costs more than what it tells is worth to nobody; they are told all the same
/// when the flow ends without a result, or the run is asked to stop, so that nothing is missing where it is looked at then.
final class FlowTelling: Sendable {
  private struct State {
    var isOpen: Bool
    var kept: [FlowEvent] = []
  }

  private let place: Int
  private let emit: Emit<RunMutation>
  private let steps = ByteSteps()
  private let state: Mutex<State>

  /// Begins an attempt of the flow at a place of the plan.
  init(_ place: Int, isWatched: Bool, _ emit: Emit<RunMutation>) {
    self.place = place
    self.emit = emit
    state = Mutex(State(isOpen: isWatched))
  }

  /// Takes an event.
  func take(_ event: FlowEvent) {
    guard steps.passes(event) else { return }
    state.withLock { state in
      guard !state.isOpen, event.isToldByResult else { return emit.send(.flowProgressed(place, event)) }
      if case .received = event, case .received? = state.kept.last { state.kept.removeLast() }
      // As many as an ordinary flow has.
      if state.kept.isEmpty { state.kept.reserveCapacity(16) }
      state.kept.append(event)
    }
  }

  /// Tells what was kept back, and from now on everything as it comes.
  func open() {
    state.withLock { state in
      for event in state.kept { emit.send(.flowProgressed(place, event)) }
      state = State(isOpen: true)
    }
  }

  /// The flow has a result, which tells what was kept back.
  func drop() { state.withLock { $0 = State(isOpen: true) } }
}

extension FlowEvent {
  /// Whether a flow's result tells it too. The end of a save may come behind that result.
  fileprivate var isToldByResult: Bool {
    switch self {
    case .started, .missed, .received, .paged, .pruned, .saveDeferred, .saveWithheld, .waiting: true
    case .finished(let step, _), .failed(let step, _): step != .save
    case .retrying, .waitingForRun, .cutShort, .missingFields, .unstamped: false
    }
  }
}
