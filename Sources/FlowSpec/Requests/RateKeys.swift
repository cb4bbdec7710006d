/// The keys of `rate`.
enum RateKeys {
  static let construct = Construct(
    .rate, noun: "'rate'", "How fast a host may be asked.",
    details: """
      Flows of one host (scheme, name and port) share what they have asked in the run: each keeps its own limits \
      against the requests of all. When a server asks for a pause, all of them wait.
      """, shortForm: .init(.rate, "A rate stands for `max`.", examples: ["10/s", "600/m"]),
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
    "max", .rate, default: "none", "The most requests that begin within a time.",
    details: "`10/s` holds for any second, `600/m` for any minute, `1/5s` for any five seconds. At most a day.",
    edit: .keepsResult, examples: ["max: 10/s", "max: 1/5s"],
    mistakes: ["max: ↓10": .invalidRate, "max: ↓0/s": .invalidRate, "max: ↓10/week": .invalidRate])

  static let concurrency = Field(
    "concurrency", .integer(1...1000), default: "none", "The most requests that wait for their response at once.",
    details: "A request counts from its sending until its response begins.", edit: .keepsResult,
    examples: ["concurrency: 2"], mistakes: ["concurrency: ↓0": .outOfRange])

  static let follow = Field(
    "follow", .choice(["headers", "none"]), default: "headers",
    "Whether what answers tell of the server's own limit is followed.",
    details: """
      `headers`: when `RateLimit`, `RateLimit-Remaining` or `X-RateLimit-Remaining` say that nothing remains, the \
      host's next requests wait for the reset, and so they do after a 429; at most `retry.max_wait`.
      """, edit: .keepsResult, examples: ["follow: none"], mistakes: ["follow: ↓header": .unknownValue])
}
