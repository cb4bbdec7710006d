package import BatchRunner
internal import ReactorCore
internal import ReactorState
internal import SourceDiagnostics
internal import TimeSyntax

/// Formats the event log: one line with a JSON object for each change of a run.
///
/// `docs/reference/event-log.md` describes the log. The first line is the plan. Together with the plan, the lines
/// contain all data that `RunState.reduce` needs to reach the same final state.
package struct EventLine: Sendable {
  /// The JSON Schema of a line.
  package static var schema: String { RunEvent.schema }

  private let flows: [String]
  private let hasTiming: Bool
  private let mask: @Sendable (String) -> String
  /// The time at which the run started.
  private var start = Duration.zero

  /// Creates a format for the flows of a plan.
  package init(
    _ plan: RunPlan, hasTiming: Bool = true, mask: @escaping @Sendable (String) -> String = { $0 }
  ) {
    flows = plan.flows.map { mask($0.id) }
    self.hasTiming = hasTiming
    self.mask = mask
  }

  /// The first line of the log.
  ///
  /// - Parameters:
  ///   - began: when the run begins, in seconds since 1970; nil when it is unknown
  ///   - isReplay: whether recordings replace the servers
  package func head(
    _ plan: RunPlan, began: Int64? = nil, tool: String, shard: RunReport.Shard? = nil, isReplay: Bool = false
  ) -> [UInt8] {
    var event = RunEvent(.runPlanned)
    (event.startedAt, event.isReplay) = (hasTiming ? began.map { InstantText.text($0) } : nil, isReplay)
    (event.tool, event.shard) = (tool, shard)
    (event.jobs, event.perHost, event.maxFailures) = (plan.limits.jobs, plan.limits.perHost, plan.limits.maxFailures)
    event.flows = plan.flows.map { flow in
      RunEvent.PlannedFlow(
        id: mask(flow.id), file: mask(flow.file), line: flow.line, after: flow.after.map(mask), isAdded: flow.isAdded,
        host: mask(flow.host), path: flow.path.map(mask), rejectedPath: flow.rejectedPath.map(mask),
        toleratesSaveFailure: flow.toleratesSaveFailure)
    }
    return bytes(event, number: 0)
  }

  /// The line of a change, with its line end.
  package mutating func line(_ transition: RunTransition) -> [UInt8] {
    line(transition.mutation, number: transition.sequence)
  }

  /// The line of a change that has this number in the run; the plan has the number 0.
  package mutating func line(_ mutation: RunMutation, number: Int) -> [UInt8] {
    if case .started(let time) = mutation { start = time }
    return bytes(event(mutation), number: number)
  }

  // MARK: - Parts

  private func event(_ mutation: RunMutation) -> RunEvent {
    switch mutation {
    case .started(let time): return RunEvent(.runStarted, flow: "", at: sinceStart(time))
    case .flowStarted(let index, let time): return RunEvent(.flowStarted, flow: id(index), at: sinceStart(time))
    case .flowProgressed(let index, let progress): return event(progress, of: id(index))
    case .flowFinished(let index, let result, let time):
      var event = RunEvent(.flowFinished, flow: id(index), at: sinceStart(time))
      fill(&event, result)
      return event
    case .flowFailed(let index, let error, let time):
      return RunEvent(.flowFailed, flow: id(index), at: sinceStart(time), error: failure(error))
    case .saveEnded(let index, let error): return RunEvent(.saveEnded, flow: id(index), error: error.map(failure))
    case .flowCancelled(let index): return RunEvent(.flowCancelled, flow: id(index))
    case .flowQueued(let index): return RunEvent(.flowQueued, flow: id(index))
    case .cancelled: return RunEvent(.runCancelled)
    case .stopped(let reason):
      var event = RunEvent(.runStopped)
      event.reason = reason.rawValue
      return event
    case .leftToOthers: return RunEvent(.runLeftToOthers)
    case .draining: return RunEvent(.runDraining)
    case .finished(let time): return RunEvent(.runFinished, flow: "", at: sinceStart(time))
    }
  }

  private func event(_ progress: FlowEvent, of flow: String) -> RunEvent {
    var event = RunEvent(.stepStarted, flow: flow)
    switch progress {
    case .started(let step): event.step = step
    case .finished(let step, let duration):
      (event.name, event.step, event.duration) = (.stepFinished, step, Self.microseconds(duration))
    case .failed(let step, let error): (event.name, event.step, event.error) = (.stepFailed, step, failure(error))
    case .missed(let miss): (event.name, event.miss) = (.flowMissed, RunEvent.Miss(miss, text: text))
    case .received(let bytes): (event.name, event.bytes) = (.flowReceived, bytes)
    case .pruned(let report):
      (event.name, event.records, event.rejected) = (.flowPruned, report.kept, report.rejected)
      (event.rejections, event.filtered) = (rejections(report.rejections), report.filtered)
    case .paged(let pages, let records): (event.name, event.pages, event.records) = (.flowPaged, pages, records)
    case .retrying(let attempt, let reason, let wait):
      (event.name, event.attempt, event.reason) = (.flowRetrying, attempt, reason.word)
      event.wait = Self.microseconds(wait)
      switch reason {
      case .status(let status), .rule(let status): event.status = status
      case .timeout, .reset, .connect, .job: break
      }
    case .waiting(let wait): (event.name, event.wait) = (.flowWaiting, Self.microseconds(wait))
    case .waitingForRun(let path): (event.name, event.path) = (.flowWaitingForRun, mask(path))
    case .cutShort(let error): (event.name, event.error) = (.flowCutShort, failure(error))
    case .advanced(let before, let after):
      (event.name, event.before, event.after) = (.flowAdvanced, before.map(text), after.map(text))
    case .warned(let warning): (event.name, event.error) = (RunEvent.Name(warning.kind), failure(warning.error))
    case .unstamped(let error): (event.name, event.error) = (.saveUnstamped, failure(error))
    case .saveDeferred: event.name = .saveDeferred
    case .saveWithheld: event.name = .saveWithheld
    }
    return event
  }

  private func fill(_ event: inout RunEvent, _ result: FetchSummary) {
    (event.source, event.miss) = (result.source, result.miss.map { RunEvent.Miss($0, text: text) })
    (event.records, event.rejected, event.filtered) = (result.records, result.rejected, result.filtered)
    (event.rejections, event.pages, event.bytes) = (rejections(result.rejections), result.pages, result.bytes)
    (event.save, event.error) = (result.save.word, result.save.error.map(failure))
    event.steps = FlowStep.allCases.compactMap { step in
      result.timings[step].map { .init(step: step, duration: Self.microseconds($0)) }
    }
  }

  private func failure(_ error: ReactorError) -> RunReport.Flow.Failure {
    RunReport.Flow.Failure(error, text: text, mask: mask)
  }

  private func rejections(_ rejections: [PruneReport.Rejection]) -> [RunReport.Flow.Rejection] {
    rejections.map { .init($0, text: text, mask: mask) }
  }

  private func id(_ index: Int) -> String { flows.indices.contains(index) ? flows[index] : "" }

  private func sinceStart(_ time: Duration) -> Int64 { Self.microseconds(time - start) }

  private func bytes(_ event: RunEvent, number: Int) -> [UInt8] {
    PlainJSON.bytes(event.json(number: number, isTimed: hasTiming)) + [0x0A]
  }

  private func text(_ text: String) -> String { RunReport.cut(mask(text)) }

  private static func microseconds(_ duration: Duration) -> Int64 {
    let (seconds, attoseconds) = duration.components
    return seconds * 1_000_000 + attoseconds / 1_000_000_000_000
  }
}

extension RunEvent.Name {
  /// The name by which the event log calls a kind of warning.
  fileprivate init(_ kind: FlowWarning.Kind) {
    self =
      switch kind {
      case .missingFields: .flowMissingFields
      case .newMembers: .flowNewMembers
      case .movedList: .flowMovedList
      case .sharedKey: .flowSharedKey
      case .unreadableLimit: .flowUnreadableLimit
      case .jobLeft: .flowJobLeft
      }
  }
}
