internal import BatchRunner
internal import JSONSyntax
internal import ReactorCore
internal import SourceDiagnostics

/// A run as one JSON object: `reactor run --format json`. `docs/reference/run-summary.md` describes it.
struct RunSummary {
  /// The version of the object's form.
  static let version: Int64 = 1

  let isOffline: Bool
  let hasTiming: Bool
  /// Hides secrets in a text.
  let mask: @Sendable (String) -> String

  /// The object on one line.
  func bytes(_ state: RunState, exit: ExitCode, diagnostics: [Diagnostic]) -> [UInt8] {
    let counters = state.counters
    var members: [JSONObject.Member] = [
      member("v", .integer(Self.version)), member("tool", .string(ToolVersion.text)),
      member("complete", .bool(!state.isCancelled && state.phase == .finished)),
      member("exit", .integer(Int64(exit.rawValue))),
      member(
        "counts",
        .object([
          "selected": integer(counters.selected), "passed": integer(counters[.passed]),
          "failed": integer(counters[.failed]), "error": integer(counters[.error]),
          "cancelled": integer(counters[.cancelled] + counters[.queued] + counters[.running]),
        ])),
      member("records", integer(counters.records)), member("rejected", integer(counters.rejected)),
      member("bytes", integer(counters.bytes)),
    ]
    if hasTiming { members.append(member("duration_ms", milliseconds(state.started, state.ended))) }
    members.append(member("problems", .array(diagnostics.sortedByPlace().map(problem))))
    members.append(member("flows", .array(state.flows.map(flow))))
    return JSONWriter.bytes(.object(JSONObject(members))) + [0x0A]
  }

  // MARK: - Parts

  private func flow(_ flow: FlowState) -> JSONValue {
    let status = flow.status.isFinal ? flow.status : .cancelled
    var members: [JSONObject.Member] = [
      member("id", text(flow.id)), member("file", text(flow.file)), member("line", integer(flow.line)),
      member("status", .string(status.rawValue)),
      member("source", flow.source.map { .string($0.rawValue) } ?? .null),
      member("miss", flow.miss.map { text($0.description) } ?? .null),
      member("records", integer(flow.records)), member("rejected", integer(flow.rejected)),
      member("rejections", .array(flow.rejections.map(rejection))), member("bytes", integer(flow.bytes)),
      member("path", flow.path.map(text) ?? .null), member("save", .string(flow.save.word)),
    ]
    if hasTiming {
      members.append(member("duration_ms", milliseconds(flow.started, flow.ended)))
      let steps = FlowStep.allCases.compactMap { step in
        flow.timings[step].map { member(step.rawValue, .integer(Quantity.milliseconds($0))) }
      }
      members.append(member("steps_ms", .object(JSONObject(steps))))
    }
    members.append(member("error", (flow.error ?? flow.save.error).map(error) ?? .null))
    members.append(member("warnings", .array(flow.stampFailure.map { [warning($0)] } ?? [])))
    return .object(JSONObject(members))
  }

  private func rejection(_ rejection: PruneReport.Rejection) -> JSONValue {
    .object(["index": integer(rejection.index), "pointer": text(rejection.pointer), "reason": text(rejection.reason)])
  }

  private func error(_ error: ReactorError) -> JSONValue {
    .object([
      "kind": .string(error.kind.rawValue), "message": text(error.message),
      "status": error.status.map(integer) ?? .null, "record": error.recordIndex.map(integer) ?? .null,
      "pointer": error.pointer.map(text) ?? .null, "path": error.path.map(text) ?? .null,
      "help": FlowProblem.remedy(error, isOffline: isOffline).map { .string($0) } ?? .null,
    ])
  }

  private func warning(_ error: ReactorError) -> JSONValue {
    .object([
      "kind": .string(error.kind.rawValue), "message": text(error.message), "path": error.path.map(text) ?? .null,
    ])
  }

  /// A diagnostic with the members of its own JSON form.
  private func problem(_ diagnostic: Diagnostic) -> JSONValue {
    guard let value = try? JSONValue(parsing: diagnostic.json) else { return text(diagnostic.message) }
    return masked(value)
  }

  private func masked(_ value: JSONValue) -> JSONValue {
    switch value {
    case .string(let string): text(string)
    case .array(let elements): .array(elements.map(masked))
    case .object(let object): .object(JSONObject(object.members.map { member($0.name, masked($0.value)) }))
    case .null, .bool, .number: value
    }
  }

  private func member(_ name: String, _ value: JSONValue) -> JSONObject.Member {
    JSONObject.Member(name: name, value: value)
  }

  private func text(_ text: String) -> JSONValue { .string(mask(text)) }

  private func integer(_ number: Int) -> JSONValue { .integer(Int64(number)) }

  private func milliseconds(_ start: Duration?, _ end: Duration?) -> JSONValue {
    guard let start, let end else { return .null }
    return .integer(Quantity.milliseconds(end - start))
  }
}
