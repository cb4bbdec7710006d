internal import BatchRunner
internal import JSONSyntax
internal import ReactorCore

extension RunEvent {
  /// The version of the format, which is on every line.
  static let version: Int64 = 1

  /// The line of an event.
  ///
  /// - Parameter number: the number of the change within the run; 0 is the plan
  func json(number: Int, isTimed: Bool) -> JSONValue {
    let head: [JSONObject.Member] = [
      .init(name: "v", value: .integer(Self.version)), .init(name: "n", value: .integer(Int64(number))),
      .init(name: "event", value: .string(name.rawValue)),
    ]
    let members = (Self.members[name] ?? []).compactMap { member in
      member.write(self, isTimed).map { JSONObject.Member(name: member.name, value: $0) }
    }
    return .object(JSONObject(distinct: head + members))
  }

  /// The JSON Schema of a line: `schemas/run-event.schema.json`.
  static let schema: String = {
    let events = Name.allCases.map { name -> JSONValue in
      let word = ValueShape<String>(
        ["const": .string(name.rawValue)], write: { word, _ in .string(word) }, read: { $0.string })
      let shape = ObjectShape<RunEvent>(
        "event", empty: RunEvent(name),
        [
          .version(version), .init(computed: "n", \.attempt, .count, "Counts the changes of the run; 0 is its plan."),
          .init(computed: "event", \.name.rawValue, word),
        ] + (members[name] ?? []))
      return .object(shape.schema)
    }
    return SchemaDocument.text(
      title: "reactor run event", "A line of what 'reactor run --report ndjson' writes.",
      JSONObject([.init(name: "oneOf", value: .array(events))]),
      definitions: [
        (PlannedFlow.shape.name, PlannedFlow.shape.schema), (Miss.shape.name, Miss.shape.schema),
        (RunReport.Flow.Rejection.shape.name, RunReport.Flow.Rejection.shape.schema), (failure.name, failure.schema),
      ])
  }()

  private typealias Member = ShapeMember<RunEvent>

  /// The members of each event, in the order in which they are written.
  private static let members: [Name: [Member]] = {
    let flow = Member("flow", \.flow, .text, "file-stem.flow-name")
    let at = Member("at_us", \.at, .integer, "Microseconds since the start of the run.", .timed)
    let wait = Member("wait_us", \.wait, .count, nil, .timed)
    let step = Member("step", \.step, .word)
    let error = Member("error", \.failed, .object(failure))
    let errorOrNull = Member("error", \.error, .orNull(.object(failure)))
    let records = Member("records", \.records, .count)
    let rejected = [
      Member("rejected", \.rejected, .count),
      Member("rejections", \.rejections, .list(.object(RunReport.Flow.Rejection.shape), maximum: 100)),
    ]
    let filtered = Member("filtered", \.filtered, .count, nil, .when { $0.filtered > 0 })
    let pages = Member("pages", \.pages, .count)
    let bytes = Member("bytes", \.bytes, .count)
    let miss = ValueShape<Miss?>.orNull(.object(Miss.shape))
    return [
      .runPlanned: [
        Member("tool", \.tool, .text), Member(ifAny: "shard", \.shard, .shard),
        Member(ifAny: "started_at", \.startedAt, .text, "When the run began: ISO 8601, in UTC."),
        Member(
          "replayed", \.isReplay, .flag, "Recordings replace the servers: nothing is asked and nothing is saved.",
          .when(\.isReplay)),
        // Without these members, the log is the same for any number of jobs.
        Member("jobs", \.jobs, .count, nil, .timed), Member("max_per_host", \.perHost, .count, nil, .timed),
        Member("max_failures", \.maxFailures, .orNull(.ordinal)),
        Member("flows", \.flows, .list(.object(PlannedFlow.shape))),
      ],
      .runStarted: [at], .runFinished: [at],
      .runStopped: [Member("reason", \.reason, .words(RunStop.allCases.map(\.rawValue)))],
      .flowStarted: [flow, at], .flowFailed: [flow, error, at],
      .flowCancelled: [flow], .flowQueued: [flow], .saveDeferred: [flow], .saveWithheld: [flow],
      .stepStarted: [flow, step],
      .stepFinished: [flow, step, Member("duration_us", \.duration, .count, nil, .timed)],
      .stepFailed: [flow, step, error],
      .flowMissed: [flow, Member("miss", \.missed, .object(Miss.shape))],
      .flowReceived: [flow, bytes], .flowPaged: [flow, pages, records],
      .flowPruned: [flow, records] + rejected + [filtered],
      .flowRetrying: [
        flow, Member("attempt", \.attempt, .ordinal),
        Member("reason", \.reason, .words(["status", "rule", "timeout", "reset", "connect", "job"])),
        Member(ifAny: "status", \.status, .integer), wait,
      ],
      .flowWaiting: [flow, wait], .flowWaitingForRun: [flow, Member("path", \.path, .text)],
      .flowAdvanced: [
        flow, Member("before", \.before, .orNull(.text), "The position from which an incremental flow continued."),
        Member("after", \.after, .orNull(.text), "The position that is remembered with the result."),
      ],
      .flowCutShort: [flow, error], .flowMissingFields: [flow, error],
      .flowNewMembers: [flow, error], .flowMovedList: [flow, error], .flowSharedKey: [flow, error],
      .flowUnreadableLimit: [flow, error], .flowJobLeft: [flow, error], .saveUnstamped: [flow, error],
      .flowFinished: [flow, Member("source", \.source, .word), Member("miss", \.miss, miss), records] + rejected + [
        pages, bytes, Member("save", \.save, .words(["none", "saved", "deferred", "tolerated", "withheld"])),
        errorOrNull, filtered, Member("steps_us", \.steps, .stepTimes, nil, .timed), at,
      ],
      .saveEnded: [flow, errorOrNull],
    ]
  }()

