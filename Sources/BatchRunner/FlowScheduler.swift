internal import ReactorCore
internal import ReactorState
internal import Synchronization

/// Runs the flows of a plan beside each other within its limits, and tells the store of everything that happens.
///
/// What one flow does never changes another. The store decides: a flow begins only when its start was reduced, so a run
/// that was stopped meanwhile has taken its waiting flows off.
final class FlowScheduler: Sendable {
  private enum Signal: Sendable {
    case workerEnded
    case moreWork
  }

  let flights = FlowsInFlight()
  private let plan: RunPlan
  private let clock: RunClock
  private let schedule: Mutex<HostSchedule>
  private let deferred = Mutex<[(place: Int, queue: SaveQueue)]>([])
  private let signals: AsyncStream<Signal>
  private let signal: AsyncStream<Signal>.Continuation

  init(_ plan: RunPlan, clock: RunClock) {
    self.plan = plan
    self.clock = clock
    schedule = Mutex(
      HostSchedule(
        hosts: plan.flows.indices.lazy.map { plan.flows[$0].host }, parents: plan.parents,
        limit: plan.limits.perHost))
    (signals, signal) = AsyncStream.makeStream(of: Signal.self)
  }

  /// Gives a flow out once more; the store holds it as waiting.
  func offer(_ place: Int) {
    // Its last save is over, and no business of the next attempt.
    deferred.withLock { saves in saves.removeAll { $0.place == place } }
    schedule.withLock { $0.add(place) }
    signal.yield(.moreWork)
  }

  /// Runs everything: flows, then deferred saves.
  func run(_ emit: Emit<RunMutation>) async {
    let started = clock.stopwatch.reading()
    await emit(.started(at: started))
    await runFlows(emit, since: started)
    await drainSaves(emit)
    await emit(.finished(at: clock.stopwatch.reading()))
  }

  // MARK: - Flows

  private func runFlows(_ emit: Emit<RunMutation>, since started: Duration) async {
    async let _: Void = watchDeadlines(emit, since: started)
    await withDiscardingTaskGroup { group in
      var workers = 0
      func hire() {
        while workers < plan.limits.jobs, schedule.withLock({ $0.hasWork }) {
          workers += 1
          group.addTask {
            await self.work(emit)
            self.signal.yield(.workerEnded)
          }
        }
      }
      hire()
      if workers == 0, await isDraining(emit) { return }
      for await signal in signals {
        if signal == .workerEnded { workers -= 1 }
        hire()
        if workers == 0, await isDraining(emit) { return }
      }
    }
    // The watch is cancelled and awaited when this scope ends.
  }

  /// Says that no flow is left. The store refuses that while one waits that was taken up again this moment.
  private func isDraining(_ emit: Emit<RunMutation>) async -> Bool {
    await emit(.draining)
    return emit.read(of: RunReactor.self) { $0.phase != .running } ?? true
  }

  private func work(_ emit: Emit<RunMutation>) async {
    var ended: Int?
    while let place = schedule.withLock({ $0.next(after: ended) }) {
      await run(place, emit)
      ended = place
    }
  }

  private func run(_ place: Int, _ emit: Emit<RunMutation>) async {
    await emit(.flowStarted(place, at: clock.stopwatch.reading()))
    let attempt = emit.read(of: RunReactor.self) { state in
      state.flows[place].status == .running ? state.flows[place].attempt : nil
    }
    guard case .some(.some(let attempt)) = attempt else {
      free(place)
      return
    }
    let queue = SaveQueue()
    guard let task = begin(place, attempt: attempt, queue, emit) else { return }
    end(place, await task.value, queue, emit)
  }

