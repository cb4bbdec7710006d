internal import ReactorCore
internal import Synchronization

/// One run of a plan. Flows run beside each other within the plan's limits; what one does never changes another.
///
/// ```swift
/// let run = BatchRun(plan)
/// let state = await run.execute()
/// print(state.counters[.passed])
/// ```
///
/// Everything that happens becomes a `RunMutation`; one owner applies it to the `RunState` with `reduce`, and views only
/// read. A run is executed once.
public final class BatchRun: Sendable {
  /// What is run.
  public let plan: RunPlan
  private let clock: RunClock
  private let store: RunStore
  private let flights = FlowsInFlight()
  private let schedule: Mutex<HostSchedule>
  private let deferred = Mutex<[(place: Int, lane: SaveLane)]>([])

  /// Prepares a run; nothing is started.
  public init(_ plan: RunPlan, clock: RunClock = .continuous) {
    self.plan = plan
    self.clock = clock
    store = RunStore(RunState(plan))
    schedule = Mutex(HostSchedule(hosts: plan.flows.lazy.map(\.host), limit: plan.limits.perHost))
  }

  /// The run at this moment: a copy, which costs the number of flows.
  public var state: RunState { store.read { copy $0 } }

  /// Something of the state, read while the run waits: it must be quick.
  public func read<Value: Sendable>(_ read: (borrowing RunState) -> Value) -> Value { store.read(read) }

  /// The changes from now on, in order and lossless; ends with the run.
  ///
  /// - Parameter matching: which changes are wanted; a listener that asks for few holds little.
  public func transitions(
    matching: @escaping @Sendable (RunMutation) -> Bool = { _ in true }
  ) -> AsyncStream<RunTransition> { store.transitions(matching: matching) }

  /// Starts no more flows and cancels those that run; saves that were deferred go on. May be called at any time.
  public func cancel() {
    store.apply(.cancelled)
    flights.cancelAll()
  }

  /// Runs the plan until every flow is over and every deferred save has ended. Cancelling the task is `cancel()`.
  @concurrent public func execute() async -> RunState {
    await withTaskCancellationHandler {
      store.apply(.started(at: clock.stopwatch.reading()))
      // Flows look at files and write them: on threads that may wait for a disk this needs no others.
      await withTaskExecutorPreference(PatientExecutor.shared) { await runFlows() }
      store.apply(.draining)
      await drainSaves()
      store.apply(.finished(at: clock.stopwatch.reading()))
    } onCancel: {
      cancel()
    }
    return state
  }

  // MARK: - Flows

  private func runFlows() async {
    async let _: Void = watchDeadlines()
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<min(plan.limits.jobs, plan.flows.count) {
        group.addTask { [self] in
          var ended: Int?
          while let place = schedule.withLock({ $0.next(after: ended) }) {
            await run(place)
            ended = place
          }
        }
      }
    }
    // The watch is cancelled and awaited when this scope ends.
  }

  private func run(_ place: Int) async {
    let began = store.apply(.flowStarted(place, at: clock.stopwatch.reading())) {
      $0.flows[place].status == .running
    }
    // A run that was cancelled meanwhile has taken its waiting flows off.
    guard began else { return }
    let flow = plan.flows[place]
    let lane = SaveLane()
    let store = store
    // A task of its own, always awaited below, so that one flow can be cancelled alone.
    let task = Task(executorPreference: PatientExecutor.shared) { () async -> Result<FlowResult, ReactorError> in
      do throws(ReactorError) {
        return .success(try await flow.execution(lane) { store.apply(.flowProgressed(place, $0)) })
      } catch {
        return .failure(error)
      }
    }
    let deadline = clock.stopwatch.reading() + flow.timeout + plan.limits.overrun
    flights.add(place, deadline: deadline) { task.cancel() }
    let result = await task.value
    let cancelled = flights.remove(place)
    let time = clock.stopwatch.reading()
    switch result {
    case .success(let result):
      if result.save == .deferred { deferred.withLock { $0.append((place, lane)) } }
      store.apply(.flowFinished(place, result, at: time))
    case .failure(let error) where cancelled == .deadline:
      let limit = flow.timeout + plan.limits.overrun
      let late = ReactorError(.timeout, "the flow did not end within \(limit.components.seconds) s")
      store.apply(.flowFailed(place, error.kind == .cancelled ? late : error, at: time))
    case .failure(let error):
      store.apply(.flowFailed(place, error, at: time))
    }
  }

  private func watchDeadlines() async {
    while !Task.isCancelled {
      do { try await clock.sleep(.seconds(1)) } catch { return }
      flights.cancelOverdue(at: clock.stopwatch.reading())
    }
  }

  // MARK: - Deferred saves

  private func drainSaves() async {
    let saves = deferred.withLock { saves in saves.sorted { $0.place < $1.place } }
    for (place, lane) in saves {
      let failures = await lane.drain()
      store.apply(.saveEnded(place, failures.first?.error))
    }
  }
}
