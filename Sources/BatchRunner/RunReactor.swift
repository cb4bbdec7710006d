internal import ReactorCore
public import ReactorState

/// The reactor of a run: actions start and stop flows, and all changes go to one state.
///
/// `reduce` is `RunState.reduce`. Applying the changes of a run again therefore produces its last state.
public struct RunReactor: StateReactor {
  /// Starts and stops flows.
  public typealias Action = RunAction
  /// A change of the run.
  public typealias Mutation = RunMutation
  /// The state of the whole run.
  public typealias State = RunState

  private static let grace = "grace"

  /// The state before the start of the run. It is not stored here, because the first change would then copy it.
  public var initialState: RunState { RunState(plan) }
  private let plan: RunPlan
  private let scheduler: FlowScheduler
  private let clock: RunClock

  init(_ plan: RunPlan, clock: RunClock) {
    self.plan = plan
    scheduler = FlowScheduler(plan, clock: clock)
    self.clock = clock
  }

  /// Returns the effect of an action on the flows.
  public func mutate(_ action: RunAction, state: RunState) -> Effect<RunMutation> {
    let (scheduler, clock) = (scheduler, clock)
    switch action {
    case .start:
      guard state.phase == .idle else { return .none }
      return .run { emit in await scheduler.run(emit) }
    case .cancelAll:
      guard state.phase != .finished else { return .none }
      return .sequence(
        .cancel(id: Self.grace), .commit(.cancelled),
        .run { _ in scheduler.flights.cancelAll(.asked) })
    case .drain(let grace):
      guard state.phase != .finished else { return .none }
      let end = plan.end
      guard let grace else { return .commit(.cancelled) }
      return .sequence(
        .commit(.cancelled), .run { _ in end.come(at: clock.stopwatch.reading()) },
        .latest(id: Self.grace) { _ in
          try await clock.sleep(grace)
          scheduler.flights.cancelAll(.asked)
        })
    case .cancel(let index):
      guard state.flows.indices.contains(index) else { return .none }
      let attempt = state.flows[index].attempt
      switch state.flows[index].status {
      case .queued: return .commit(.flowCancelled(index))
      case .running: return .run { _ in scheduler.flights.cancel(index, attempt: attempt) }
      case .passed, .failed, .error, .cancelled, .elsewhere: return .none
      }
    case .retry(let index):
      guard state.canRetry(index) else { return .none }
      return .sequence(.commit(.flowQueued(index)), .run { _ in scheduler.offer(index) })
    }
  }

  /// Applies a change.
  public func reduce(_ state: inout RunState, _ mutation: RunMutation) { state.reduce(mutation) }
}
