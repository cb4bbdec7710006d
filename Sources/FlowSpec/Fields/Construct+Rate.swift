extension Construct {
  static let rate = Construct(
    .rate, noun: "'rate'", "How fast a host may be asked.",
    details: """
      Flows of one host (scheme, name and port) share what they have asked in the run: each keeps its own limits against \
      the requests of all. When a server asks for a pause, all of them wait.
      """,
    shortForm: ShortForm(
      for: "max", .rate, "A rate stands for `max`.", examples: ["10/s", "600/m"]),
    fields: [
      FieldSpec(
        "max", .rate, default: "none", "The most requests that begin within a time.",
        details: "`10/s` holds for any second, `600/m` for any minute, `1/5s` for any five seconds. At most a day.",
        row: 23, examples: ["max: 10/s", "max: 1/5s"],
        mistakes: [
          .init("max: ↓10", .invalidRate), .init("max: ↓0/s", .invalidRate), .init("max: ↓10/week", .invalidRate),
        ]),
      FieldSpec(
        "concurrency", .integer(1...1000), default: "none",
        "The most requests that wait for their answer at once.",
        details: "A request counts from its sending until its answer begins.", row: 23,
        examples: ["concurrency: 2"], mistakes: [.init("concurrency: ↓0", .outOfRange)]),
      FieldSpec(
        "follow", .choice(["headers", "none"]), default: "headers",
        "Whether what answers tell of the server's own limit is followed.",
        details: """
          `headers`: when `RateLimit`, `RateLimit-Remaining` or `X-RateLimit-Remaining` say that nothing remains, the \
          host's next requests wait for the reset, and so they do after a 429; at most `retry.max_wait`.
          """, row: 23,
        examples: ["follow: none"], mistakes: [.init("follow: ↓header", .unknownValue)]),
    ],
    frame: Frame(
      """
      reactor: 1
      http:
        base_url: https://api.example.com
        rate:
          ◆
      flows: { orders: { resource: /orders } }
      """))
}
