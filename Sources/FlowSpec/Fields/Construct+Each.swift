extension Construct {
  /// Keys that say where the records of an `each` come from: of the whole and of a product's parts.
  enum Each {
    static let flow = FieldSpec(
      "flow", .flowReference, default: "none", "The flow whose records are taken: a name of this file, or `file.flow`.",
      details: """
        All records of the parent's result are taken. Partitions begin while the parent's response still arrives; those \
        of a parent with `mode: merge` or `append` begin when its result is saved, and take all of it. A parent that has \
        failed fails its children; one that is answered from its persisted result feeds them from it. Selecting a flow for a run brings its parents along.
        """,
      secrets: .refused, row: 3,
      examples: ["flow: customers", "flow: shop.customers\nas: customer"],
      mistakes: [
        .init("flow: ↓custmers", .unknownFlow), .init("flow: ↓orders", .flowCycle),
        .init("flow: ↓[customers]", .wrongKind), .init("flow: customers\n↓values: [1]", .eachSource),
      ])
    static let values = FieldSpec(
      "values", .oneOrMore(.text), default: "none", "The values themselves: texts and integers, each once.",
      details: """
        Unquoted integers stay integers; everything else is the text as written. In place of the list one expression may \
        give it, such as a variable of type `list`.
        """, templated: true, secrets: .refused, row: 10,
      examples: [
        "values: [eu, us]\nas: region", "values: [2023, 2024]\nas: year",
        "values: \"{{ split(vars.region, ',') }}\"\nas: region",
      ],
      mistakes: [
        .init("values: ↓[]", .missingValue), .init("values: [eu, us, ↓eu]", .duplicateItem),
        .init("values: [eu, ↓{ a: 1 }]", .wrongKind), .init("values: ↓eu", .wrongKind),
        .init("values: \"↓{{ vars.region }}\"", .expressionType),
        .init("values: \"{{ vars.↓regions }}\"", .templateUnknownVariable),
        .init("values: ↓\"eu,{{ vars.region }}\"", .wrongKind),
      ])
    static let file = FieldSpec(
      "file", .outputPath, default: "none", "A persisted file below the output root whose records are taken.",
      details: "It is read as it is when the flow starts; a file that is not there fails the flow.",
      templated: true, secrets: .refused, row: 3,
      examples: ["file: out/customers.jsonl\nschema: customer", "file: \"out/{{ vars.region }}/customers.json\""],
      mistakes: [
        .init("file: ↓../customers.json", .invalidOutput),
        .init("file: \"out/↓{{ secrets.SHOP_TOKEN }}.json\"", .templateSecretNotAllowed),
      ])
    static let schema = FieldSpec(
      "schema", .schemaReference, default: "none: records as they stand in the file",
      "The schema that the file's records were written with.",
      details: "A CSV file needs one: it names the columns' types.", row: 3,
      examples: ["schema: customer\nfile: out/customers.csv"],
      mistakes: [
        .init("file: out/customers.csv\nschema: ↓custmer", .unknownSchema),
        .init("flow: customers\n↓schema: customer", .eachSource),
      ])
    static let name = FieldSpec(
      "as", .name(.variable), default: "parent; of values: value; of batches: batch",
      "What templates call a record or a value.",
      details: "`{{ parent.id }}` is a field of a parent's record, `{{ value }}` a value itself.",
      secrets: .refused, row: 3,
      examples: ["as: customer\nflow: customers", "as: region\nvalues: [eu, us]"],
      mistakes: [
        .init("flow: customers\nas: ↓the-customer", .invalidName), .init("flow: customers\nas: ↓vars", .invalidName),
      ])
    static let limit = FieldSpec(
      "limit", .integer(1...Int.max), default: "all", "Takes only so many of the first records.", row: 3,
      examples: ["limit: 10\nflow: customers"],
      mistakes: [.init("flow: customers\nlimit: ↓0", .outOfRange)])
    static let key = FieldSpec(
      "key", .oneOrMore(.name(.field)), default: "the key of the parent's schema; without one the request",
      "The fields that identify a parent's record, whatever its other fields hold.",
      details: """
        What is remembered of a parent (the value of a `cursor`, the record that `only: changed` compares, the records \
        that are retained when its request fails) is found again by these. Without a key the request that the parent \
        makes identifies it, and so it does where a record has no value for a field of the key. A changed `key` begins \
        anew.
        """, row: 3,
      examples: ["key: id\nflow: customers", "key: [region, number]\nfile: out/customers.jsonl"],
      mistakes: [
        .init("file: out/customers.csv\nschema: customer\nkey: ↓nme", .unknownField),
        .init("key: ↓[]\nflow: customers", .missingValue), .init("values: [eu, us]\n↓key: id", .eachSource),
      ])
    static let only = FieldSpec(
      "only", .choice(["changed"]), default: "none: every record is asked for",
      "Asks only for records that are new or changed since they were asked for.",
      details: """
        The flow remembers, by the parent's key, a digest of the record that it last asked for with success. A parent \
        that failed is asked for again. Without this key a flow asks for every record of the parent's persisted result, \
        whatever of it is new. Needs `persistence` with `mode: merge` or `append`, and a key. Of a product, combinations \
        are left out whose records of such parts have not changed. `--full-refresh` asks for all again.
        """, row: 3,
      examples: ["only: changed\nflow: customers\nkey: id"],
      mistakes: [
        .init("flow: customers\nonly: ↓new", .unknownValue), .init("flow: customers\nonly: ↓changed", .eachChanged),
        .init("values: [eu, us]\n↓only: changed", .eachSource),
      ])

    static let source = [flow, values, file, schema, name, limit, key, only]
  }

  static let each = Construct(
    .each, noun: "'each'", "One request for each record of another flow, each value of a list, or each combination.",
    details: """
      Every record or combination is a partition: its request is built from its own values, its records join the flow's \
      result in the order of the parents, whatever is answered first. A partition that fails is left out and reported, \
      unless `on_error` says otherwise; a flow whose partitions all fail has failed.
      """,
    shortForm: ShortForm(
      for: "product", .oneOrMore(.construct(.eachPart)),
      "A flow's name alone takes its records; a list combines its parts, the last of which varies fastest.",
      examples: ["customers", "[customers, { values: [open, closed], as: status }]"]),
    fields: Each.source + [
      FieldSpec(
        "product", .list(.construct(.eachPart)), default: "none",
        "Several sources whose records are combined, in order; the last varies fastest.",
        details: """
          The first part is read as a stream; the others are held in memory, at most 32 MiB together. Each part has a \
          name of its own.
          """, row: 10,
        examples: ["product: [{ flow: customers }, { values: [open, closed], as: status }]\nconcurrency: 8"],
        mistakes: [
          .init("product: [customers, ↓customers]", .duplicateItem), .init("product: ↓[]", .missingValue),
          .init("product: [customers]\n↓as: customer", .eachSource),
        ]),
      Sending.batch,
      FieldSpec(
        "concurrency", .integer(1...256), default: "\(EachDeclaration.defaultConcurrency)",
        "How many partitions are under way at once.",
        details: "The result is the same for any number; the limits on hosts hold as well.", row: 3,
        examples: ["concurrency: 8\nflow: customers"],
        mistakes: [
          .init("flow: customers\nconcurrency: ↓0", .outOfRange),
          .init("flow: customers\nconcurrency: ↓many", .invalidInteger),
        ]),
      FieldSpec(
        "on_error", .choice(EachDeclaration.FailurePolicy.allCases.map(\.rawValue)), default: "skip",
        "What a failed partition does: `skip` leaves it out and reports it, `fail` fails the flow.",
        details: """
          A skipped partition counts as rejected, with its parent's record and its request. With `mode: replace` the \
          records that an earlier run has of its parent are retained. With `fail` nothing is stored.
          """, row: 3,
        examples: ["on_error: fail\nflow: customers"],
        mistakes: [.init("flow: customers\non_error: ↓ignore", .unknownValue)]),
      FieldSpec(
        "max_failed", .countOrShare, default: "50% for requests that read; none for those that send",
        "How many partitions may fail, as a number or a share; more fail the flow.",
        details: """
          Of batches the records count. A flow that fails replaces nothing; one whose partitions all fail has failed in \
          any case. A flow that sends has no bound unless it declares one: what it has sent has happened, and its \
          responses are kept. `--retry-rejected` has no bound.
          """, row: 3,
        examples: ["max_failed: 10%\nflow: customers", "max_failed: 5\nflow: customers"],
        mistakes: [
          .init("flow: customers\nmax_failed: ↓many", .invalidInteger),
          .init("flow: customers\nmax_failed: ↓110%", .invalidInteger),
          .init("flow: customers\non_error: fail\n↓max_failed: 5", .misplacedKey),
        ]),
      FieldSpec(
        "add", .map(.field, .json), default: "none",
        "Fields that every record gets, from the parent's record or value.",
        details: """
          For flows without a schema; with one, declare a field in it. A field that a record has already is replaced. A \
          value that is nothing but one expression keeps its type.
          """, templated: true, secrets: .refused, row: 3,
        examples: ["add: { customer_id: \"{{ parent.id }}\" }\nflow: customers"],
        mistakes: [
          .init("flow: customers\nadd: ↓customer_id", .wrongKind),
          .init("flow: customers\nadd: { customer_id: \"{{ ↓customer.id }}\" }", .templateUnknownRoot),
          .init("flow: customers\nadd: { token: \"↓{{ secrets.SHOP_TOKEN }}\" }", .templateSecretNotAllowed),
        ]),
    ],
    frame: Each.frame)

  static let eachPart = Construct(
    .eachPart, noun: "a part of a product", "One source of records among those that are combined.",
    shortForm: ShortForm(
      for: "flow", .flowReference, "A flow's name alone takes its records.", examples: ["customers", "shop.customers"]),
    fields: Each.source,
    frame: Each.partFrame)
}

extension Construct.Each {
  private static let top = """
    reactor: 1
    vars: { region: eu }
    secrets: [SHOP_TOKEN]
    http: { base_url: https://api.example.com }
    schemas: { customer: { fields: { id: integer } } }
    flows:
      customers: { resource: /customers }
      orders:
        resource: /orders
        persistence: { path: out/orders.jsonl, mode: append }
        each:

    """

  fileprivate static let frame = Construct.Frame(top + "      ◆")
  fileprivate static let partFrame = Construct.Frame(
    top + "      - { values: [1, 2], as: number }\n      -\n        ◆")
}
