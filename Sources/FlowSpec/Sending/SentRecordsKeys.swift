enum SentRecordsKeys {
  static let construct = Construct(
    .sentRecords, noun: "'body.records'", "Records in a request's body, each encoded with a schema.",
    details: """
      A schema encodes what it decodes: it writes the record's value of each field, also of a computed one, to the \
      location in `from`, in the format of its type (`epoch_s` and other formats of timestamps included). A record \
      that does not fit the schema is not sent: it counts as failed and goes to `rejected` with the reason.
      """, shortForm: .init(.name(.schema), "A schema's name alone: records as JSON.", examples: ["customer"]),
    fields: [schema, format, at, envelope, empty],
    frame: .flow(
      """
      each: { file: out/customers.jsonl, schema: customer, batch: 100 }
      resource:
        method: POST
        path: /customers
        body:
          records:
            ◆
      """))

  static let schema = Field(
    "schema", .encodableSchema, default: "none: records as they are stored", "How each record is encoded.",
    details: "Each field needs its own location, a path of member names alone: `$.address.city`.", edit: .asksAnew,
    examples: ["schema: customer", "schema: { fields: { id: { from: $.external_id, type: integer } } }"],
    mistakes: [
      "schema: ↓custmer": .unknownSchema, "schema: ↓tagged": .sentField,
      "schema: { fields: { a: { from: ↓$.x, type: json }, b: { from: $.x.y, type: json } } }": .sentField,
      "schema: { fields: { name: { from: ↓$..name, type: json } } }": .sentField,
    ])

  static let format = Field(
    "format", .choice(of: SentRecordsDeclaration.Format.self), default: "json",
    "`json`: an object, and in a batch an array; `jsonl`: a line for each record.", edit: .asksAnew,
    examples: ["format: jsonl"], mistakes: ["format: ↓csv": .unknownValue, "format: jsonl\n↓path: $.items": .bodyForm])

  static let at = Field(
    "path", .memberPath(example: "$.data.items"), default: "the body itself",
    "The path of the member of the body that contains the records.",
    edit: .asksAnew, examples: ["path: $.items", "path: $.data.attributes"],
    mistakes: ["path: ↓items": .invalidPath, "path: ↓$.items[0]": .invalidPath])

  static let envelope = Field(
    "json", .jsonMapping(example: "{ dry_run: false }"), default: "nothing",
    "What else is in the body: an object, as in `body.json`.", edit: .asksAnew,
    examples: ["path: $.items\njson: { source: \"{{ vars.region }}\", dry_run: false }"],
    mistakes: [
      "path: $.items\njson: ↓[1]": .wrongKind, "↓json: { a: 1 }": .bodyForm,
      "path: $.items\njson: { a: \"{{ vars.↓regoin }}\" }": .templateUnknownVariable,
    ])

  static let empty = Field(
    "empty", .choice(["leave_out", "keep"]), default: "leave_out",
    "What happens to a field that is null: `keep` sends it as null.",
    edit: .asksAnew, examples: ["empty: keep"], mistakes: ["empty: ↓true": .unknownValue])
}

enum IdempotencyKeys {
  static let construct = Construct(
    .idempotency, noun: "'idempotency'", "A header by which the server recognizes a repeated request.",
    details: """
      Without `key` the value is a digest of the flow's name, the item (the parent's record or the batch), the method, \
      the URL and the body: the same request has the same key in every run, and a changed request has another.
      """,
    shortForm: .init(
      .name(.header), "Only the name of a header; its value is computed.",
      examples: ["Idempotency-Key"]), fields: [header, key],
    frame: .flow(
      """
      each: { file: out/customers.jsonl, schema: customer }
      resource:
        method: POST
        path: /customers
        body: { records: customer }
        idempotency:
          ◆
      """))

  static let header = Field(
    "header", .idempotencyHeader, default: "\(IdempotencyDeclaration.defaultHeader)", "The header's name.",
    edit: .keepsResult, examples: ["header: X-Request-Id"],
    mistakes: ["header: ↓\"X Request\"": .invalidHeader, "header: ↓Host": .reservedHeader])

  static let key = Field(
    "key", .line, default: "computed", "The header's value.",
    details: "It must differ between items: the server treats two requests with one key as one.", secrets: .refused,
    edit: .keepsResult, examples: ["key: \"customers-{{ parent.id }}\""],
    mistakes: [
      "key: \"{{ ↓customer.id }}\"": .templateUnknownRoot,
      "key: \"↓{{ secrets.SHOP_TOKEN }}\"": .templateSecretNotAllowed,
    ])
}
