extension Construct {
  static let fixture = Construct(
    .fixture, noun: "'fixture'", "How the flow's recordings and goldens are compared.",
    details: "It counts for `reactor record`, `reactor test` and their kin alone; `reactor run` does not read it.",
    fields: [
      FieldSpec(
        "mask", .map(.path, .text), default: "nothing is masked",
        "Values that differ in every run: a JSONPath in the record, and what is done there before it is compared.",
        details: """
          `any(KIND)` takes every value of a kind: `value`, `string`, `number`, `integer`, `boolean`, `uuid`, \
          `timestamp`, `date` or `url`; one that is not of that kind still differs. `round(N)` compares a number to N \
          decimals, `sort` a list without its order.
          """, secrets: .refused, row: 0,
        examples: ["mask: { $.updated_at: any(timestamp) }", "mask: { \"$.items[*].price\": round(2), $.tags: sort }"],
        mistakes: [
          .init("mask: { ↓updated_at: any(timestamp) }", .invalidPath),
          .init("mask: { $.id: ↓any(uid) }", .unknownValue), .init("mask: ↓$.id", .wrongKind),
        ]),
      FieldSpec(
        "match", .construct(.fixtureMatch), default: "method, address, query and body",
        "What makes a request the one that was recorded.",
        examples: ["match: { ignore_query: [nonce] }"], mistakes: [.init("match: ↓[nonce]", .wrongKind)]),
      FieldSpec(
        "max_age", .duration(1...3_153_600_000), default: "for ever",
        "How old a recording may become before a test complains.",
        examples: ["max_age: 30d"], mistakes: [.init("max_age: ↓30 days", .invalidDuration)]),
    ],
    frame: Frame(
      """
      reactor: 1
      secrets: [SHOP_TOKEN]
      http: { base_url: https://api.example.com }
      flows:
        customers:
          resource: /customers
          fixture:
            ◆
      """))

  static let fixtureMatch = Construct(
    .fixtureMatch, noun: "'fixture.match'", "What makes a request the one that was recorded.",
    details: "Method, address, query in any order and body count unless this says otherwise.",
    fields: [
      FieldSpec(
        "headers", .list(.name(.header)), default: "none", "Request headers that count too.",
        examples: ["headers: [Accept]"], mistakes: [.init("headers: ↓Accept", .wrongKind)]),
      FieldSpec(
        "ignore_query", .list(.name(.parameter)), default: "none", "Query parameters that do not count.",
        examples: ["ignore_query: [nonce, timestamp]"], mistakes: [.init("ignore_query: ↓nonce", .wrongKind)]),
      FieldSpec(
        "ignore_body", .boolean, default: "false", "Whether the body does not count.",
        examples: ["ignore_body: true"], mistakes: [.init("ignore_body: ↓yes", .invalidBoolean)]),
      FieldSpec(
        "repeat", .boolean, default: "false",
        "Whether the last recording of a request answers it any number of times.",
        examples: ["repeat: true"], mistakes: [.init("repeat: ↓1", .invalidBoolean)]),
    ],
    frame: Frame(
      """
      reactor: 1
      http: { base_url: https://api.example.com }
      flows:
        customers:
          resource: /customers
          fixture:
            match:
              ◆
      """))
}
