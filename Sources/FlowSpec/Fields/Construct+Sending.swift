extension Construct {
  /// Keys about requests that change something.
  enum Sending {
    static let records = FieldSpec(
      "records", .construct(.sentRecords), "The records that the flow is asked for each of, encoded through a schema.",
      details: """
        Needs an `each` over the records of one flow or of one file: a request carries one of them, with `each.batch` \
        several. Sent as `application/json`, or `application/x-ndjson` with `format: jsonl`, unless a header says \
        otherwise.
        """, row: 13,
      examples: ["records: customer", "records: { schema: customer, at: $.data }"],
      mistakes: [.init("records: ↓custmer", .unknownSchema), .init("records: ↓[customer]", .wrongKind)])

    static let idempotency = FieldSpec(
      "idempotency", .construct(.idempotency), default: "none",
      "A header by which the server knows a request that it has had before.",
      details: """
        With it a POST or PATCH is sent again under `retry`, and in later runs, without being done twice; the server must \
        honour the header.
        """, row: 13,
      examples: [
        "method: POST\nidempotency: Idempotency-Key",
        "method: POST\nidempotency: { header: X-Request-Id, key: \"import-{{ vars.region }}\" }",
      ],
      mistakes: [
        .init("↓idempotency: Idempotency-Key", .idempotencyKey),
        .init("method: POST\nidempotency: ↓Idempotency Key", .invalidHeader),
        .init("method: POST\nidempotency: Idempotency-Key\nheaders: { ↓idempotency-key: a }", .duplicateItem),
      ])

    static let batch = FieldSpec(
      "batch", .construct(.eachBatch), default: "none: one request for each",
      "One request for several of the records: so many at most, or a mapping with the size.",
      details: """
        Templates find them as a list, which is called `batch` unless `as` gives another name. Only with a single source, \
        and not with a cursor.
        """, row: 13,
      examples: [
        "batch: 100\nflow: customers",
        "batch: { size: 50, results: $.responses, failed: result.status >= 400 }\nfile: out/customers.jsonl",
      ],
      mistakes: [
        .init("flow: customers\nbatch: ↓0", .outOfRange), .init("flow: customers\nbatch: ↓all", .invalidInteger),
        .init("product: [customers]\n↓batch: 10", .eachBatch),
      ])
  }

  static let sentRecords = Construct(
    .sentRecords, noun: "what is sent", "Records in a request's body, each encoded through a schema.",
    details: """
      A schema encodes what it decodes: each of its fields takes the record's value of its own name to the place that its \
      `from` says, in the form that its type says (`epoch_s` and other formats of timestamps included), computed fields \
      too. A record that does not fit the schema is not sent; it counts as failed, and goes to `rejected` with the reason.
      """,
    shortForm: ShortForm(
      for: "schema", .name(.schema), "A schema's name alone: records as JSON.", examples: ["customer"]),
    fields: [
      FieldSpec(
        "schema", .schemaReference, default: "none: records as they are kept", "How each record is encoded.",
        details: "Its fields must stand at places of their own, named by members alone: `$.address.city`.", row: 13,
        examples: ["schema: customer", "schema: { fields: { id: { from: $.external_id, type: integer } } }"],
        mistakes: [
          .init("schema: ↓custmer", .unknownSchema), .init("schema: ↓tagged", .sentField),
          .init("schema: { fields: { a: { from: ↓$.x, type: json }, b: { from: $.x.y, type: json } } }", .sentField),
          .init("schema: { fields: { name: { from: ↓$..name, type: json } } }", .sentField),
        ]),
      FieldSpec(
        "format", .choice(SentRecordsDeclaration.Format.allCases.map(\.rawValue)), default: "json",
        "`json`: an object, and in a batch an array; `jsonl`: a line for each record.", row: 13,
        examples: ["format: jsonl"],
        mistakes: [.init("format: ↓csv", .unknownValue), .init("format: jsonl\n↓at: $.items", .bodyForm)]),
      FieldSpec(
        "at", .jsonPath, default: "the body itself", "The member of the body that holds them.", row: 13,
        examples: ["at: $.items", "at: $.data.attributes"],
        mistakes: [.init("at: ↓items", .invalidPath), .init("at: ↓$.items[0]", .invalidPath)]),
      FieldSpec(
        "envelope", .json, default: "nothing", "What else is in the body: an object, as in `body.json`.",
        templated: true, row: 13,
        examples: ["at: $.items\nenvelope: { source: \"{{ vars.region }}\", dry_run: false }"],
        mistakes: [
          .init("at: $.items\nenvelope: ↓[1]", .wrongKind), .init("↓envelope: { a: 1 }", .bodyForm),
          .init("at: $.items\nenvelope: { a: \"{{ vars.↓regoin }}\" }", .templateUnknownVariable),
        ]),
      FieldSpec(
        "nulls", .boolean, default: "false", "Whether fields that are null are sent as null; else they are left out.",
        row: 13,
        examples: ["nulls: true"], mistakes: [.init("nulls: ↓no", .invalidBoolean)]),
    ],
    frame: sendingFrame(
      """
          each: { file: out/customers.jsonl, schema: customer, batch: 100 }
          resource:
            method: POST
            path: /customers
            body:
              records:
                ◆
      """))

  static let idempotency = Construct(
    .idempotency, noun: "'idempotency'", "A header by which the server knows a request that it has had before.",
    details: """
      Without `key` the value is a digest of the flow's name, of what the request is made for (the parent's record, the \
      batch) and of method, URL and body: the same request has the same key in every run, and a changed one has another.
      """,
    shortForm: ShortForm(
      for: "header", .name(.header), "A header's name alone: its value is computed.",
      examples: ["Idempotency-Key"]),
    fields: [
      FieldSpec(
        "header", .name(.header), default: IdempotencyDeclaration.defaultHeader, "The header's name.", row: 13,
        examples: ["header: X-Request-Id"],
        mistakes: [.init("header: ↓\"X Request\"", .invalidHeader), .init("header: ↓Host", .reservedHeader)]),
      FieldSpec(
        "key", .text, default: "computed", "The header's value.",
        details: "It must differ between items; two requests with one key are one for the server.",
        templated: true, secrets: .refused, row: 13,
        examples: ["key: \"customers-{{ parent.id }}\""],
        mistakes: [
          .init("key: \"{{ ↓customer.id }}\"", .templateUnknownRoot),
          .init("key: \"↓{{ secrets.SHOP_TOKEN }}\"", .templateSecretNotAllowed),
        ]),
    ],
    frame: sendingFrame(
      """
          each: { file: out/customers.jsonl, schema: customer }
          resource:
            method: POST
            path: /customers
            body: { records: customer }
            idempotency:
              ◆
      """))

  static let eachBatch = Construct(
    .eachBatch, noun: "a batch", "How many records one request is for, and how its answer tells what became of each.",
    shortForm: ShortForm(for: "size", .integer(1...10_000), "A number alone is the size.", examples: ["100"]),
    fields: [
      FieldSpec(
        "size", .integer(1...10_000), required: true, "The most records of one request.", row: 13,
        examples: ["size: 100"], mistakes: [.init("size: ↓0", .outOfRange)]),
      FieldSpec(
        "results", .jsonPath, default: "none: a batch passes or fails as a whole",
        "Where the answer tells what became of each record: one result for each, in their order.",
        details: """
          The answer is held in memory then, at most 32 MiB. Another number of results than of records fails the batch.
          """, row: 13,
        examples: ["size: 50\nresults: $.responses\nfailed: result.status >= 400"],
        mistakes: [
          .init("size: 50\nresults: ↓responses\nfailed: result.error", .invalidPath),
          .init("size: 50\n↓results: $.items", .eachBatch),
        ]),
      FieldSpec(
        "failed", .expression, default: "none", "Whether a record was refused, given its `result`.", secrets: .refused,
        row: 13,
        examples: ["size: 50\nresults: $.items[*]\nfailed: has(result.error)"],
        mistakes: [
          .init("size: 50\nresults: $.items\nfailed: ↓reslt.error", .templateUnknownRoot),
          .init("size: 50\n↓failed: has(result.error)", .eachBatch),
        ]),
      FieldSpec(
        "reason", .expression, default: "the result", "Why it was refused, as text.", secrets: .refused, row: 13,
        examples: ["size: 50\nresults: $.items\nfailed: has(result.error)\nreason: string(result.error.message)"],
        mistakes: [
          .init("size: 50\nresults: $.items\nfailed: has(result.error)\nreason: ↓1", .expressionType),
          .init("size: 50\n↓reason: string(result)", .eachBatch),
        ]),
    ],
    frame: sendingFrame(
      """
          resource: { method: POST, path: /customers }
          each:
            file: out/customers.jsonl
            batch:
              ◆
      """))

  private static func sendingFrame(_ flow: String) -> Frame {
    Frame(
      """
      reactor: 1
      vars: { region: eu }
      secrets: [SHOP_TOKEN]
      http: { base_url: https://api.example.com }
      schemas:
        customer: { fields: { id: integer, city: { from: $.address.city, type: string } } }
        tagged: { fields: { tag: { from: "$.tags[0]", type: string } } }
      flows:
        mirror:

      """ + flow)
  }
}
