extension Construct.Flow {
  static let retry = FieldSpec(
    "retry", .construct(.retry), default: "2 retries after 429, 502, 503, 504 and lost connections",
    "How often a failed request is sent again, and when.",
    details: "A flow's own `retry` replaces that of `defaults` as a whole.", row: 6,
    examples: ["retry: 4", "retry: { max: 4, on: [429, 5xx, timeout, reset], wait: 2s }", "retry: none"],
    mistakes: [
      .init("retry: ↓never", .invalidInteger), .init("retry: ↓-1", .outOfRange),
      .init("retry: { max: 4, ↓attempts: 4 }", .unknownKey),
    ])
}

extension Construct {
  static let retry = Construct(
    .retry, noun: "'retry'", "How often a failed request is sent again, and when.",
    details: """
      A request is sent again only before its answer has begun, and only when its method may be repeated (GET, HEAD, \
      OPTIONS, PUT, DELETE), unless `idempotent: true` allows it for others; a connection that did not come about is tried \
      again for every method, since nothing was sent. A wait that would pass the flow's `deadline` fails the flow at once. \
      Statuses that `expect.status` accepts are answers and no failures. Every retry is told in the event log and counted \
      in the reports.
      """,
    shortForm: ShortForm(
      for: "max", .integer(0...100), words: ["none"], "A number stands for `max`; `none` sends every request once.",
      examples: ["4", "none"]),
    fields: [
      FieldSpec(
        "max", .integer(0...100), default: "2", "How often a request is sent again at most.", row: 6,
        examples: ["max: 4"], mistakes: [.init("max: ↓101", .outOfRange)]),
      FieldSpec(
        "on", .list(.statusOr(RetryDeclaration.Fault.allCases.map(\.rawValue))),
        default: "[429, 502-504, reset, connect]", "What is tried again: statuses and faults.",
        details: """
          `timeout`: no complete answer came within `http.timeout`. `reset`: the connection broke before the answer had \
          begun. `connect`: no connection came about; with `reachability: true` a host that does not answer the probe fails \
          the flow before that.
          """, row: 6,
        examples: ["on: [429, 5xx, timeout, reset]"],
        mistakes: [
          .init("on: [429, ↓6xx]", .invalidStatus), .init("on: [↓time-out]", .invalidStatus),
          .init("on: [503, ↓503]", .duplicateItem), .init("on: ↓429", .wrongKind), .init("on: ↓[]", .missingValue),
        ]),
      FieldSpec(
        "backoff", .choice(RetryDeclaration.Backoff.allCases.map(\.rawValue)), default: "exponential",
        "How waits grow.",
        details: """
          `exponential`: each is twice the one before it, spread over its second half so that clients do not come back \
          together. `constant`: all are `wait`, exactly.
          """, row: 6,
        examples: ["backoff: constant"], mistakes: [.init("backoff: ↓linear", .unknownValue)]),
      FieldSpec(
        "wait", .duration(0.001...86400), default: "1s", "The wait before the first retry.", row: 6,
        examples: ["wait: 500ms"],
        mistakes: [.init("wait: ↓1", .invalidDuration), .init("wait: ↓5m", .outOfRange)]),
      FieldSpec(
        "max_wait", .duration(0.001...86400), default: "1m",
        "The longest wait, whatever the back-off or the server says.", row: 6,
        examples: ["max_wait: 5m"], mistakes: [.init("max_wait: ↓2d", .outOfRange)]),
      FieldSpec(
        "honour", .choice(["retry-after", "none"]), default: "retry-after", "Whether the server sets the wait.",
        details: """
          `retry-after`: the answer's `Retry-After` (seconds or a date), else the reset of its rate limit, at most \
          `max_wait`; zero, a date that has passed and what cannot be read leave the wait to the back-off.
          """, row: 6,
        examples: ["honour: none"], mistakes: [.init("honour: ↓headers", .unknownValue)]),
      FieldSpec(
        "idempotent", .boolean, default: "false",
        "Whether the request may be sent twice although its method says otherwise (POST, PATCH).", row: 6,
        examples: ["idempotent: true"], mistakes: [.init("idempotent: ↓yes", .invalidBoolean)]),
    ],
    frame: Frame(
      """
      reactor: 1
      http: { base_url: https://api.example.com }
      flows:
        customers:
          resource: /customers
          retry:
            ◆
      """))
}
