internal import FlowModel
internal import SourceDiagnostics
internal import YAMLSyntax

enum ScheduleKeys {
  static let construct = Construct(
    .schedule, noun: "'schedule'", "When an engine starts an exported job of the flow.",
    details: """
      `reactor export` writes it into the files of an engine. `reactor run` does not use it: it runs a flow whenever it \
      is called. Flows of one exported job have one schedule.
      """,
    shortForm: .init(
      .text, "A text is the value of `cron`, in UTC.", examples: ["30 2 * * *", "0 6 * * MON-FRI", "\"@daily\""]),
    fields: [cron, every, zone, jitter],
    requirements: [
      .oneOf(
        [cron, every], code: .missingKey, "the schedule has no starts",
        help: "add 'cron', for example 'cron: 30 2 * * *', or 'every'"),
      .excludes([every], cron, code: .contradiction, help: "leave one of them out") { _, _ in
        "'cron' and 'every' cannot be used together"
      },
      .excludes([zone], every, code: .contradiction, help: "leave 'zone' out, or write 'cron'") { _, _ in
        "'zone' has no effect with 'every'"
      },
    ],
    frame: .flow(
      "resource: /customers\nschedule:\n  ◆", supplies: ["cron: 30 2 * * *"], alternatives: ["cron": "every"])
  )

  static let cron = Field(
    "cron", .whole(.text), default: "none", "The starts: minute, hour, day of the month, month and day of the week.",
    details: """
      Each field is `*`, a number, a list (`0,30`), a range (`1-5`) or a range with a step (`*/5`). Months and days of \
      the week have English names (`JAN`, `MON`); 0 and 7 are Sunday. If both fields of days are restricted, a day that \
      fits one of them is enough. `@hourly`, `@daily`, `@weekly`, `@monthly` and `@yearly` are known too.
      """, secrets: .refused, edit: .keepsResult,
    examples: ["cron: 30 2 * * *", "cron: \"*/15 6-20 * * MON-FRI\"", "cron: \"@hourly\""],
    mistakes: [
      "cron: ↓60 2 * * *": .invalidSchedule, "cron: 30 2 ↓31 2 *": .invalidSchedule,
      "cron: ↓30 2 * *": .invalidSchedule, "cron: 0 0 * * ↓FRI-MON": .invalidSchedule,
      "cron: \"↓@often\"": .invalidSchedule, "cron: 0 0 1 * ↓*/2": .invalidSchedule,
    ])

  static let every = Field(
    "every", .duration(60...31_622_400), default: "none", "The time from a start to the next one.",
    details: """
      Most engines know only times of the day. For them, minutes that divide an hour, hours that divide a day, `1d` and \
      `7d` (from midnight UTC; Sundays) can be exported; `reactor export` refuses others.
      """, edit: .keepsResult, examples: ["every: 6h", "every: 15m"],
    mistakes: ["every: ↓6": .invalidDuration, "every: ↓30s": .outOfRange, "every: ↓90.5s": .outOfRange])

  static let zone = Field(
    "zone", .zoneName, default: "UTC", "The time zone of `cron`.",
    details: """
      A name of the time zone database (`America/New_York`). GitHub knows no time zone: `reactor export github` refuses \
      others than UTC.
      """, edit: .keepsResult, examples: ["cron: 30 2 * * *\nzone: Europe/Berlin"],
    mistakes: ["every: 6h\n↓zone: Europe/Berlin": .contradiction, "zone: ↓../etc/passwd": .invalidName])

  static let jitter = Field(
    "jitter", .duration(1...86_400), default: "none: each start is at its time",
    "The longest wait before a start, so that many jobs do not start at once.",
    details: "Each process waits for a random number of seconds. It must be shorter than the time between two starts.",
    edit: .keepsResult, examples: ["cron: 30 2 * * *\njitter: 5m"],
    mistakes: ["jitter: ↓5": .invalidDuration, "every: 5m\njitter: ↓10m": .outOfRange])

  /// Reads a `schedule` mapping, or its short form.
  static func schedule(_ reader: inout FlowReader, _ value: FieldValue) -> Located<Schedule>? {
    guard !value.node.isScalar else {
      return times(&reader, value).map { Located(Schedule(.cron($0)), at: value.node.range) }
    }
    guard let nodes = reader.open(value, as: .schedule) else { return nil }
    let zone = reader.read(zone, of: nodes)
    let jitter = wholeSeconds(&reader, reader.read(jitter, of: nodes))
    let every = wholeSeconds(&reader, reader.read(every, of: nodes))
    let times = nodes.value(cron).flatMap { Self.times(&reader, $0) }
    guard let start = times.map(Schedule.Start.cron) ?? every.map({ .every($0.value) }) else { return nil }
    if let jitter { check(jitter, start, &reader) }
    return Located(Schedule(start, zone: zone, jitter: jitter?.value ?? 0), at: value.node.range)
  }

  private static func times(_ reader: inout FlowReader, _ value: FieldValue) -> CronTimes? {
    guard let text = reader.text(value) else { return nil }
    do throws(CronError) {
      return try CronText.times(in: text)
    } catch {
      return reader.fail(
        .invalidSchedule, error.message, at: reader.location(of: error.offsets, in: value.node),
        help: error.help)
    }
  }

  /// The seconds of a duration, which must be whole.
  private static func wholeSeconds(_ reader: inout FlowReader, _ duration: Located<Double>?) -> Located<Int>? {
    guard let duration else { return nil }
    guard let seconds = Int(exactly: duration.value) else {
      return reader.fail(
        .outOfRange, "engines do not know fractions of a second", at: duration.range, help: "write whole seconds")
    }
    return Located(seconds, at: duration.range)
  }

  private static func check(_ jitter: Located<Int>, _ start: Schedule.Start, _ reader: inout FlowReader) {
    guard let gap = Schedule(start).shortestGap, jitter.value >= gap else { return }
    reader.report(
      .outOfRange, "with this jitter a job could start after the next one", at: jitter.range,
      help: "write less than \(Schedule.text(ofSeconds: gap)), the time between two starts")
  }
}
