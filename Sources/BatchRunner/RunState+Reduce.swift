internal import ReactorCore

extension RunState {
  /// Applies a change. This function is pure: the mutations of a run, applied again, give its last state.
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
      flows[index].timings[step] = duration
      if step == .save, !isRunning, flows[index].save == .deferred { settleSave(index, nil) }
    case .failed(let step, let error):
      if step == .save, !isRunning, flows[index].save == .deferred { settleSave(index, error) }
    case .missed(let miss):
      flows[index].miss = miss
    case .received(let bytes):
      guard isRunning, bytes > flows[index].bytes else { return }
      counters.bytes += bytes - flows[index].bytes
      flows[index].bytes = bytes
    case .unstamped(let error):
      flows[index].stampFailure = error
    case .jobLeft(let error):
      flows[index].jobLeft = error
    case .cutShort(let error):
      flows[index].cut = error
    case .advanced(let before, let after):
      flows[index].cursor = FlowState.Cursor(before: before, after: after)
    case .missingFields(let error):
      flows[index].missingFields = error
    case .unreadableLimit(let error):
      flows[index].unreadableLimit = error
    case .paged(let pages, let records):
      guard isRunning else { return }
      flows[index].pages = pages
      setRecords(index, records)
    case .waitingForRun(let path):
      if isRunning { flows[index].awaitedPath = path }
    case .retrying:
      if isRunning { flows[index].retries += 1 }
    case .pruned(let report):
      // The report arrives before the end of the flow. The counts are therefore known if the flow fails because of
      // them.
      guard isRunning else { return }
      reject(index, report.rejected, report.rejections)
      filter(index, report.filtered)
    case .saveDeferred, .saveWithheld, .waiting:
      // The result of the flow has the data of these events.
      break
    }
  }

  private mutating func finish(_ index: Int, _ result: FlowResult, at time: Duration) {
    guard flows.indices.contains(index), flows[index].status == .running else { return }
    flows[index].source = result.source
    flows[index].miss = result.miss
    setRecords(index, result.records)
    reject(index, result.rejected, result.rejections)
    filter(index, result.filtered)
    flows[index].pages = result.pages
    counters.bytes += result.bytes - flows[index].bytes
    flows[index].bytes = result.bytes
    let lateSave = flows[index].timings.save
    flows[index].timings = result.timings
    if result.timings.save == nil { flows[index].timings.save = lateSave }
    flows[index].save = SaveProgress(result.save)
    flows[index].ended = time
    // When pages failed, the missing pages may have had records that match.
    if result.rejected > 0, result.records == 0, result.filtered == 0, flows[index].cut == nil {
      flows[index].error = ReactorError(
        .parser, result.rejected == 1 ? "the only record does not fit" : "none of the \(result.rejected) records fits")
      move(index, to: .failed)
    } else {
      move(index, to: .passed)
    }
  }

  private mutating func setRecords(_ index: Int, _ count: Int) {
    counters.records += count - flows[index].records
    flows[index].records = count
  }

  private mutating func reject(_ index: Int, _ count: Int, _ rejections: [PruneReport.Rejection]) {
    counters.rejected += count - flows[index].rejected
    flows[index].rejected = count
    flows[index].rejections = rejections
  }

  private mutating func filter(_ index: Int, _ count: Int) {
    counters.filtered += count - flows[index].filtered
    flows[index].filtered = count
  }

  private mutating func fail(_ index: Int, _ error: ReactorError, at time: Duration) {
    guard flows.indices.contains(index), flows[index].status == .running else { return }
    flows[index].error = error
    flows[index].ended = time
    // The records of pages that were already read are dropped.
    setRecords(index, 0)
    switch error.kind {
    case .parser: move(index, to: .failed)
    case .cancelled: move(index, to: .cancelled)
    case .server, .noConnectivity, .persistence, .fixture, .timeout: move(index, to: .error)
    }
  }

  private mutating func settleSave(_ index: Int, _ error: ReactorError?) {
    guard let error else {
      flows[index].save = .saved
      return
    }
    if flows[index].toleratesSaveFailure {
      flows[index].save = .tolerated(error)
    } else {
      flows[index].save = .failed(error)
      flows[index].error = flows[index].error ?? error
      move(index, to: .error)
    }
  }

  private mutating func requeue(_ index: Int) {
    counters.records -= flows[index].records
    counters.rejected -= flows[index].rejected
    counters.filtered -= flows[index].filtered
    counters.bytes -= flows[index].bytes
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
    for index in flows.indices where flows[index].status == .queued { move(index, to: .cancelled) }
  }
}
