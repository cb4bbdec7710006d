internal import ReactorCore
internal import ReactorState
internal import Synchronization

/// Runs the flows of a plan within its limits and reports everything that happens to the store.
///
/// The store decides which flows run. A flow runs only after the store has reduced its start. When a run has been
/// stopped in the meantime, its waiting flows therefore do not run.
final class FlowScheduler: Sendable {
  private enum Signal: Sendable {
    case workerEnded
    case moreWork
    case claimsEnded
  }

  let flights = FlowsInFlight()
  let plan: RunPlan
  let clock: RunClock
  private let schedule: Mutex<HostSchedule>
  /// Counts the flows that this process has claimed and not ended; nil without claims.
  let claimed: ClaimedFlows?
  private let deferred = Mutex<[(index: Int, queue: SaveQueue)]>([])
  private let signals: AsyncStream<Signal>
  private let signal: AsyncStream<Signal>.Continuation

  init(_ plan: RunPlan, clock: RunClock) {
    self.plan = plan
    self.clock = clock
    schedule = Mutex(
      HostSchedule(
        hosts: plan.flows.indices.lazy.map { plan.flows[$0].host }, parents: plan.parents,
        limit: plan.limits.perHost, isOpen: plan.claims == nil))
    claimed = plan.claims == nil ? nil : ClaimedFlows()
    (signals, signal) = AsyncStream.makeStream(of: Signal.self)
  }

  /// Schedules another attempt of a flow that already waits in the store.
  func offer(_ index: Int) {
    if add(index) { claimed?.add(1) }
    wake()
  }

  /// Schedules a flow that waits in the store, without waking the workers.
  ///
  /// - Returns: false if it is scheduled already
  func add(_ index: Int) -> Bool {
    // The save of the previous attempt has ended.
    deferred.withLock { saves in saves.removeAll { $0.index == index } }
    return schedule.withLock { $0.add(index) }
  }

  /// Wakes the workers after flows were scheduled.
  func wake() { signal.yield(.moreWork) }

  /// Runs all flows, then waits for the deferred saves.
  func run(_ emit: Emit<RunMutation>) async {
    let started = clock.stopwatch.reading()
    if let limit = plan.limits.totalTimeout { plan.end.come(at: started + limit) }
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
      var isClaiming = false
      if let claims = plan.claims {
        isClaiming = true
        group.addTask {
          await self.claim(from: claims, emit)
          self.signal.yield(.claimsEnded)
        }
      }
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
      if workers == 0, !isClaiming, await isDraining(emit) { return }
      for await signal in signals {
        switch signal {
        case .workerEnded: workers -= 1
        case .claimsEnded: isClaiming = false
        case .moreWork: break
        }
        hire()
        if workers == 0, !isClaiming, await isDraining(emit) { return }
      }
    }
    // The deadline watch is cancelled and awaited when this scope ends.
  }

  /// Reports that no flow is left, and returns whether the store agrees.
  ///
  /// The store does not agree while a flow waits to be run again.
  private func isDraining(_ emit: Emit<RunMutation>) async -> Bool {
    await emit(.draining)
    return emit.read(of: RunReactor.self) { $0.phase != .running } ?? true
  }

  private func work(_ emit: Emit<RunMutation>) async {
    var ended: Int?
    while let index = schedule.withLock({ $0.next(after: ended) }) {
      await run(index, emit)
      claimed?.remove(1)
      ended = index
    }
  }

  private func run(_ index: Int, _ emit: Emit<RunMutation>) async {
    await emit(.flowStarted(index, at: clock.stopwatch.reading()))
    let attempt = emit.read(of: RunReactor.self) { state in
      state.flows[index].status == .running ? state.flows[index].attempt : nil
    }
    guard case .some(.some(let attempt)) = attempt else {
      free(index)
      return
    }
    let queue = SaveQueue()
    guard let task = begin(index, attempt: attempt, queue, emit) else { return }
    end(index, await task.value, queue, emit)
  }

  /// Starts a flow in its own task, so that it can be cancelled without the other flows; the caller awaits the task.
  ///
  /// - Returns: nil when the flow has already failed
  private func begin(
    _ index: Int, attempt: Int, _ queue: SaveQueue, _ emit: Emit<RunMutation>
  ) -> Task<Result<FetchSummary, ReactorError>, Never>? {
    plan.flows[index].prepare()
    free(index)
    if let error = parentError(index, emit) {
      emit.send(.flowFailed(index, error, at: clock.stopwatch.reading()))
      return nil
    }
    let (execution, steps) = (plan.flows[index].execution, ByteSteps())
    let task = Task(executorPreference: PatientExecutor.shared) { () async -> Result<FetchSummary, ReactorError> in
      do throws(ReactorError) {
        return .success(
          try await execution(queue) { event in
            if steps.passes(event) { emit.send(.flowProgressed(index, event)) }
          })
      } catch {
        return .failure(error)
      }
    }
    let deadline = clock.stopwatch.reading() + plan.flows[index].timeout + plan.limits.overrun
    flights.add(index, attempt: attempt, deadline: deadline) { task.cancel() }
    return task
  }

  /// Reports the end of a flow.
  ///
  /// The report is not awaited, because the next report of the same worker comes after it anyway.
  private func end(
    _ index: Int, _ result: Result<FetchSummary, ReactorError>, _ queue: SaveQueue, _ emit: Emit<RunMutation>
  ) {
    let reason = flights.remove(index)
    let time = clock.stopwatch.reading()
    switch result {
    case .success(let result):
      if result.save == .deferred { deferred.withLock { $0.append((index, queue)) } }
      emit.send(.flowFinished(index, result, at: time))
    case .failure(let error):
      emit.send(.flowFailed(index, explain(error, reason, plan.flows[index]), at: time))
    }
  }

  /// Lets the child flows start that waited for this flow.
  private func free(_ index: Int) {
    if schedule.withLock({ $0.start(index) }) { signal.yield(.moreWork) }
  }

  /// Returns why a flow cannot get its records: a parent is not part of the run, or a parent has no result.
  private func parentError(_ index: Int, _ emit: Emit<RunMutation>) -> ReactorError? {
    if let id = plan.missing[index].first {
      return .server("the flow needs the records of '\(id)', which is not part of this run")
    }
    guard !plan.parents[index].isEmpty else { return nil }
    let error: ReactorError?? = emit.read(of: RunReactor.self) { state in
      for parent in plan.parents[index] {
        let flow = state.flows[parent]
        // A parent whose deferred save failed has already passed all its records on.
        let isLost = flow.status == .failed || (flow.status.isFinal && flow.status != .passed && flow.source == nil)
        if isLost { return ReactorError.parentFailed(flow.id, flow.error ?? .cancelled) }
      }
      return nil
    }
    return error ?? nil
  }

  /// Returns the error to report for a flow; for a flow that was cancelled at a time limit, it names this limit.
  private func explain(_ error: ReactorError, _ reason: FlowsInFlight.Reason?, _ flow: RunnableFlow) -> ReactorError {
    guard error.kind == .cancelled else { return error }
    switch reason {
    case .asked, nil: return error
    case .deadline:
      let limit = flow.timeout + plan.limits.overrun
      return ReactorError(.timeout, "the flow did not end within \(limit.components.seconds) s")
    case .runDeadline:
      return ReactorError(.timeout, "the time for the whole run was over before the flow ended")
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
    let saves = deferred.withLock { saves in saves.sorted { $0.index < $1.index } }
    for (index, queue) in saves {
      let failures = await queue.drain()
      await emit(.saveEnded(index, failures.first?.error))
    }
  }
}
