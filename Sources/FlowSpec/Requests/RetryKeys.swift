/// The keys of `retry`.
enum RetryKeys {
  static let construct = Construct(
    .retry, noun: "'retry'", "How often a failed request is sent again, and when.",
    details: """
      A request is sent again only before its response has begun, and only when its method may be repeated (GET, HEAD, \
      OPTIONS, PUT, DELETE), unless `idempotent: true` allows it for others; a connection that did not come about is \
      tried again for every method, since nothing was sent. A wait that would pass the flow's `deadline` fails the \
      flow at once. Statuses that `expect.status` accepts are answers and no failures. Every retry is told in the \
      event log and counted in the reports.
      """,
    shortForm: .init(
      .integer(0...100), words: ["none"], "A number stands for `max`; `none` sends every request once.",
      examples: ["4", "none"]), fields: [max, on, backoff, wait, maxWait, honour, idempotent],
    frame: .flow("resource: /customers\nretry:\n  ◆"))

  static let max = Field(
    "max", .integer(0...100), default: "2", "How often a request is sent again at most.", edit: .keepsResult,
    examples: ["max: 4"], mistakes: ["max: ↓101": .outOfRange])

  static let on = Field(
    "on", .retryReasons, default: "[429, 502-504, reset, connect]", "What is tried again: statuses and faults.",
    details: """
      `timeout`: no complete response came within `http.timeout`. `reset`: the connection broke before the response had \
      begun. `connect`: no connection came about; with `reachability: true` a host that does not answer the probe \
      fails the flow before that.
      """, edit: .keepsResult, examples: ["on: [429, 5xx, timeout, reset]"],
    mistakes: [
      "on: [429, ↓6xx]": .invalidStatus, "on: [↓time-out]": .invalidStatus, "on: [503, ↓503]": .duplicateItem,
      "on: ↓429": .wrongKind, "on: ↓[]": .missingValue,
    ])

  static let backoff = Field(
    "backoff", .choice(of: RetryDeclaration.Backoff.self), default: "exponential", "How waits grow.",
    details: """
      `exponential`: each is twice the one before it, spread over its second half so that clients do not come back \
      together. `constant`: all are `wait`, exactly.
      """, edit: .keepsResult, examples: ["backoff: constant"], mistakes: ["backoff: ↓linear": .unknownValue])

  static let wait = Field(
    "wait", .duration(0.001...86400), default: "1s", "The wait before the first retry.", edit: .keepsResult,
    examples: ["wait: 500ms"], mistakes: ["wait: ↓1": .invalidDuration, "wait: ↓5m": .outOfRange])

  static let maxWait = Field(
    "max_wait", .duration(0.001...86400), default: "1m", "The longest wait, whatever the back-off or the server says.",
    edit: .keepsResult, examples: ["max_wait: 5m"], mistakes: ["max_wait: ↓2d": .outOfRange])

  static let honour = Field(
    "honour", .choice(["retry-after", "none"]), default: "retry-after", "Whether the server sets the wait.",
    details: """
      `retry-after`: the response's `Retry-After` (seconds or a date), else the reset of its rate limit, at most \
      `max_wait`; zero, a date that has passed and what cannot be read leave the wait to the back-off.
      """, edit: .keepsResult, examples: ["honour: none"], mistakes: ["honour: ↓headers": .unknownValue])

  static let idempotent = Field(
    "idempotent", .boolean, default: "false",
    "Whether the request may be sent twice although its method says otherwise (POST, PATCH).", edit: .keepsResult,
    examples: ["idempotent: true"], mistakes: ["idempotent: ↓yes": .invalidBoolean])
}
