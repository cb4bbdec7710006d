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
      .integer(0...100), words: ["none"], "A number means `max`; `none` sends every request once.",
      examples: ["4", "none"]), fields: [max, on, backoff, wait, maxWait, honour, idempotent],
    frame: .flow("resource: /customers\nretry:\n  ◆"))

  static let max = Field(
    "max", .integer(0...100), default: "2", "The maximum number of retries of a request.", edit: .keepsResult,
    examples: ["max: 4"], mistakes: ["max: ↓101": .outOfRange])

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
    "backoff", .choice(of: RetryDeclaration.Backoff.self), default: "exponential", "How waits grow.",
    details: """
      `exponential`: each wait is twice the one before it; a random part of its second half keeps clients apart. \
      `constant`: every wait is exactly `wait`.
      """, edit: .keepsResult, examples: ["backoff: constant"], mistakes: ["backoff: ↓linear": .unknownValue])

  static let wait = Field(
    "wait", .duration(0.001...86400), default: "1s", "The wait before the first retry.", edit: .keepsResult,
    examples: ["wait: 500ms"], mistakes: ["wait: ↓1": .invalidDuration, "wait: ↓5m": .outOfRange])

  static let maxWait = Field(
    "max_wait", .duration(0.001...86400), default: "1m", "The maximum wait, also for waits that the server sets.",
    edit: .keepsResult, examples: ["max_wait: 5m"], mistakes: ["max_wait: ↓2d": .outOfRange])

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
      `seconds` and `milliseconds` count from now; `epoch_s` and `epoch_ms` are points in time. `auto`: a date is a \
      point in time, and so is a number from 10^9 on (seconds since 1970) or 10^11 on (milliseconds); a smaller number \
      counts seconds from now.
      """, edit: .keepsResult, examples: ["format: epoch_s", "format: milliseconds"],
    mistakes: ["format: ↓epoch": .unknownValue])
}

enum RateKeys {
  static let construct = Construct(
    .rate, noun: "'rate'", "The limit on the rate of requests to a host.",
    details: """
      The requests of all flows to one host (scheme, name and port) are counted together, and each flow applies its \
      own limits to that count. If a server asks for a pause, all of them wait.
      """, shortForm: .init(.rate, "A rate alone means `max`.", examples: ["10/s", "600/m"]),
    fields: [max, concurrency, follow],
    frame: .init(
      """
      reactor: 1
      http:
        base_url: https://api.example.com
        rate:
          ◆
      flows: { orders: { resource: /orders } }
      """))

  static let max = Field(
    "max", .rate, default: "none", "The maximum number of requests that start within a time.",
    details:
      "`10/s` applies to any second, `600/m` to any minute, `1/5s` to any five seconds. The time is at most a day.",
    edit: .keepsResult, examples: ["max: 10/s", "max: 1/5s"],
    mistakes: ["max: ↓10": .invalidRate, "max: ↓0/s": .invalidRate, "max: ↓10/week": .invalidRate])

  static let concurrency = Field(
    "concurrency", .integer(1...1000), default: "none",
    "The maximum number of requests that wait for a response at once.",
    details: "A request counts from its start until its response starts.", edit: .keepsResult,
    examples: ["concurrency: 2"], mistakes: ["concurrency: ↓0": .outOfRange])

  static let follow = Field(
    "follow", .choice(["headers", "none"]), default: "headers",
    "Whether the limits in response headers are followed.",
    details: """
      `headers`: when `RateLimit`, `RateLimit-Remaining` or `X-RateLimit-Remaining` are zero, the host's next requests \
      wait for the reset. They also wait after a 429. A wait is at most `retry.max_wait`.
      """, edit: .keepsResult, examples: ["follow: none"], mistakes: ["follow: ↓header": .unknownValue])
}
