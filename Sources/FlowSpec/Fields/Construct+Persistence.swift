extension Construct {
  /// Keys of `persistence` that may also stand in `defaults.persistence`.
  enum Persistence {
    static let expiresAfter = FieldSpec(
      "expires_after", .duration(0.001...3_153_600_000), default: "never",
      "How long a result may be used before the server is asked again.",
      examples: ["expires_after: 1h", "expires_after: P7D"],
      mistakes: [.init("expires_after: ↓1 hour", .invalidDuration), .init("expires_after: ↓P1M", .invalidDuration)])
    static let failOnSaveError = FieldSpec(
      "fail_on_save_error", .boolean, default: "true", "Whether a failed save fails the flow.",
      details: "With false the failure is reported and the flow passes with its records.",
      examples: ["fail_on_save_error: false"],
      mistakes: [
        .init("fail_on_save_error: ↓0", .invalidBoolean), .init("↓fail_on_save_eror: true", .unknownKey),
      ])
  }

  static let persistence = Construct(
    .persistence, noun: "'persistence'", "Where a flow's result is kept.",
    shortForm: ShortForm(
      for: "path", .outputPath, words: ["disabled"],
      "A path alone keeps the result there; `disabled` keeps nothing.", examples: ["out/customers.jsonl", "disabled"]),
    fields: [
      FieldSpec(
        "path", .outputPath, required: true, "The file, relative to the output root; its extension names the format.",
        details: """
          `.json` (one array), `.jsonl` (one record a line) or `.csv`. The file must lie below the root, and no two \
          flows may write the same one.
          """, templated: true, secrets: .refused,
        examples: ["path: out/customers.jsonl", "path: \"out/{{ vars.region }}/customers.csv\""],
        mistakes: [
          .init("path: ↓out/customers.jsonx", .invalidOutput), .init("path: ↓../customers.json", .invalidOutput),
          .init("path: ↓/tmp/customers.json", .invalidOutput),
          .init("path: \"out/↓{{ secrets.SHOP_TOKEN }}.json\"", .templateSecretNotAllowed),
        ]),
      FieldSpec(
        "mode", .choice(PersistenceMode.allCases.map(\.rawValue)), default: "replace",
        "What becomes of the records that are there already.",
        details: """
          `merge` needs a schema with a `key`: a new record takes the place of the old one with its key, new keys come \
          behind, old records that are not in the answer stay, and of records with one key in one pull the last is \
          kept. `append` puts all new records behind the old ones. The file is replaced in one step in every mode; one \
          that does not fit the schema is an error, and stays as it is.
          """,
        examples: ["mode: merge", "mode: append"], mistakes: [.init("mode: ↓upsert", .unknownValue)]),
      FieldSpec(
        "delete_when", .expression, default: "nothing is deleted",
        "What a record says that is gone, with `mode: merge`.",
        details: """
          `source` is the record as it came. Of one that is gone only the key must fit the schema; the record with that key \
          is taken out of the result, and the one that said so counts as left out. In one pull the later record counts.
          """, secrets: .refused, row: 4,
        examples: [
          "mode: merge\ndelete_when: coalesce(source.deleted, false)",
          "mode: merge\ndelete_when: has(source.deleted_at)",
        ],
        mistakes: [
          .init("↓delete_when: source.deleted", .misplacedKey),
          .init("mode: merge\ndelete_when: ↓record.deleted", .templateUnknownRoot),
          .init("mode: merge\ndelete_when: ↓1 + 1", .expressionType),
        ]),
      Persistence.expiresAfter, Persistence.failOnSaveError,
    ],
    frame: Frame(
      """
      reactor: 1
      vars: { region: eu }
      secrets: [SHOP_TOKEN]
      http: { base_url: https://api.example.com }
      flows:
        customers:
          resource: /customers
          schema: { key: id, fields: { id: integer } }
          persistence:
            ◆
      """, supplies: ["path: out/customers.jsonl"]))

  static let expect = Construct(
    .expect, noun: "'expect'", "What a result must satisfy for the flow to pass.",
    details: "A result that does not is an error of the flow; nothing is stored.",
    fields: [
      FieldSpec(
        "min", .integer(0...Int.max), default: "0", "The least number of records.", examples: ["min: 1"],
        mistakes: [.init("min: ↓-1", .outOfRange), .init("min: ↓one", .invalidInteger)]),
      FieldSpec(
        "max", .integer(0...Int.max), default: "no limit", "The greatest number of records.", examples: ["max: 10000"],
        mistakes: [.init("max: ↓1_000", .invalidInteger), .init("min: 5\nmax: ↓4", .impossibleExpectation)]),
      FieldSpec(
        "total", .jsonPath, default: "not checked", "Where the answer tells how many records it holds.",
        details: "The number found there must equal the number of records before pruning.",
        examples: ["total: $.meta.total"], mistakes: [.init("total: $.meta..↓", .invalidPath)]),
      FieldSpec(
        "max_rejected", .integer(0...Int.max), default: "no limit",
        "The greatest number of records that may be pruned.",
        examples: ["max_rejected: 10"], mistakes: [.init("max_rejected: ↓10%", .invalidInteger)]),
      FieldSpec(
        "status", .oneOrMore(.status), default: "2xx", "Statuses taken as success, in place of 200–299.",
        examples: ["status: 200", "status: [2xx, 404]", "status: 200-204"],
        mistakes: [
          .init("status: ↓ok", .invalidStatus), .init("status: [200, ↓20]", .invalidStatus),
          .init("status: ↓299-200", .invalidStatus),
        ]),
    ],
    frame: Frame(
      """
      reactor: 1
      http: { base_url: https://api.example.com }
      flows:
        customers:
          resource: /customers
          expect:
            ◆
      """))
}