  /// Begins a flow's work in a task of its own, which has to be awaited, so that one flow can be cancelled alone; nil
  /// where it is over already.
  private func begin(
    _ place: Int, attempt: Int, _ queue: SaveQueue, _ emit: Emit<RunMutation>
  ) -> Task<Result<FlowResult, ReactorError>, Never>? {
    plan.flows[place].prepare()
    free(place)
    if let error = fault(ofParentsOf: place, emit) {
      emit.send(.flowFailed(place, error, at: clock.stopwatch.reading()))
      return nil
    }
    let (execution, steps) = (plan.flows[place].execution, ByteSteps())
    let task = Task(executorPreference: PatientExecutor.shared) { () async -> Result<FlowResult, ReactorError> in
      do throws(ReactorError) {
        return .success(
          try await execution(queue) { event in
            if steps.passes(event) { emit.send(.flowProgressed(place, event)) }
          })
      } catch {
        return .failure(error)
      }
    }
    let deadline = clock.stopwatch.reading() + plan.flows[place].timeout + plan.limits.overrun
    flights.add(place, attempt: attempt, deadline: deadline) { task.cancel() }
    return task
  }

  /// Tells how a flow ended. Not awaited: whatever its worker tells next comes behind it.
  private func end(
    _ place: Int, _ result: Result<FlowResult, ReactorError>, _ queue: SaveQueue, _ emit: Emit<RunMutation>
  ) {
    let reason = flights.remove(place)
    let time = clock.stopwatch.reading()
    switch result {
    case .success(let result):
      if result.save == .deferred { deferred.withLock { $0.append((place, queue)) } }
      emit.send(.flowFinished(place, result, at: time))
    case .failure(let error):
      emit.send(.flowFailed(place, explain(error, reason, plan.flows[place]), at: time))
    }
  }

  /// Lets flows begin that waited for this one to start.
  private func free(_ place: Int) {
    if schedule.withLock({ $0.start(place) }) { signal.yield(.moreWork) }
  }

  /// Why a flow cannot get the records it needs: one of its parents is not part of the run, or ended without a result.
  private func fault(ofParentsOf place: Int, _ emit: Emit<RunMutation>) -> ReactorError? {
    if let id = plan.missing[place].first {
      return .server("the records of '\(id)' are needed, which is not part of this run")
    }
    guard !plan.parents[place].isEmpty else { return nil }
    let error: ReactorError?? = emit.read(of: RunReactor.self) { state in
      for parent in plan.parents[place] {
        let flow = state.flows[parent]
        // A parent whose save failed behind its end has handed all its records on.
        let isLost = flow.status == .failed || (flow.status.isFinal && flow.status != .passed && flow.source == nil)
        if isLost { return ReactorError.parentFailed(flow.id, flow.error ?? .cancelled) }
      }
      return nil
    }
    return error ?? nil
  }

  /// What a cancelled flow is reported with.
  private func explain(_ error: ReactorError, _ reason: FlowsInFlight.Reason?, _ flow: RunnableFlow) -> ReactorError {
    guard error.kind == .cancelled else { return error }
    switch reason {
    case .asked, nil: return error
    case .deadline:
      let limit = flow.timeout + plan.limits.overrun
      return ReactorError(.timeout, "the flow did not end within \(limit.components.seconds) s")
    case .runDeadline:
      return ReactorError(.timeout, "the run's time was over before the flow had ended")
    }
  }

  private func watchDeadlines(_ emit: Emit<RunMutation>, since started: Duration) async {
    var end = plan.limits.totalTimeout.map { started + $0 }
    while !Task.isCancelled {
      let pause = end.map { min(max($0 - clock.stopwatch.reading(), .zero), .seconds(1)) } ?? .seconds(1)
      do { try await clock.sleep(pause) } catch { return }
      let now = clock.stopwatch.reading()
      flights.cancelOverdue(at: now)
      if let limit = end, now >= limit {
        end = nil
        await emit(.stopped(.timeout))
        flights.cancelAll(.runDeadline)
      }
    }
  }

  // MARK: - Deferred saves

  private func drainSaves(_ emit: Emit<RunMutation>) async {
    let saves = deferred.withLock { saves in saves.sorted { $0.place < $1.place } }
    for (place, queue) in saves {
      let failures = await queue.drain()
      await emit(.saveEnded(place, failures.first?.error))
    }
  }
}
