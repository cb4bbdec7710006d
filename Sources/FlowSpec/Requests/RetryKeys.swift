internal import FlowModel
internal import WebSyntax

enum RetryKeys {
  static let construct = Construct(
    .retry, noun: "'retry'", "How often a failed request is sent again, and when.",
    details: """
      A request is sent again only before its response has started, and only if its method may be repeated (GET, HEAD, \
      OPTIONS, PUT, DELETE) or `idempotent: true` is set. A failed connection is retried for every method, because \
      nothing was sent. A wait beyond the flow's `deadline` fails the flow at once. Statuses in `expect.status` are \
      not failures. Every retry is in the event log and is counted in the reports.
      """,
    shortForm: .init(
      .setting(.integer(Retry.counts)), words: ["none"],
      "A number means `max`; `none` sends every request once.", examples: ["4", "none"]),
    fields: [max, on, backoff, wait, maxWait, honour, idempotent],
    frame: .flow("resource: /customers\nretry:\n  ◆"))

  static let stored: [Stored<Retry>] = [
    .init(max) { $0.max = $1 }, .init(on) { ($0.statuses, $0.causes) = $1 }, .init(backoff) { $0.backoff = $1 },
    .init(wait) { $0.wait = $1 }, .init(maxWait) { $0.maxWait = $1 },
    .init(honour) { ($0.honoursServer, $0.waitField) = $1 }, .init(idempotent) { $0.isIdempotent = $1 },
  ]

  static let max = Field(
    "max", .integerSetting(Retry.counts), default: "2",
    "The maximum number of retries of a request.", details: "Variables may be part of it.", secrets: .refused,
    edit: .keepsResult, examples: ["max: 4", "max: \"{{ vars.retries }}\""],
    mistakes: ["max: ↓101": .outOfRange, "max: \"{{ vars.↓retrys }}\"": .templateUnknownVariable])

  static let on = Field(
    "on", .retryReasons, default: "[429, 502-504, reset, connect]", "What is retried: statuses and causes of failure.",
    details: """
      `timeout`: no complete response came within `http.timeout`. `reset`: the connection broke before the response \
      started. `connect`: the connection failed; with `reachability: true` an unreachable host fails the flow before \
      that.
      """, edit: .keepsResult, examples: ["on: [429, 5xx, timeout, reset]"],
    mistakes: [
      "on: [429, ↓6xx]": .invalidStatus, "on: [↓time-out]": .invalidStatus, "on: [503, ↓503]": .duplicateItem,
      "on: ↓429": .wrongKind, "on: ↓[]": .missingValue,
    ])

  static let backoff = Field(
    "backoff", .choice(of: Retry.Backoff.self), default: "exponential", "How waits grow.",
    details: """
      `exponential`: each wait is twice the one before it; a random part of its second half keeps clients apart. \
      `constant`: every wait is exactly `wait`.
      """, edit: .keepsResult, examples: ["backoff: constant"], mistakes: ["backoff: ↓linear": .unknownValue])

  static let wait = Field(
    "wait", .waitSetting, default: "1s",
    "The wait before the first retry.", details: "Variables may be part of it: `{{ vars.wait }}s`.", secrets: .refused,
    edit: .keepsResult, examples: ["wait: 500ms", "wait: \"{{ vars.retries }}s\""],
    mistakes: ["wait: ↓1": .invalidDuration, "wait: ↓5m": .outOfRange])

  static let maxWait = Field(
    "max_wait", .waitSetting, default: "1m",
    "The maximum wait, also for waits that the server sets.", details: "Variables may be part of it.",
    secrets: .refused,
    edit: .keepsResult, examples: ["max_wait: 5m", "max_wait: \"{{ vars.retries }}m\""],
    mistakes: ["max_wait: ↓2d": .outOfRange])

  static let honour = Field(
    "honour", .construct(.honour) { $0.honour($1) }, default: "retry-after", "Whether the server sets the wait.",
    edit: .keepsResult, examples: ["honour: none", "honour: { header: X-RateLimit-Reset, format: epoch_s }"],
    mistakes: ["honour: ↓headers": .unknownValue])

  static let idempotent = Field(
    "idempotent", .boolean, default: "false",
    "Whether a request with POST or PATCH may be sent twice.", edit: .keepsResult,
    examples: ["idempotent: true"], mistakes: ["idempotent: ↓yes": .invalidBoolean])
}

enum HonourKeys {
  static let construct = Construct(
    .honour, noun: "'honour'", "The header field by which the server sets the wait before a retry.",
    details: """
      The wait is at most `max_wait`. If the field is absent, zero, in the past or unreadable, the wait is that of \
      `retry-after`.
      """,
    shortForm: .init(
      .choice(["retry-after", "none"]),
      "`retry-after`: the response's `Retry-After` (seconds or a date), else the reset of its rate limit, at most "
        + "`max_wait`; if it is zero, in the past or unreadable, `backoff` sets the wait. `none`: always `backoff`.",
      examples: ["retry-after", "none"]), fields: [header, format],
    frame: .flow("resource: /customers\nretry:\n  honour:\n    ◆", supplies: ["header: X-Wait"]))

  static let header = Field(
    "header", .name(.header), default: .required, "The name of the field.", edit: .keepsResult,
    examples: ["header: X-Retry-In"], mistakes: ["header: ↓\"X Wait\"": .invalidHeader])

  static let format = Field(
    "format", .choice(of: WaitField.Format.self), default: "auto", "The form of the field's value.",
    details: """
      `seconds` and `milliseconds` count from now; `epoch_s` and `epoch_ms` are points in time, and `time` is one as \
      ISO 8601 with an offset or as a date of HTTP. `auto`: a date of HTTP is a point in time, and so is a number from 10^9 on (seconds since 1970) or 10^11 on (milliseconds); a smaller number \
      counts seconds from now.
      """, edit: .keepsResult, examples: ["format: epoch_s", "format: milliseconds"],
    mistakes: ["format: ↓epoch": .unknownValue])
}
