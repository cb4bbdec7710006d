internal import ReactorCore
public import ReactorState

/// One run of a plan. Flows run beside each other within the plan's limits; what one does never changes another.
///
/// ```swift
/// let run = BatchRun(plan)
/// let state = await run.execute()
/// print(state.counters[.passed])
/// ```
///
/// Behind it stands a `ReactorStore`: everything that happens becomes a `RunMutation`, which the store applies to the
/// `RunState` with `reduce`, and views only read. A run is executed once.
public final class BatchRun: Sendable {
  /// What is run.
  public let plan: RunPlan
  /// The run's state, its changes, and the way to ask for something: what views are bound to.
  public let store: ReactorStore<RunReactor>

  /// Prepares a run; nothing is started.
  public init(_ plan: RunPlan, clock: RunClock = .continuous) {
    self.plan = plan
    // Flows look at files and write them: on threads that may wait for a disk this needs no others.
    store = ReactorStore(RunReactor(plan, clock: clock), executor: PatientExecutor.shared)
  }

  /// The run at this moment: a copy, which costs the number of flows.
  public var state: RunState { store.snapshot.state }

  /// Something of the state, read while the run waits: it must be quick.
  public func read<Value: Sendable>(_ read: (borrowing RunState) -> Value) -> Value { store.read(read) }

  /// A stream with an element whenever the state may be newer; several changes may give one element. It ends with the run.
  package var bells: AsyncStream<Void> { store.signals }

  /// The changes from now on, in order and without loss. The sequence ends with the run.
  ///
  /// - Parameter wants: Selects changes; the others are not retained for this reader.
  public func transitions(
    matching wants: @escaping @Sendable (RunMutation) -> Bool = { _ in true }
  ) -> Transitions<RunMutation> { store.transitions(matching: wants) }

  /// The changes after a number, in order and without loss. The sequence ends with the run.
  ///
  /// - Parameter sequence: The number of the last change that the reader knows; 0 for none.
  /// - Returns: nil when a change after it is no longer retained (a thousand are); then begin again from the state.
  public func transitions(
    after sequence: Int, matching wants: @escaping @Sendable (RunMutation) -> Bool = { _ in true }
  ) -> Transitions<RunMutation>? { store.transitions(after: sequence, matching: wants) }

  /// Starts no more flows and cancels those that run; saves that were deferred go on. May be called at any time.
  public func cancel() { store.send(.cancelAll) }

  /// Starts no more flows; those that run may end within the grace time and are cancelled then; saves that were deferred
  /// go on. May be called at any time.
  public func drain(grace: Duration) { store.send(grace > .zero ? .drain(grace: grace) : .cancelAll) }

  /// Runs the plan until every flow is over and every deferred save has ended. Cancelling the task is `cancel()`.
  @concurrent public func execute() async -> RunState {
    // A task of its own, always awaited: the run ends in its own way, also when this task is cancelled.
    let run = Task(executorPreference: PatientExecutor.shared) { [store] in await store.dispatch(.start) }
    await withTaskCancellationHandler {
      await run.value
    } onCancel: {
      cancel()
    }
    let state = await store.state
    await store.finish()
    return state
  }
}
