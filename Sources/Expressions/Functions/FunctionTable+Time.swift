extension FunctionTable {
  static let time: [Function] = [
    Function(
      name: "now",
      signatures: [Signature([], .timestamp)],
      summary: "The time at which the run started; it is the same in every expression of the run.",
      examples: [.init("now()", #""2026-01-15T10:30:00Z""#)],
      otherNames: ["now_utc", "utcnow", "current_timestamp"]
    ) { _, evaluation in .timestamp(evaluation.now) },
    Function(
      name: "today",
      signatures: [Signature([], .timestamp)],
      summary: "The first instant of the day of `now()`, in UTC.",
      examples: [.init("today()", #""2026-01-15T00:00:00Z""#), .init("format(today(), '%Y-%m-%d')", #""2026-01-15""#)],
      otherNames: ["today_utc", "current_date"]
    ) { _, evaluation throws(EvaluationError) in
      try Evaluation.instant(CalendarUnit.day.start(of: evaluation.now))
    },
    Function(
      name: "timestamp",
      signatures: [
        Signature([.init("text", .string), .init("form", .string, .optional)], .timestamp),
        Signature([.init("number", .number), .init("form", .string)], .timestamp),
        Signature([.init("timestamp", .timestamp)], .timestamp),
      ],
      summary: """
        The instant that a text or number names: ISO 8601 (a date alone is its first instant in UTC), or in the form \
        `iso8601_utc` (a time without a zone is in UTC), `epoch_s`, `epoch_ms`, `epoch_us` or a strptime pattern.
        """,
      examples: [
        .init("timestamp('2026-01-15T12:00:00+02:00')", #""2026-01-15T10:00:00Z""#),
        .init("timestamp('2026-01-15')", #""2026-01-15T00:00:00Z""#),
        .init("timestamp('2026-01-15 10:00:00')", "error: conversion"),
        .init("timestamp('2026-01-15 10:00:00', 'iso8601_utc')", #""2026-01-15T10:00:00Z""#),
        .init("timestamp(1768471200, 'epoch_s')", #""2026-01-15T10:00:00Z""#),
        .init("timestamp('1768471200250', 'epoch_ms')", #""2026-01-15T10:00:00.25Z""#),
        .init("timestamp('15/01/2026 10:00', '%d/%m/%Y %H:%M')", #""2026-01-15T10:00:00Z""#),
        .init("timestamp('2026-02-30')", "error: conversion"),
      ],
      otherNames: ["parse_date", "date_parse", "datetime", "str_to_datetime", "strptime", "to_timestamp"],
      literal: .init(argument: 1, kind: .form)
    ) { arguments, _ throws(EvaluationError) in .timestamp(try TimeWork.instant(arguments)) },
    Function(
      name: "date",
      signatures: [
        Signature([.init("text", .string), .init("form", .string, .optional)], .timestamp),
        Signature([.init("number", .number), .init("form", .string)], .timestamp),
        Signature([.init("timestamp", .timestamp)], .timestamp),
      ],
      summary:
        "The first instant in UTC of the day of a text, a number or a timestamp; forms as for `timestamp`.",
      examples: [
        .init("date('2026-01-15T12:30:00Z')", #""2026-01-15T00:00:00Z""#), .init("date(now()) == today()", "true"),
      ],
      otherNames: ["to_date"], literal: .init(argument: 1, kind: .form)
    ) { arguments, _ throws(EvaluationError) in
      try Evaluation.instant(CalendarUnit.day.start(of: try TimeWork.instant(arguments)))
    },
    Function(
      name: "format",
      signatures: [Signature([.init("timestamp", .timestamp), .init("form", .string)], .string)],
      summary: "The text of an instant in UTC: `iso8601`, `epoch_s`, `epoch_ms`, `epoch_us` or a strftime pattern.",
      examples: [
        .init("format(now(), '%Y-%m-%dT%H:%M')", #""2026-01-15T10:30""#),
        .init("now().format('epoch_ms')", #""1768473000000""#),
        .init("format(now(), '%a, %d %b %Y %T GMT')", #""Thu, 15 Jan 2026 10:30:00 GMT""#),
        .init("format(timestamp('2021-01-03'), '%G-W%V-%u')", #""2020-W53-7""#),
        .init("format(timestamp('2024-12-30'), '%G-W%V, %w')", #""2025-W01, 1""#),
        .init("format(now(), '%Q')", "error: bad-argument"),
      ],
      otherNames: ["strftime", "format_datetime", "date_format", "format_date"],
      literal: .init(argument: 1, kind: .form)
    ) { arguments, evaluation throws(EvaluationError) in
      let instant = try arguments.timestamp(0)
      let form = try TimeWork.form(arguments, isWriting: true)
      guard let text = form.text(instant) else {
        throw EvaluationError(
          .conversion, "the time has fractions that this format cannot write; cut them with truncate(…, 'second')")
      }
      try evaluation.spend(bytes: text.utf8.count)
      return .string(text)
    },
    Function(
      name: "add",
      signatures: [
        Signature([.init("timestamp", .timestamp), .init("duration", .duration)], .timestamp),
        Signature([.init("timestamp", .timestamp), .init("count", .int), .init("unit", .string)], .timestamp),
      ],
      summary: """
        The instant that is later by a duration (like `+`), or by a number of units: `second`, `minute`, `hour`, \
        `day`, `week`, `month`, `year`. If the new month does not have the day, the result is its last day.
        """,
      examples: [
        .init("add(today(), -7, 'day')", #""2026-01-08T00:00:00Z""#),
        .init("timestamp('2026-01-31').add(1, 'month')", #""2026-02-28T00:00:00Z""#),
        .init("add(today(), duration('90m'))", #""2026-01-15T01:30:00Z""#),
      ],
      otherNames: ["date_add", "day_delta", "plus"], literal: .init(argument: 2, kind: .unit)
    ) { arguments, _ throws(EvaluationError) in
      let instant = try arguments.timestamp(0)
      if arguments.count == 2 {
        guard case .duration(let duration) = arguments[1] else {
          throw arguments.wrongType(1, "a duration, or a count and a unit")
        }
        return try Evaluation.instant(instant.moved(by: duration))
      }
      return try Evaluation.instant(try arguments.unit(2).add(try arguments.int(1), to: instant))
    },
    Function(
      name: "truncate",
      signatures: [
        Signature([.init("timestamp", .timestamp), .init("unit", .string)], .timestamp),
        Signature([.init("number", .number)], .int),
      ],
      summary: """
        The first instant in UTC of the unit that contains an instant (a week begins on Monday), or a number without \
        its fraction.
        """,
      examples: [
        .init("truncate(now(), 'hour')", #""2026-01-15T10:00:00Z""#),
        .init("now().truncate('week')", #""2026-01-12T00:00:00Z""#),
        .init("truncate(now(), 'month')", #""2026-01-01T00:00:00Z""#), .init("truncate(-2.7)", "-2"),
      ],
      otherNames: ["date_trunc", "start_of", "trunc"], literal: .init(argument: 1, kind: .unit)
    ) { arguments, _ throws(EvaluationError) in
      if arguments.count == 1 { return try whole(arguments) { $0.rounded(.towardZero) } }
      return try Evaluation.instant(try arguments.unit(1).start(of: try arguments.timestamp(0)))
    },
    Function(
      name: "duration",
      signatures: [
        Signature([.init("text", .string)], .duration), Signature([.init("duration", .duration)], .duration),
      ],
      summary: """
        The length of time that a text names: `30s`, `5m`, `1h30m`, `7d`, `250ms` or ISO 8601 (`PT30S`, `P7D`, `P2W`), \
        with a `-` before it if it is negative. Years and months have no fixed length.
        """,
      examples: [
        .init("now() - duration('1h30m')", #""2026-01-15T09:00:00Z""#), .init("duration('P1DT12H')", #""P1DT12H""#),
        .init("duration('7d') * 2", #""P14D""#), .init("duration('1 day')", "error: conversion"),
      ],
      otherNames: ["timedelta", "interval"], literal: .init(argument: 0, kind: .duration)
    ) { arguments, _ throws(EvaluationError) in
      if case .duration = arguments[0] { return arguments[0] }
      let text = try arguments.string(0)
      guard text.utf8.count <= 200, let duration = DurationValue.parse(text) else {
        throw EvaluationError(
          .conversion, "the text is not a duration such as 30s, 5m, 1h, 7d or PT30S", value: excerpt(text))
      }
      return .duration(duration)
    },
  ]
}
