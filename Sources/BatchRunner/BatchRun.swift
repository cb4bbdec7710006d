internal import ReactorCore
public import ReactorState

/// One run of a plan. Flows run concurrently within the limits of the plan.
///
/// ```swift
/// let run = BatchRun(plan)
/// let state = await run.execute()
/// print(state.counters[.passed])
/// ```
///
/// Everything that happens becomes a `RunMutation`, which the `ReactorStore` applies to the `RunState` with `reduce`.
/// Views only read. A run is executed once.
public final class BatchRun: Sendable {
  /// What is run.
  public let plan: RunPlan
  /// The state of the run, its changes and its actions: what views are bound to.
  public let store: ReactorStore<RunReactor>

  /// Prepares a run; nothing is started.
  public init(_ plan: RunPlan, clock: RunClock = .continuous) {
    self.plan = plan
    // Flows read and write files, so they run on threads that may wait for a disk.
    store = ReactorStore(RunReactor(plan, clock: clock), executor: PatientExecutor.shared)
  }

  /// The state at this moment: a copy of all flows.
  public var state: RunState { store.snapshot.state }

  /// Reads from the state. The run waits meanwhile, so it must be quick.
  public func read<Value: Sendable>(_ read: (borrowing RunState) -> Value) -> Value { store.read(read) }

  /// A stream with an element after each change, or one for several changes. It ends with the run.
  package var changeSignals: AsyncStream<Void> { store.signals }

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

  /// Starts no more flows and cancels those that run; deferred saves go on. May be called at any time.
  public func cancel() { store.send(.cancelAll) }

  /// Starts no more flows. Those that run are cancelled after the grace time; deferred saves go on. May be called at any
  /// time.
  public func drain(grace: Duration) { store.send(grace > .zero ? .drain(grace: grace) : .cancelAll) }

  /// Runs the plan until every flow is over and every deferred save has ended. Cancelling the task is `cancel()`.
  @concurrent public func execute() async -> RunState {
    // A task of its own, which is always awaited: the run ends in order, also when this task is cancelled.
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
