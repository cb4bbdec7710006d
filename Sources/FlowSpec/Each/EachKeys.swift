internal import FlowTerms
/// The keys of `each`.
enum EachKeys {
  static let construct = Construct(
    .each, noun: "'each'", "One request for each record of another flow, each value of a list, or each combination.",
    details: """
      Every record or combination is a partition: its request is built from its own values, its records join the \
      flow's result in the order of the parents, whatever is answered first. A partition that fails is left out and \
      reported, unless `on_error` says otherwise; a flow whose partitions all fail has failed.
      """,
    shortForm: .init(
      .oneOrMore(.construct(.eachPart)),
      "A flow's name alone takes its records; a list combines its parts, the last of which varies fastest.",
      examples: ["customers", "[customers, { values: [open, closed], as: status }]"]),
    fields: source + [product, batch, concurrency, onError, maxFailed, add], frame: frame)

  static let flow = Field(
    "flow", .converted(.flowReference) { EachParent.Source.flow($0) }, default: "none",
    "The flow whose records are taken: a name of this file, or `file.flow`.",
    details: """
      All records of the parent's result are taken. Partitions begin while the parent's response still arrives; those \
      of a parent with `mode: merge` or `append` begin when its result is saved, and take all of it. A parent that has \
      failed fails its children; one that is answered from its persisted result feeds them from it. Selecting a flow \
      for a run brings its parents along.
      """, secrets: .refused, edit: .asksAnew, examples: ["flow: customers", "flow: shop.customers\nas: customer"],
    mistakes: [
      "flow: ↓custmers": .unknownFlow, "flow: ↓orders": .flowCycle, "flow: ↓[customers]": .wrongKind,
      "flow: customers\n↓values: [1]": .eachSource,
    ])

  static let values = Field(
    "values", .eachValues, default: "none", "The values themselves: texts and integers, each once.",
    details: """
      Unquoted integers stay integers; everything else is the text as written. In place of the list one expression may \
      give it, such as a variable of type `list`.
      """, secrets: .refused, edit: .asksAnew,
    examples: [
      "values: [eu, us]\nas: region", "values: [2023, 2024]\nas: year",
      "values: \"{{ split(vars.region, ',') }}\"\nas: region",
    ],
    mistakes: [
      "values: ↓[]": .missingValue, "values: [eu, us, ↓eu]": .duplicateItem, "values: [eu, ↓{ a: 1 }]": .wrongKind,
      "values: ↓eu": .wrongKind, "values: \"↓{{ vars.region }}\"": .expressionType,
      "values: \"{{ vars.↓regions }}\"": .templateUnknownVariable, "values: ↓\"eu,{{ vars.region }}\"": .wrongKind,
    ])

  static let file = Field(
    "file", .outputPath, default: "none", "A persisted file below the output root whose records are taken.",
    details: "It is read as it is when the flow starts; a file that is not there fails the flow.", secrets: .refused,
    edit: .asksAnew,
    examples: ["file: out/customers.jsonl\nschema: customer", "file: \"out/{{ vars.region }}/customers.json\""],
    mistakes: [
      "file: ↓../customers.json": .invalidOutput,
      "file: \"out/↓{{ secrets.SHOP_TOKEN }}.json\"": .templateSecretNotAllowed,
    ])

  static let schema = Field(
    "schema", .schemaReference(named: "file"), default: "none: records as they stand in the file",
    "The schema that the file's records were written with.",
    details: "A CSV file needs one: it names the columns' types.", edit: .asksAnew,
    examples: ["schema: customer\nfile: out/customers.csv"],
    mistakes: [
      "file: out/customers.csv\nschema: ↓custmer": .unknownSchema, "flow: customers\n↓schema: customer": .eachSource,
    ])

  static let name = Field(
    "as", .parentName, default: "parent; of values: value; of batches: batch",
    "What templates call a record or a value.",
    details: "`{{ parent.id }}` is a field of a parent's record, `{{ value }}` a value itself.", secrets: .refused,
    edit: .asksAnew, examples: ["as: customer\nflow: customers", "as: region\nvalues: [eu, us]"],
    mistakes: ["flow: customers\nas: ↓the-customer": .invalidName, "flow: customers\nas: ↓vars": .invalidName])

  static let limit = Field(
    "limit", .integer(1...Int.max), default: "all", "Takes only so many of the first records.", edit: .asksAnew,
    examples: ["limit: 10\nflow: customers"], mistakes: ["flow: customers\nlimit: ↓0": .outOfRange])

  static let key = Field(
    "key", .whole(.oneOrMore(.name(.field))), default: "the key of the parent's schema; without one the request",
    "The fields that identify a parent's record, whatever its other fields hold.",
    details: """
      What is remembered of a parent (the value of a `cursor`, the record that `only: changed` compares, the records \
      that are retained when its request fails) is found again by these. Without a key the request that the parent \
      makes identifies it, and so it does where a record has no value for a field of the key. A changed `key` begins \
      anew.
      """, edit: .asksAnew, examples: ["key: id\nflow: customers", "key: [region, number]\nfile: out/customers.jsonl"],
    mistakes: [
      "file: out/customers.csv\nschema: customer\nkey: ↓nme": .unknownField, "key: ↓[]\nflow: customers": .missingValue,
      "values: [eu, us]\n↓key: id": .eachSource,
    ])

