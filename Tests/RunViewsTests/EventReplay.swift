import BatchRunner
import JSONSyntax
import ReactorCore
import RunViews
import Testing

/// Reads lines of the event log back, as a consumer would.
enum EventReplay {
  /// The last state of a run of which this is the whole log.
  static func state(_ log: String) throws -> RunState {
    let lines = try log.split(separator: "\n").map { try JSONValue(parsing: String($0)) }
    let head = try #require(lines.first)
    try #require(head["event"]?.string == "run.planned")
    let flows = try #require(head["flows"]?.array)
    let plan = RunPlan(
      flows.map { flow in
        var runnable = RunnableFlow(
          id: flow["id"]?.string ?? "", file: flow["file"]?.string ?? "", line: Int(flow["line"]?.int64 ?? 0),
          after: flow["after"]?.array?.compactMap(\.string) ?? [], host: flow["host"]?.string ?? "",
          path: flow["path"]?.string, timeout: .zero
        ) { _, _ throws(ReactorError) in throw .cancelled }
        runnable.rejectedPath = flow["rejected_path"]?.string
        runnable.toleratesSaveFailure = flow["tolerates_save_failure"]?.bool ?? false
        runnable.isAdded = flow["added"]?.bool ?? false
        return runnable
      }, limits: RunLimits(maxFailures: head["max_failures"]?.int64.map { Int($0) }))
    let indices = Dictionary(uniqueKeysWithValues: plan.flows.enumerated().map { ($1.id, $0) })
    var state = RunState(plan)
    for line in lines.dropFirst() {
      if let mutation = try mutation(line, indices) { state.reduce(mutation) }
    }
    return state
  }

