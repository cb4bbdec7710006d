/// The keys of `fixture`.
enum FixtureKeys {
  static let construct = Construct(
    .fixture, noun: "'fixture'", "How the flow's recordings and goldens are compared.",
    details: "It counts for `reactor record`, `reactor test` and their kin alone; `reactor run` does not read it.",
    fields: [mask, match, maxAge],
    frame: .flow("resource: /customers\nfixture:\n  ◆"))

  static let mask = Field(
    "mask", .masks, default: "nothing is masked",
    "Values that differ in every run: a JSONPath in the record, and what is done there before it is compared.",
    details: """
      `any(KIND)` takes every value of a kind: `value`, `string`, `number`, `integer`, `boolean`, `uuid`, `timestamp`, \
      `date` or `url`; one that is not of that kind still differs. `round(N)` compares a number to N decimals, `sort` \
      a list without its order.
      """, secrets: .refused, edit: .keepsResult,
    examples: ["mask: { $.updated_at: any(timestamp) }", "mask: { \"$.items[*].price\": round(2), $.tags: sort }"],
    mistakes: [
      "mask: { ↓updated_at: any(timestamp) }": .invalidPath, "mask: { $.id: ↓any(uid) }": .unknownValue,
      "mask: ↓$.id": .wrongKind,
    ])

  static let match = Field(
    "match", .construct(.fixtureMatch) { $0.open($1, as: .fixtureMatch) }, default: "method, address, query and body",
    "What makes a request the one that was recorded.", edit: .keepsResult,
    examples: ["match: { ignore_query: [nonce] }"], mistakes: ["match: ↓[nonce]": .wrongKind])

  static let maxAge = Field(
    "max_age", .duration(1...3_153_600_000), default: "for ever",
    "How old a recording may become before a test complains.", edit: .keepsResult, examples: ["max_age: 30d"],
    mistakes: ["max_age: ↓30 days": .invalidDuration])
}

/// The keys of `fixture.match`.
enum FixtureMatchKeys {
  static let construct = Construct(
    .fixtureMatch, noun: "'fixture.match'", "What makes a request the one that was recorded.",
    details: "Method, address, query in any order and body count unless this says otherwise.",
    fields: [headers, ignoreQuery, ignoreBody, repeats],
    frame: .flow("resource: /customers\nfixture:\n  match:\n    ◆"))

  static let headers = Field(
    "headers", .names(.header), default: "none", "Request headers that count too.", edit: .keepsResult,
    examples: ["headers: [Accept]"], mistakes: ["headers: ↓Accept": .wrongKind])

  static let ignoreQuery = Field(
    "ignore_query", .names(.parameter), default: "none", "Query parameters that do not count.", edit: .keepsResult,
    examples: ["ignore_query: [nonce, timestamp]"], mistakes: ["ignore_query: ↓nonce": .wrongKind])

  static let ignoreBody = Field(
    "ignore_body", .boolean, default: "false", "Whether the body does not count.", edit: .keepsResult,
    examples: ["ignore_body: true"], mistakes: ["ignore_body: ↓yes": .invalidBoolean])

  static let repeats = Field(
    "repeat", .boolean, default: "false", "Whether the last recording of a request answers it any number of times.",
    edit: .keepsResult, examples: ["repeat: true"], mistakes: ["repeat: ↓1": .invalidBoolean])
}