  static let only = Field(
    "only", .choice(["changed"]), default: "none: every record is asked for",
    "Asks only for records that are new or changed since they were asked for.",
    details: """
      The flow remembers, by the parent's key, a digest of the record that it last asked for with success. A parent \
      that failed is asked for again. Without this key a flow asks for every record of the parent's persisted result, \
      whatever of it is new. Needs `persistence` with `mode: merge` or `append`, and a key. Of a product, combinations \
      are left out whose records of such parts have not changed. `--full-refresh` asks for all again.
      """, edit: .asksAnew, examples: ["only: changed\nflow: customers\nkey: id"],
    mistakes: [
      "flow: customers\nonly: ↓new": .unknownValue, "flow: customers\nonly: ↓changed": .eachChanged,
      "values: [eu, us]\n↓only: changed": .eachSource,
    ])

  /// Keys that say where records come from: of the whole and of a product's parts.
  static let source: [any FieldSpec] = [flow, values, file, schema, name, limit, key, only]

  static let product = Field(
    "product", .whole(.list(.construct(.eachPart))), default: "none",
    "Several sources whose records are combined, in order; the last varies fastest.",
    details: """
      The first part is read as a stream; the others are held in memory, at most 32 MiB together. Each part has a name \
      of its own.
      """, edit: .asksAnew,
    examples: ["product: [{ flow: customers }, { values: [open, closed], as: status }]\nconcurrency: 8"],
    mistakes: [
      "product: [customers, ↓customers]": .duplicateItem, "product: ↓[]": .missingValue,
      "product: [customers]\n↓as: customer": .eachSource,
    ])

  static let concurrency = Field(
    "concurrency", .integer(1...256), default: "\(EachDeclaration.defaultConcurrency)",
    "How many partitions are under way at once.",
    details: "The result is the same for any number; the limits on hosts hold as well.", edit: .keepsResult,
    examples: ["concurrency: 8\nflow: customers"],
    mistakes: ["flow: customers\nconcurrency: ↓0": .outOfRange, "flow: customers\nconcurrency: ↓many": .invalidInteger])

  static let onError = Field(
    "on_error", .choice(of: EachDeclaration.FailurePolicy.self), default: "skip",
    "What a failed partition does: `skip` leaves it out and reports it, `fail` fails the flow.",
    details: """
      A skipped partition counts as rejected, with its parent's record and its request. With `mode: replace` the \
      records that an earlier run has of its parent are retained. With `fail` nothing is stored.
      """, edit: .asksAnewWithoutCursor, examples: ["on_error: fail\nflow: customers"],
    mistakes: ["flow: customers\non_error: ↓ignore": .unknownValue])

  static let maxFailed = Field(
    "max_failed", .countOrShare, default: "50% for requests that read; none for those that send",
    "How many partitions may fail, as a number or a share; more fail the flow.",
    details: """
      Of batches the records count. A flow that fails replaces nothing; one whose partitions all fail has failed in \
      any case. A flow that sends has no bound unless it declares one: what it has sent has happened, and its \
      responses are kept. `--retry-rejected` has no bound.
      """, edit: .keepsResult, examples: ["max_failed: 10%\nflow: customers", "max_failed: 5\nflow: customers"],
    mistakes: [
      "flow: customers\nmax_failed: ↓many": .invalidInteger, "flow: customers\nmax_failed: ↓110%": .invalidInteger,
      "flow: customers\non_error: fail\n↓max_failed: 5": .misplacedKey,
    ])

  static let add = Field(
    "add", .namedJSON, default: "none", "Fields that every record gets, from the parent's record or value.",
    details: """
      For flows without a schema; with one, declare a field in it. A field that a record has already is replaced. A \
      value that is nothing but one expression keeps its type.
      """, secrets: .refused, edit: .asksAnew, examples: ["add: { customer_id: \"{{ parent.id }}\" }\nflow: customers"],
    mistakes: [
      "flow: customers\nadd: ↓customer_id": .wrongKind,
      "flow: customers\nadd: { customer_id: \"{{ ↓customer.id }}\" }": .templateUnknownRoot,
      "flow: customers\nadd: { token: \"↓{{ secrets.SHOP_TOKEN }}\" }": .templateSecretNotAllowed,
    ])

  static let batch = Field(
    "batch", .construct(.eachBatch) { $0.batch($1) }, default: "none: one request for each",
    "One request for several of the records: so many at most, or a mapping with the size.",
    details: """
      Templates find them as a list, which is called `batch` unless `as` gives another name. Only with a single \
      source, and not with a cursor.
      """, edit: .byItsKeys,
    examples: [
      "batch: 100\nflow: customers",
      "batch: { size: 50, results: $.responses, failed: result.status >= 400 }\nfile: out/customers.jsonl",
    ],
    mistakes: [
      "flow: customers\nbatch: ↓0": .outOfRange, "flow: customers\nbatch: ↓all": .invalidInteger,
      "product: [customers]\n↓batch: 10": .eachBatch,
    ])
}

extension EachKeys {
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

/// The keys of a part of a product.
enum EachPartKeys {
  static let construct = Construct(
    .eachPart, noun: "a part of a product", "One source of records among those that are combined.",
    shortForm: .init(
      .flowReference, "A flow's name alone takes its records.", examples: ["customers", "shop.customers"]),
    fields: EachKeys.source, frame: EachKeys.partFrame)
}
