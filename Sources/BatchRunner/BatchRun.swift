internal import ReactorCore
public import ReactorState

/// One run of a plan. The flows run concurrently, within the limits of the plan.
///
/// ```swift
/// let run = BatchRun(plan)
/// let state = await run.execute()
/// print(state.counters[.passed])
/// ```
///
/// Everything that happens in the run becomes a `RunMutation`, which the `ReactorStore` applies to the `RunState` with
/// `reduce`. Views only read the state. A run can be executed only once.
public final class BatchRun: Sendable {
  /// The flows of the run and its limits.
  public let plan: RunPlan
  /// The store of the run's state, to which views are bound.
  public let store: ReactorStore<RunReactor>

  /// Prepares a run; no flow is started.
  public init(_ plan: RunPlan, clock: RunClock = .continuous) {
    self.plan = plan
    // Flows read and write files, so they run on threads that may wait for a disk.
    store = ReactorStore(RunReactor(plan, clock: clock), executor: PatientExecutor.shared)
  }

  /// The state at this moment. Each access copies the states of all flows.
  public var state: RunState { store.snapshot.state }

  /// Reads a part of the state. The run waits for the closure, so the closure must be quick.
  public func read<Value: Sendable>(_ read: (borrowing RunState) -> Value) -> Value { store.read(read) }

  /// A stream with an element after each change; one element may stand for several changes. It ends with the run.
  package var changeSignals: AsyncStream<Void> { store.signals }

  /// The changes from now on, in order and without loss. The sequence ends with the run.
  ///
  /// - Parameter wants: Selects changes; all other changes are not retained for this reader.
  public func transitions(
    matching wants: @escaping @Sendable (RunMutation) -> Bool = { _ in true }
  ) -> Transitions<RunMutation> { store.transitions(matching: wants) }

  /// The changes after the change with a given number, in order and without loss. The sequence ends with the run.
  ///
  /// - Parameter sequence: The number of the last change that the reader knows; 0 for none.
  /// - Returns: nil when a later change is no longer retained (the last thousand are); the reader must then start again
  ///   from the state.
  public func transitions(
    after sequence: Int, matching wants: @escaping @Sendable (RunMutation) -> Bool = { _ in true }
  ) -> Transitions<RunMutation>? { store.transitions(after: sequence, matching: wants) }

  /// Starts no more flows and cancels the running flows; deferred saves continue. It may be called at any time.
  public func cancel() { store.send(.cancelAll) }

  /// Starts no more flows. The running flows are cancelled after the grace time; deferred saves continue.
  ///
  /// It may be called at any time.
  public func drain(grace: Duration) { store.send(grace > .zero ? .drain(grace: grace) : .cancelAll) }

  /// Runs the plan until all flows and all deferred saves have ended. Cancelling the task has the effect of `cancel()`.
  @concurrent public func execute() async -> RunState {
    // The run has its own task, which is always awaited. It therefore ends in order, even when the calling task is
    // cancelled.
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
