internal import ReactorCore

extension RunState {
  /// Applies a change. This function is pure: applying the mutations of a run again produces its last state.
  ///
  /// A change that is not possible at this moment, such as the start of a flow that does not wait, does nothing.
  public mutating func reduce(_ mutation: RunMutation) {
    switch mutation {
    case .started(let time):
      guard phase == .idle else { return }
      phase = .running
      started = time
    case .flowStarted(let index, let time): start(index, at: time)
    case .flowProgressed(let index, let event): progress(index, event)
    case .flowFinished(let index, let result, let time): finish(index, result, at: time)
    case .flowFailed(let index, let error, let time): fail(index, error, at: time)
    case .saveEnded(let index, let error):
      guard flows.indices.contains(index), flows[index].save == .deferred else { return }
      settleSave(index, error)
    case .flowCancelled(let index):
      guard flows.indices.contains(index), flows[index].status == .queued else { return }
      move(index, to: .cancelled)
    case .flowQueued(let index):
      guard canRetry(index) else { return }
      requeue(index)
    case .cancelled: stop(.asked)
    case .stopped(let reason): stop(reason)
    case .leftToOthers: settleWaiting(as: .elsewhere)
    case .draining:
      // A flow that waits to be run again keeps the run in the phase `running`.
      guard phase == .running, counters[.queued] == 0 else { return }
      phase = .draining
    case .finished(let time):
      guard phase != .finished else { return }
      phase = .finished
      ended = time
    }
  }

  /// Whether a flow may be run again: its work and its save have ended, and the run is running and not stopped.
  public func canRetry(_ index: Int) -> Bool {
    phase == .running && stop == nil && flows.indices.contains(index) && flows[index].isSettled
  }

  // MARK: - One flow

  private mutating func start(_ index: Int, at time: Duration) {
    guard flows.indices.contains(index), flows[index].status == .queued else { return }
    move(index, to: .running)
    flows[index].attempt += 1
    flows[index].started = time
  }

  private mutating func progress(_ index: Int, _ event: FlowEvent) {
    guard flows.indices.contains(index) else { return }
    let isRunning = flows[index].status == .running
    switch event {
    case .started(let step):
      if isRunning { (flows[index].step, flows[index].awaitedPath) = (step, nil) }
    case .finished(let step, let duration):
      flows[index].summary.timings[step] = duration
      if step == .save, !isRunning, flows[index].save == .deferred { settleSave(index, nil) }
    case .failed(let step, let error):
      if step == .save, !isRunning, flows[index].save == .deferred { settleSave(index, error) }
    case .missed(let miss):
      flows[index].summary.miss = miss
    case .received(let bytes):
      guard isRunning, bytes > flows[index].bytes else { return }
      update(index) { $0.bytes = bytes }
    case .unstamped(let error):
      flows[index].stampFailure = error
    case .warned(let warning):
      flows[index].warnings.removeAll { $0.kind == warning.kind }
      flows[index].warnings.append(warning)
      let kinds = FlowWarning.Kind.allCases
      flows[index].warnings.sort { kinds.firstIndex(of: $0.kind) ?? 0 < kinds.firstIndex(of: $1.kind) ?? 0 }
    case .cutShort(let error):
      flows[index].summary.shortfall = error
    case .advanced(let before, let after):
      flows[index].cursor = FlowState.Cursor(before: before, after: after)
    case .paged(let pages, let records):
      guard isRunning else { return }
      update(index) { ($0.pages, $0.report.kept) = (pages, records) }
    case .waitingForRun(let path):
      if isRunning { flows[index].awaitedPath = path }
    case .retrying:
      if isRunning { flows[index].retries += 1 }
    case .pruned(let report):
      // The report arrives before the end of the flow. The counts are therefore known if the flow fails because of
      // them.
      guard isRunning else { return }
      update(index) { summary in
        let kept = summary.records
        summary.report = report
        summary.report.kept = kept
      }
    case .waiting(let duration):
      if isRunning { flows[index].waited += duration }
    case .saveDeferred, .saveWithheld:
      // The result of the flow has the data of these events.
      break
    }
  }

  private mutating func finish(_ index: Int, _ result: FetchSummary, at time: Duration) {
    guard flows.indices.contains(index), flows[index].status == .running else { return }
    update(index) { summary in
      let told = summary
      summary = result
      summary.timings.save = result.timings.save ?? told.timings.save
      // The log contains a shortfall only as this event.
      summary.shortfall = told.shortfall
    }
    flows[index].hasResult = true
    flows[index].ended = time
    // When pages failed, the missing pages may have had records that match.
    if result.rejected > 0, result.records == 0, result.filtered == 0, flows[index].shortfall == nil {
      flows[index].error = ReactorError(
        .parser,
        result.rejected == 1
          ? "the only record does not match the schema"
          : "none of the \(result.rejected) records matches the schema")
      move(index, to: .failed)
    } else {
      move(index, to: .passed)
    }
  }

  /// Changes the summary of a flow, and with it the sums of the run.
  private mutating func update(_ index: Int, _ change: (inout FetchSummary) -> Void) {
    let old = flows[index].summary
    change(&flows[index].summary)
    counters.move(from: old, to: flows[index].summary)
  }

  private mutating func fail(_ index: Int, _ error: ReactorError, at time: Duration) {
    guard flows.indices.contains(index), flows[index].status == .running else { return }
    flows[index].error = error
    flows[index].ended = time
    // The records of pages that were already read are dropped.
    update(index) { $0.report.kept = 0 }
    switch error.kind {
    case .parser: move(index, to: .failed)
    case .cancelled: move(index, to: .cancelled)
    case .server, .noConnectivity, .persistence, .fixture, .timeout: move(index, to: .error)
    }
  }

  private mutating func settleSave(_ index: Int, _ error: ReactorError?) {
    guard let error else {
      flows[index].summary.save = .saved
      return
    }
    if flows[index].toleratesSaveFailure {
      flows[index].summary.save = .failedTolerated(error)
    } else {
      flows[index].summary.save = .failed(error)
      flows[index].error = flows[index].error ?? error
      move(index, to: .error)
    }
  }

  private mutating func requeue(_ index: Int) {
    update(index) { $0 = FetchSummary(pages: 0) }
    flows[index].reset()
    move(index, to: .queued)
  }

  private mutating func move(_ index: Int, to status: FlowStatus) {
    counters.move(from: flows[index].status, to: status)
    flows[index].status = status
    guard status == .failed || status == .error, let maxFailures, counters[.queued] > 0,
      counters[.failed] + counters[.error] >= maxFailures
    else { return }
    stop(.failures)
  }

  // MARK: - The run

  private mutating func stop(_ reason: RunStop) {
    guard stop == nil, phase != .finished else { return }
    stop = reason
    // A flow that this process will not start remains for the other processes of the run.
    settleWaiting(as: isShared ? .elsewhere : .cancelled)
  }

  private mutating func settleWaiting(as status: FlowStatus) {
    for index in flows.indices where flows[index].status == .queued { move(index, to: status) }
  }
}
