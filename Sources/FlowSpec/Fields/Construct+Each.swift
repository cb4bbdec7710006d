extension Construct {
  /// Keys that say where the records of an `each` come from: of the whole and of a product's parts.
  enum Each {
    static let flow = FieldSpec(
      "flow", .flowReference, default: "none", "The flow whose records are taken: a name of this file, or `file.flow`.",
      details: """
        Partitions begin while the parent's answer still arrives. A parent that has failed fails its children; one that \
        is answered from its persisted result feeds them from it. Selecting a flow for a run brings its parents along.
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

    static let source = [flow, values, file, schema, name, limit]
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
          A skipped partition counts as rejected, with its parent's record and its request. With `fail` nothing is stored.
          """, row: 3,
        examples: ["on_error: fail\nflow: customers"],
        mistakes: [.init("flow: customers\non_error: ↓ignore", .unknownValue)]),
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
        each:

    """

  fileprivate static let frame = Construct.Frame(top + "      ◆")
  fileprivate static let partFrame = Construct.Frame(
    top + "      - { values: [1, 2], as: number }\n      -\n        ◆")
}