  static func mutation(_ line: JSONValue, _ indices: [String: Int]) throws -> RunMutation? {
    let time = Duration.microseconds(line["at_us"]?.int64 ?? 0)
    let name = try #require(line["event"]?.string)
    switch name {
    case "run.started": return .started(at: time)
    case "run.finished": return .finished(at: time)
    case "run.cancelled": return .cancelled
    case "run.draining": return .draining
    case "run.stopped": return .stopped(try #require(RunStop(rawValue: line["reason"]?.string ?? "")))
    default: break
    }
    guard let index = indices[line["flow"]?.string ?? ""] else { return nil }
    let step = line["step"]?.string.flatMap { FlowStep(rawValue: $0) }
    switch name {
    case "flow.started": return .flowStarted(index, at: time)
    case "step.started": return .flowProgressed(index, .started(try #require(step)))
    case "step.finished":
      return .flowProgressed(
        index, .finished(try #require(step), .microseconds(line["duration_us"]?.int64 ?? 0)))
    case "step.failed": return .flowProgressed(index, .failed(try #require(step), try error(line["error"])))
    case "flow.missed": return .flowProgressed(index, .missed(try #require(miss(line["miss"]))))
    case "flow.received": return .flowProgressed(index, .received(bytes: count(line["bytes"])))
    case "flow.paged":
      return .flowProgressed(index, .paged(pages: count(line["pages"]), records: count(line["records"])))
    case "flow.cut_short": return .flowProgressed(index, .cutShort(try error(line["error"])))
    case "flow.advanced":
      return .flowProgressed(index, .advanced(from: line["before"]?.string, to: line["after"]?.string))
    case "flow.missing_fields":
      return .flowProgressed(index, .warned(FlowWarning(.missingFields, try error(line["error"]))))
    case "flow.new_members": return .flowProgressed(index, .warned(FlowWarning(.newMembers, try error(line["error"]))))
    case "flow.moved_list": return .flowProgressed(index, .warned(FlowWarning(.movedList, try error(line["error"]))))
    case "flow.shared_key": return .flowProgressed(index, .warned(FlowWarning(.sharedKey, try error(line["error"]))))
    case "flow.unreadable_limit":
      return .flowProgressed(index, .warned(FlowWarning(.unreadableLimit, try error(line["error"]))))
    case "flow.cancelled": return .flowCancelled(index)
    case "flow.queued": return .flowQueued(index)
    case "flow.retrying":
      let reason = try #require(Self.reason(line))
      return .flowProgressed(
        index,
        .retrying(
          attempt: count(line["attempt"]), reason: reason, wait: .microseconds(line["wait_us"]?.int64 ?? 0)))
    case "flow.waiting": return .flowProgressed(index, .waiting(.microseconds(line["wait_us"]?.int64 ?? 0)))
    case "flow.waiting_for_run":
      return .flowProgressed(index, .waitingForRun(path: try #require(line["path"]?.string)))
    case "flow.job_left": return .flowProgressed(index, .warned(FlowWarning(.jobLeft, try error(line["error"]))))
    case "save.unstamped": return .flowProgressed(index, .unstamped(try error(line["error"])))
    case "save.deferred": return .flowProgressed(index, .saveDeferred)
    case "save.withheld": return .flowProgressed(index, .saveWithheld)
    case "flow.pruned": return .flowProgressed(index, .pruned(report(line)))
    case "flow.failed": return .flowFailed(index, try error(line["error"]), at: time)
    case "save.ended": return .saveEnded(index, line["error"] == .null ? nil : try error(line["error"]))
    case "flow.finished": return .flowFinished(index, try result(line), at: time)
    default:
      Issue.record("unknown event \(name)")
      return nil
    }
  }

  private static func result(_ line: JSONValue) throws -> FetchSummary {
    var timings = FlowTimings()
    for step in FlowStep.allCases {
      timings[step] = line["steps_us"]?[step.rawValue]?.int64.map { .microseconds($0) }
    }
    let save: SaveOutcome =
      switch line["save"]?.string {
      case "saved": .saved
      case "deferred": .deferred
      case "withheld": .withheld
      case "tolerated": .failedTolerated(try error(line["error"]))
      default: .notAsked
      }
    let rejections = line["rejections"]?.array ?? []
    return FetchSummary(
      source: try #require(FetchSource(rawValue: line["source"]?.string ?? "")), miss: miss(line["miss"]),
      records: count(line["records"]), rejected: count(line["rejected"]),
      filtered: line["filtered"] == nil ? 0 : count(line["filtered"]),
      rejections: rejections.map {
        PruneReport.Rejection(
          index: count($0["index"]), pointer: $0["pointer"]?.string ?? "", reason: $0["reason"]?.string ?? "")
      }, bytes: count(line["bytes"]), save: save, timings: timings, pages: count(line["pages"]))
  }

  private static func reason(_ line: JSONValue) -> RetryReason? {
    switch line["reason"]?.string {
    case "status": line["status"]?.int64.map { .status(Int($0)) }
    case "rule": line["status"]?.int64.map { .rule(Int($0)) }
    case "timeout": .timeout
    case "reset": .reset
    case "connect": .connect
    case "job": .job
    default: nil
    }
  }

  private static func report(_ line: JSONValue) -> PruneReport {
    var report = PruneReport(kept: count(line["records"]))
    for rejection in line["rejections"]?.array ?? [] {
      let error = MappedError(rejection["reason"]?.string ?? "", pointer: rejection["pointer"]?.string ?? "")
      report.reject(at: count(rejection["index"]), because: error)
    }
    while report.rejected < count(line["rejected"]) { report.reject(at: 0, because: MappedError("")) }
    return report
  }

  private static func count(_ value: JSONValue?) -> Int { Int(value?.int64 ?? -1) }

  private static func miss(_ value: JSONValue?) -> PersistenceMiss? {
    switch value?["kind"]?.string {
    case "absent": .absent
    case "expired": .expired
    case "asked_each_run": .askedEachRun
    case "position_unknown": .positionUnknown
    case "input_changed": .inputChanged(value?["message"]?.string ?? "")
    case "other_resource": .otherResource
    case "schema_changed": .schemaChanged
    case "unreadable": .unreadable(value?["message"]?.string ?? "")
    case "disabled": .disabled
    case "skipped": .skipped
    default: nil
    }
  }

  private static func error(_ value: JSONValue?) throws -> ReactorError {
    var error = ReactorError(
      try #require(ReactorError.Kind(rawValue: value?["kind"]?.string ?? "")),
      try #require(value?["message"]?.string), status: value?["status"]?.int64.map { Int($0) },
      recordIndex: value?["record"]?.int64.map { Int($0) }, pointer: value?["pointer"]?.string,
      path: value?["path"]?.string)
    if let line = value?["line"]?.int64, let column = value?["column"]?.int64 {
      error.location = ReactorError.Location(line: Int(line), column: Int(column))
    }
    return error
  }
}