  /// The failure as in the run summary, without the remedy.
  private static let failure: ObjectShape<RunReport.Flow.Failure> = {
    var shape = RunReport.Flow.Failure.shape
    shape.members.removeAll { $0.name == "help" }
    return shape
  }()

  /// The error of an event that always has one.
  private var failed: RunReport.Flow.Failure {
    get { error ?? RunReport.Flow.Failure(kind: "", message: "") }
    set { error = newValue }
  }

  /// Why no persisted result was used, for events that always have this reason.
  private var missed: Miss {
    get { miss ?? Miss(kind: .absent) }
    set { miss = newValue }
  }
}

extension RunEvent.PlannedFlow {
  static let shape = ObjectShape<Self>(
    "flow", empty: Self(),
    [
      .init("id", \.id, .text, "file-stem.flow-name"), .init("file", \.file, .text), .init("line", \.line, .ordinal),
      .init("after", \.after, .list(.text), "The flows whose records it takes."),
      .init("added", \.isAdded, .flag, "Run only because selected flows take its records."),
      .init("host", \.host, .text), .init("path", \.path, .orNull(.text)),
      .init("rejected_path", \.rejectedPath, .orNull(.text)),
      .init("tolerates_save_failure", \.toleratesSaveFailure, .flag),
    ])
}

extension RunEvent.Miss {
  static let shape = ObjectShape<Self>(
    "miss", empty: Self(kind: .absent), [.init("kind", \.kind, .word), .init(ifAny: "message", \.message, .text)])

  /// Describes a miss for the log.
  ///
  /// - Parameter text: makes text from a file safe to show
  init(_ miss: PersistenceMiss, text: (String) -> String) {
    switch miss {
    case .absent: self.init(kind: .absent)
    case .expired: self.init(kind: .expired)
    case .askedEachRun: self.init(kind: .askedEachRun)
    case .positionUnknown: self.init(kind: .positionUnknown)
    case .inputChanged(let path): self.init(kind: .inputChanged, message: text(path))
    case .otherResource: self.init(kind: .otherResource)
    case .schemaChanged: self.init(kind: .schemaChanged)
    case .unreadable(let reason): self.init(kind: .unreadable, message: text(reason))
    case .disabled: self.init(kind: .disabled)
    case .skipped: self.init(kind: .skipped)
    }
  }
}
