internal import JSONSyntax
internal import ReactorCore

extension RunReport.Flow {
  static let shape = ObjectShape<Self>(
    "flow", empty: Self(id: "", file: "", line: 1, status: .cancelled),
    [
      .init("id", \.id, .text, "file-stem.flow-name"), .init("file", \.file, .text),
      .init("line", \.line, .ordinal, "The line of the flow's key."),
      .init("added", \.isAdded, .flag, "Run only because selected flows take its records.", .when(\.isAdded)),
      .init(
        "status", \.status, .word,
        "failed: the response does not match the flow. error: it could not be checked, or the result was not persisted."
      ),
      .init(
        "source", \.source, .orNull(.words(FetchSource.allCases.map(\.rawValue) + [Self.replayed])),
        "Where the records come from. replayed: from a recording; no server was asked."),
      .init("miss", \.miss, .orNull(.text), "Why the persisted result was not used."),
      .init("retries", \.retries, .count, "Requests that were sent again.", .added),
      .init("records", \.records, .count, "Records that fit."),
      .init("rejected", \.rejected, .count, "Records that did not fit."),
      .init(
        "rejections", \.rejections, .list(.object(Rejection.shape), maximum: 100), "The first 100 rejected records."),
      .init("bytes", \.bytes, .count, "Decoded bytes of the response."),
      .init("path", \.path, .orNull(.text), "The path of the result, relative to the output root."),
      .init(
        "rejected_path", \.rejectedPath, .orNull(.text),
        "The path of the file with all rejected records, relative to the output root.", .added),
      .init("save", \.save, .words(["none", "saved", "deferred", "failed", "tolerated", "withheld"])),
      .init(
        "filtered", \.filtered, .count, "Records that the flow's filters left out; absent when it is 0.",
        .when { $0.filtered > 0 }),
      .init("started_ms", \.started, .orNull(.integer), "Milliseconds since the start of the run.", .timed),
      .init("duration_ms", \.duration, .orNull(.integer), nil, .timed),
      .init("steps_ms", \.steps, .stepTimes, "Milliseconds by step.", .timed),
      .init(
        "error", \.failure, .orNull(.object(Failure.shape)),
        "Why the flow did not pass, or why its result was not persisted."),
      .init(
        "warnings", \.warnings, .list(.object(Warning.shape)),
        """
        Why the flow is not a full success. Kind 'persistence': why the next run will ask the server again although \
        the result was persisted. Kind 'missingFields': no record has some optional fields, but the records have \
        members with similar names. Kind 'newMembers': records have members that an inferred schema does not \
        know. Kind 'movedList': the list changed while it was read, so records may be missing. \
        Kind 'sharedKey': two parents gave different records with one key. Kind 'unreadableLimit': header fields with \
        the server's rate limit were ignored. Kind 'jobLeft': why a job that has ended is still at the server. Any \
        other kind: why records are missing (partial: keep).
        """),
      .init(ifAny: "cassette", \.cassette, .text, "The recording that replaced the servers."),
      .init(ifAny: "golden", \.golden, .text, "The golden with which the records of a replay were compared."),
      .init(
        "diffs", \.differences, .list(.object(Difference.shape)), "Differences of a replay from its golden.",
        .when(\.differs)),
      .init(
        "diffs_left_out", \.differencesLeftOut, .count, "Differences that are not listed.", .when(\.differs)),
      .init("details", \.details, .list(.text), "Further lines about a replay.", .when { !$0.details.isEmpty }),
    ])

  private var differs: Bool { !differences.isEmpty || differencesLeftOut > 0 }
}

extension RunReport.Flow.Rejection {
  static let shape = ObjectShape<Self>(
    "rejection", empty: Self(index: 0, pointer: "", reason: ""),
    [
      .init("index", \.index, .count, "Index in the response, from 0."),
      .init("pointer", \.pointer, .text, "JSON pointer (RFC 6901) into the record."), .init("reason", \.reason, .text),
    ])
}

extension RunReport.Flow.Difference {
  static let shape = ObjectShape<Self>(
    "difference", empty: Self(path: "", jsonPath: "", file: "", line: 1),
    [
      .init("path", \.path, .text, "The golden, or the output that it is a copy of."),
      .init("key", \.key, .orNull(.text), "The record's key."), .init("json_path", \.jsonPath, .text),
      .init("expected", \.expected, .orNull(.text), "JSON, as written."),
      .init("actual", \.actual, .orNull(.text), "JSON, as written."),
      .init("mapping_file", \.file, .text), .init("mapping_line", \.line, .ordinal),
      .init("response", \.response, .orNull(.text), "The response that it came from."),
    ])
}

extension RunReport.Flow.Warning: LocatedInFile {
  static let shape = ObjectShape<Self>(
    "warning", empty: Self(kind: "", message: ""),
    [
      .init(
        "kind", \.kind,
        .words(ReactorError.Kind.allCases.map(\.rawValue) + FlowWarning.Kind.allCases.map(\.rawValue))),
      .init("message", \.message, .text), .init("path", \.path, .orNull(.text)),
    ] + locationMembers)
}

extension RunReport.Flow.Failure: LocatedInFile {
  static let shape = ObjectShape<Self>(
    "error", empty: Self(kind: "", message: ""),
    [
      .init("kind", \.kind, .words(ReactorError.Kind.allCases.map(\.rawValue))), .init("message", \.message, .text),
      .init("status", \.status, .orNull(.integer), "HTTP status."),
      .init("record", \.record, .orNull(.integer), "Index of the record, from 0."),
      .init("pointer", \.pointer, .orNull(.text)), .init("path", \.path, .orNull(.text)),
      .init("help", \.help, .orNull(.text)),
    ] + locationMembers)
}

/// A value of a report that may have a location in the flow's file, written as the members `line` and `column`.
protocol LocatedInFile: Sendable {
  var location: ReactorError.Location? { get set }
}

extension LocatedInFile {
  fileprivate var line: Int? {
    get { location?.line }
    set { location = newValue.map { ReactorError.Location(line: $0, column: location?.column ?? 1) } }
  }

  fileprivate var column: Int? {
    get { location?.column }
    set { location = newValue.map { ReactorError.Location(line: location?.line ?? 1, column: $0) } }
  }

  fileprivate static var locationMembers: [ShapeMember<Self>] {
    [
      .init(ifAny: "line", \.line, .ordinal, "The line of the error in the flow's file, when it is known."),
      .init(ifAny: "column", \.column, .ordinal),
    ]
  }
}

extension ValueShape where Value == [RunReport.Flow.Step] {
  /// A member with the durations of the steps: `{"load":1,"request":9}`.
  static var stepTimes: Self {
    let count = JSONValue.object(ValueShape<Int>.count.schema)
    return .init(
      [
        "type": .string("object"), "additionalProperties": .bool(false),
        "properties": .object(JSONObject(FlowStep.allCases.map { .init(name: $0.rawValue, value: count) })),
      ],
      write: { steps, _ in
        .object(JSONObject(steps.map { .init(name: $0.step.rawValue, value: .integer($0.duration)) }))
      },
      read: { times in
        FlowStep.allCases.compactMap { step in
          times[step.rawValue]?.int64.map { .init(step: step, duration: $0) }
        }
      })
  }
}
