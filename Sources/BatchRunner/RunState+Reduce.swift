internal import ReactorCore

extension RunState {
  /// Applies a change: pure, so that the mutations of a run applied again give its last state.
  ///
  /// What cannot be at this moment, such as the start of a flow that does not wait, changes nothing.
  public mutating func reduce(_ mutation: RunMutation) {
    switch mutation {
    case .started(let time):
      guard phase == .idle else { return }
      phase = .running
      started = time
    case .flowStarted(let place, let time): start(place, at: time)
    case .flowProgressed(let place, let event): progress(place, event)
    case .flowFinished(let place, let result, let time): finish(place, result, at: time)
    case .flowFailed(let place, let error, let time): fail(place, error, at: time)
    case .saveEnded(let place, let error):
      guard flows.indices.contains(place), flows[place].save == .deferred else { return }
      settleSave(place, error)
    case .flowCancelled(let place):
      guard flows.indices.contains(place), flows[place].status == .queued else { return }
      move(place, to: .cancelled)
    case .flowQueued(let place):
      guard canRetry(place) else { return }
      requeue(place)
    case .cancelled: stop(.asked)
    case .stopped(let reason): stop(reason)
    case .draining:
      // A flow that was taken up again keeps the run going.
      guard phase == .running, counters[.queued] == 0 else { return }
      phase = .draining
    case .finished(let time):
      guard phase != .finished else { return }
      phase = .finished
      ended = time
    }
  }

  /// Whether a flow may be run again: its work and its save are over, and the run goes on.
  public func canRetry(_ place: Int) -> Bool {
    phase == .running && stop == nil && flows.indices.contains(place) && flows[place].isSettled
  }

  // MARK: - One flow

  private mutating func start(_ place: Int, at time: Duration) {
    guard flows.indices.contains(place), flows[place].status == .queued else { return }
    move(place, to: .running)
    flows[place].attempt += 1
    flows[place].started = time
  }

  private mutating func progress(_ place: Int, _ event: FlowEvent) {
    guard flows.indices.contains(place) else { return }
    let isRunning = flows[place].status == .running
    switch event {
    case .started(let step):
      if isRunning { (flows[place].step, flows[place].awaitedPath) = (step, nil) }
    case .finished(let step, let duration):
      flows[place].timings[step] = duration
      if step == .save, !isRunning, flows[place].save == .deferred { settleSave(place, nil) }
    case .failed(let step, let error):
      if step == .save, !isRunning, flows[place].save == .deferred { settleSave(place, error) }
    case .missed(let miss):
      flows[place].miss = miss
    case .received(let bytes):
      guard isRunning, bytes > flows[place].bytes else { return }
      counters.bytes += bytes - flows[place].bytes
      flows[place].bytes = bytes
    case .unstamped(let error):
      flows[place].stampFailure = error
    case .cutShort(let error):
      flows[place].cut = error
    case .missingFields(let error):
      flows[place].missingFields = error
    case .paged(let pages, let records):
      guard isRunning else { return }
      flows[place].pages = pages
      setRecords(place, records)
    case .waitingForRun(let path):
      if isRunning { flows[place].awaitedPath = path }
    case .retrying:
      if isRunning { flows[place].retries += 1 }
    case .pruned(let report):
      // Told before the flow's end, so that the counts are there when it fails because of them.
      guard isRunning else { return }
      reject(place, report.rejected, report.rejections)
      filter(place, report.filtered)
    case .saveDeferred, .saveWithheld, .waiting:
      // The flow's result tells these with everything else.
      break
    }
  }

  private mutating func finish(_ place: Int, _ result: FlowResult, at time: Duration) {
    guard flows.indices.contains(place), flows[place].status == .running else { return }
    flows[place].source = result.source
    flows[place].miss = result.miss
    setRecords(place, result.records)
    reject(place, result.rejected, result.rejections)
    filter(place, result.filtered)
    flows[place].pages = result.pages
    counters.bytes += result.bytes - flows[place].bytes
    flows[place].bytes = result.bytes
    let lateSave = flows[place].timings.save
    flows[place].timings = result.timings
    if result.timings.save == nil { flows[place].timings.save = lateSave }
    flows[place].save = SaveProgress(result.save)
    flows[place].ended = time
    // What is known not to be all may hold nothing because of what is missing.
    if result.rejected > 0, result.records == 0, result.filtered == 0, flows[place].cut == nil {
      flows[place].error = ReactorError(
        .parser, result.rejected == 1 ? "the only record does not fit" : "none of the \(result.rejected) records fits")
      move(place, to: .failed)
    } else {
      move(place, to: .passed)
    }
  }

  private mutating func setRecords(_ place: Int, _ count: Int) {
    counters.records += count - flows[place].records
    flows[place].records = count
  }

  private mutating func reject(_ place: Int, _ count: Int, _ rejections: [PruneReport.Rejection]) {
    counters.rejected += count - flows[place].rejected
    flows[place].rejected = count
    flows[place].rejections = rejections
  }

  private mutating func filter(_ place: Int, _ count: Int) {
    counters.filtered += count - flows[place].filtered
    flows[place].filtered = count
  }

  private mutating func fail(_ place: Int, _ error: ReactorError, at time: Duration) {
    guard flows.indices.contains(place), flows[place].status == .running else { return }
    flows[place].error = error
    flows[place].ended = time
    // What its pages held goes nowhere.
    setRecords(place, 0)
    switch error.kind {
    case .parser: move(place, to: .failed)
    case .cancelled: move(place, to: .cancelled)
    case .server, .noConnectivity, .persistence, .fixture, .timeout: move(place, to: .error)
    }
  }

  private mutating func settleSave(_ place: Int, _ error: ReactorError?) {
    guard let error else {
      flows[place].save = .saved
      return
    }
    if flows[place].toleratesSaveFailure {
      flows[place].save = .tolerated(error)
    } else {
      flows[place].save = .failed(error)
      flows[place].error = flows[place].error ?? error
      move(place, to: .error)
    }
  }

  private mutating func requeue(_ place: Int) {
    counters.records -= flows[place].records
    counters.rejected -= flows[place].rejected
    counters.filtered -= flows[place].filtered
    counters.bytes -= flows[place].bytes
    flows[place].reset()
    move(place, to: .queued)
  }

  private mutating func move(_ place: Int, to status: FlowStatus) {
    counters.move(from: flows[place].status, to: status)
    flows[place].status = status
    guard status == .failed || status == .error, let maxFailures, counters[.queued] > 0,
      counters[.failed] + counters[.error] >= maxFailures
    else { return }
    stop(.failures)
  }

  // MARK: - The run

  private mutating func stop(_ reason: RunStop) {
    guard stop == nil, phase != .finished else { return }
    stop = reason
    for place in flows.indices where flows[place].status == .queued { move(place, to: .cancelled) }
  }
}
