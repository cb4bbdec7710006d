package import BatchRunner
internal import JSONSyntax
internal import ReactorCore
internal import ReactorState

/// The event log: a JSON object on a line for each change of a run; `docs/reference/event-log.md` describes it.
///
/// The first line tells the plan. With it, the lines say everything that `RunState.reduce` needs to come to the same end.
package struct EventLine: Sendable {
  /// The version of the form, told on every line.
  package static let version: Int64 = 1

  private let flows: [String]
  private let hasTiming: Bool
  private let mask: @Sendable (String) -> String
  /// Times are told from the run's start.
  private var start = Duration.zero

  /// A form for the flows of a plan.
  package init(
    _ plan: RunPlan, hasTiming: Bool = true, mask: @escaping @Sendable (String) -> String = { $0 }
  ) {
    flows = plan.flows.map { mask($0.id) }
    self.hasTiming = hasTiming
    self.mask = mask
  }

  /// The first line.
  package func head(_ plan: RunPlan, tool: String, shard: RunReport.Shard? = nil) -> [UInt8] {
    let flows = plan.flows.map { flow -> JSONValue in
      .object([
        "id": .string(mask(flow.id)), "file": .string(mask(flow.file)), "line": .integer(Int64(flow.line)),
        "after": .array(flow.after.map { .string(mask($0)) }), "added": .bool(flow.isAdded),
        "host": .string(mask(flow.host)), "path": flow.path.map { .string(mask($0)) } ?? .null,
        "rejected_path": flow.rejectedPath.map { .string(mask($0)) } ?? .null,
        "tolerates_save_failure": .bool(flow.toleratesSaveFailure),
      ])
    }
    var members = [member("tool", .string(tool))]
    if let shard { members.append(member("shard", .string(shard.text))) }
    if hasTiming {
      // Without timing a log says nothing that is another for another number of jobs.
      members += [
        member("jobs", .integer(Int64(plan.limits.jobs))), member("max_per_host", .integer(Int64(plan.limits.perHost))),
      ]
    }
    members += [
      member("max_failures", plan.limits.maxFailures.map { .integer(Int64($0)) } ?? .null),
      member("flows", .array(flows)),
    ]
    return line(0, "run.planned", members)
  }

  /// The line of a change, with its line end.
  package mutating func line(_ transition: RunTransition) -> [UInt8] {
    line(transition.mutation, number: transition.sequence)
  }

  /// The line of a change with this number.
  package mutating func line(_ mutation: RunMutation, number: Int) -> [UInt8] {
    switch mutation {
    case .started(let time):
      start = time
      return line(number, "run.started", at(time))
    case .flowStarted(let place, let time): return line(number, "flow.started", flow(place) + at(time))
    case .flowProgressed(let place, let event):
      let (name, members) = progress(event)
      return line(number, name, flow(place) + members)
    case .flowFinished(let place, let result, let time):
      return line(number, "flow.finished", flow(place) + finish(result) + at(time))
    case .flowFailed(let place, let failure, let time):
      return line(number, "flow.failed", flow(place) + [member("error", error(failure))] + at(time))
    case .saveEnded(let place, let failure):
      return line(number, "save.ended", flow(place) + [member("error", failure.map(error) ?? .null)])
    case .flowCancelled(let place): return line(number, "flow.cancelled", flow(place))
    case .flowQueued(let place): return line(number, "flow.queued", flow(place))
    case .cancelled: return line(number, "run.cancelled", [])
    case .stopped(let reason): return line(number, "run.stopped", [member("reason", .string(reason.rawValue))])
    case .draining: return line(number, "run.draining", [])
    case .finished(let time): return line(number, "run.finished", at(time))
    }
  }

  // MARK: - Parts

  private func progress(_ event: FlowEvent) -> (String, [JSONObject.Member]) {
    switch event {
    case .started(let step): return ("step.started", [member("step", .string(step.rawValue))])
    case .finished(let step, let duration):
      let time = hasTiming ? [member("duration_us", .integer(Self.microseconds(duration)))] : []
      return ("step.finished", [member("step", .string(step.rawValue))] + time)
    case .failed(let step, let failure):
      return ("step.failed", [member("step", .string(step.rawValue)), member("error", error(failure))])
    case .missed(let miss): return ("flow.missed", [member("miss", self.miss(miss))])
    case .received(let bytes): return ("flow.received", [member("bytes", .integer(Int64(bytes)))])
    case .pruned(let report):
      return (
        "flow.pruned",
        [
          member("records", .integer(Int64(report.kept))), member("rejected", .integer(Int64(report.rejected))),
          member("rejections", rejections(report.rejections)),
        ] + filtered(report.filtered)
      )
    case .paged(let pages, let records):
      return ("flow.paged", [member("pages", .integer(Int64(pages))), member("records", .integer(Int64(records)))])
    case .retrying(let attempt, let reason, let wait):
      var members = [member("attempt", .integer(Int64(attempt))), member("reason", .string(reason.word))]
      switch reason {
      case .status(let status), .rule(let status): members.append(member("status", .integer(Int64(status))))
      case .timeout, .reset, .connect: break
      }
      return ("flow.retrying", members + self.wait(wait))
    case .waiting(let wait): return ("flow.waiting", self.wait(wait))
    case .waitingForRun(let path): return ("flow.waiting_for_run", [member("path", .string(mask(path)))])
    case .cutShort(let failure): return ("flow.cut_short", [member("error", error(failure))])
    case .missingFields(let failure): return ("flow.missing_fields", [member("error", error(failure))])
    case .unstamped(let failure): return ("save.unstamped", [member("error", error(failure))])
    case .saveDeferred: return ("save.deferred", [])
    case .saveWithheld: return ("save.withheld", [])
    }
  }

  /// Nothing for flows that leave no records out.
  private func filtered(_ count: Int) -> [JSONObject.Member] {
    count > 0 ? [member("filtered", .integer(Int64(count)))] : []
  }

  private func finish(_ result: FlowResult) -> [JSONObject.Member] {
    let save = SaveProgressWord(result.save)
    var members = [
      member("source", .string(result.source.rawValue)), member("miss", result.miss.map(miss) ?? .null),
      member("records", .integer(Int64(result.records))), member("rejected", .integer(Int64(result.rejected))),
      member("rejections", rejections(result.rejections)), member("pages", .integer(Int64(result.pages))),
      member("bytes", .integer(Int64(result.bytes))), member("save", .string(save.word)),
      member("error", save.error.map(error) ?? .null),
    ]
    members += filtered(result.filtered)
    if hasTiming {
      let steps = FlowStep.allCases.compactMap { step in
        result.timings[step].map { member(step.rawValue, .integer(Self.microseconds($0))) }
      }
      members.append(member("steps_us", .object(JSONObject(steps))))
    }
    return members
  }

  private func miss(_ miss: PersistenceMiss) -> JSONValue {
    let word =
      switch miss {
      case .absent: "absent"
      case .expired: "expired"
      case .incremental: "incremental"
      case .otherResource: "other_resource"
      case .schemaChanged: "schema_changed"
      case .unreadable: "unreadable"
      case .disabled: "disabled"
      case .skipped: "skipped"
      }
    guard case .unreadable(let reason) = miss else { return .object(["kind": .string(word)]) }
    return .object(["kind": .string(word), "message": .string(text(reason))])
  }

  private func error(_ error: ReactorError) -> JSONValue {
    RunReport.Flow.Failure(
      kind: error.kind.rawValue, message: text(error.message), status: error.status, record: error.recordIndex,
      pointer: error.pointer.map(text), path: error.path.map(mask), help: nil,
      place: error.place
    ).eventJSON
  }

  private func rejections(_ rejections: [PruneReport.Rejection]) -> JSONValue {
    .array(
      rejections.map {
        RunReport.Flow.Rejection(index: $0.index, pointer: mask($0.pointer), reason: text($0.reason)).json
      })
  }

  private func flow(_ place: Int) -> [JSONObject.Member] {
    [member("flow", .string(flows.indices.contains(place) ? flows[place] : ""))]
  }

  private func at(_ time: Duration) -> [JSONObject.Member] {
    hasTiming ? [member("at_us", .integer(Self.microseconds(time - start)))] : []
  }

  private func wait(_ wait: Duration) -> [JSONObject.Member] {
    hasTiming ? [member("wait_us", .integer(Self.microseconds(wait)))] : []
  }

  private func line(_ number: Int, _ event: String, _ members: [JSONObject.Member]) -> [UInt8] {
    let head = [
      member("v", .integer(Self.version)), member("n", .integer(Int64(number))), member("event", .string(event)),
    ]
    return PlainJSON.bytes(.object(JSONObject(head + members))) + [0x0A]
  }

  private func member(_ name: String, _ value: JSONValue) -> JSONObject.Member {
    JSONObject.Member(name: name, value: value)
  }

  private func text(_ text: String) -> String { RunReport.cut(mask(text)) }

  private static func microseconds(_ duration: Duration) -> Int64 {
    let (seconds, attoseconds) = duration.components
    return seconds * 1_000_000 + attoseconds / 1_000_000_000_000
  }
}

/// What became of a save, in the words of the reports.
private struct SaveProgressWord {
  let word: String
  var error: ReactorError?

  init(_ outcome: SaveOutcome) {
    switch outcome {
    case .saved: word = "saved"
    case .notAsked: word = "none"
    case .deferred: word = "deferred"
    case .failedTolerated(let failure):
      word = "tolerated"
      error = failure
    case .withheld: word = "withheld"
    }
  }
}

extension RunReport.Flow.Failure {
  /// As the summary tells it, without the remedy.
  fileprivate var eventJSON: JSONValue {
    guard case .object(var object) = json else { return json }
    object["help"] = nil
    return .object(object)
  }
}
