internal import FlowModel

enum FixtureKeys {
  static let construct = Construct(
    .fixture, noun: "'fixture'", "How requests are compared with the flow's recordings, and records with its goldens.",
    details: "It applies to `reactor record`, `reactor test` and the like; `reactor run` does not read it.",
    fields: [mask, match, maxAge],
    frame: .flow("resource: /customers\nfixture:\n  ◆"))

  static let stored: [Stored<FixtureDeclaration>] = [
    .init(mask) { $0.masks = $1 }, .init(maxAge) { $0.maxAge = $1.value },
  ]

  static let mask = Field(
    "mask", .masks, default: "none: nothing is masked",
    "Values that differ in every run: a JSONPath in the record, and a rule that is applied before the comparison.",
    details: """
      `any(KIND)` accepts every value of a kind: `value`, `string`, `number`, `integer`, `boolean`, `uuid`, \
      `timestamp`, `date` or `url`; a value of another kind still differs. `round(N)` compares a number to N decimals, \
      `sort` a list without its order.
      """, secrets: .refused, edit: .keepsResult,
    examples: ["mask: { $.updated_at: any(timestamp) }", "mask: { \"$.items[*].price\": round(2), $.tags: sort }"],
    mistakes: [
      "mask: { ↓updated_at: any(timestamp) }": .invalidPath, "mask: { $.id: ↓any(uid) }": .unknownValue,
      "mask: ↓$.id": .wrongKind,
    ])

  static let match = Field(
    "match", .construct(.fixtureMatch) { $0.open($1, as: .fixtureMatch) }, default: "method, address, query and body",
    "When a request matches a recording.", edit: .keepsResult,
    examples: ["match: { ignore_query: [nonce] }"], mistakes: ["match: ↓[nonce]": .wrongKind])

  static let maxAge = Field(
    "max_age", .duration(1...3_153_600_000), default: "for ever",
    "The maximum age of a recording before a test reports it.", edit: .keepsResult, examples: ["max_age: 30d"],
    mistakes: ["max_age: ↓30 days": .invalidDuration])
}

enum FixtureMatchKeys {
  static let construct = Construct(
    .fixtureMatch, noun: "'fixture.match'", "When a request matches a recording.",
    details: "By default method, address, query (in any order) and body are compared.",
    fields: [headers, ignoreQuery, body, repeats],
    frame: .flow("resource: /customers\nfixture:\n  match:\n    ◆"))

  static let stored: [Stored<FixtureDeclaration>] = [
    .init(headers) { $0.headers = $1.map(\.value) }, .init(ignoreQuery) { $0.ignoredQuery = $1.map(\.value) },
    .init(body) { $0.ignoresBody = !$1 }, .init(repeats) { $0.repeats = $1 },
  ]

  static let headers = Field(
    "headers", .names(.header), default: "none", "Request headers that are compared too.", edit: .keepsResult,
    examples: ["headers: [Accept]"], mistakes: ["headers: ↓Accept": .wrongKind])

  static let ignoreQuery = Field(
    "ignore_query", .names(.parameter), default: "none", "Query parameters that are ignored.", edit: .keepsResult,
    examples: ["ignore_query: [nonce, timestamp]"], mistakes: ["ignore_query: ↓nonce": .wrongKind])

  static let body = Field(
    "body", .boolean, default: "true", "Whether the body is compared.", edit: .keepsResult,
    examples: ["body: false"], mistakes: ["body: ↓no": .invalidBoolean])

  static let repeats = Field(
    "repeat", .boolean, default: "false", "Whether the last recording of a request may be used again and again.",
    edit: .keepsResult, examples: ["repeat: true"], mistakes: ["repeat: ↓1": .invalidBoolean])
}
