internal import FlowModel

enum EachKeys {
  static let construct = Construct(
    .each, noun: "'each'", "One request for each record of another flow, each value of a list, or each combination.",
    details: """
      Every record or combination is a partition with its own request. The records of all partitions form the flow's \
      result, in the order of the parents. A failed partition is left out and reported, unless `on_error: fail` is \
      set. A flow fails if all of its partitions fail.
      """,
    shortForm: .init(
      .oneOrMore(.construct(.eachPart)),
      "A flow's name alone means its records. A list combines its parts; the last part varies fastest.",
      examples: ["customers", "[customers, { values: [open, closed], as: status }]"]),
    fields: source + [product, batch, concurrency, onError, maxFailed, empty, add], frame: frame("◆"))

  static let flow = Field(
    "flow", .converted(.flowReference) { EachSource.flow($0) }, default: "none",
    "The flow whose records are used: a name of this file, or `file.flow`.",
    details: """
      All records of the parent's result are used. Partitions start while the parent's response is still arriving. If \
      the parent has `mode: merge` or `append`, they start when its result is saved, and use all of it. A failed \
      parent fails its child flows. A parent with a fresh persisted result passes on the records of that result. If a \
      flow is selected for a run, its parents run too.
      """, secrets: .refused, edit: .asksAnew, examples: ["flow: customers", "flow: shop.customers\nas: customer"],
    mistakes: [
      "flow: ↓custmers": .unknownFlow, "flow: ↓orders": .flowCycle, "flow: ↓[customers]": .wrongKind,
      "flow: customers\n↓values: [1]": .eachSource,
    ])

  static let values = Field(
    "values", .eachValues, default: "none", "The values themselves: texts and integers, without duplicates.",
    details: """
      Unquoted integers stay integers; everything else is the text as written. One expression can give the list, such \
      as a variable of type `list`.
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
    "file", .outputPath, default: "none", "A persisted file below the output root whose records are used.",
    details: "It is read when the flow starts; a missing file fails the flow.", secrets: .refused,
    edit: .asksAnew,
    examples: ["file: out/customers.jsonl\nschema: customer", "file: \"out/{{ vars.region }}/customers.json\""],
    mistakes: [
      "file: ↓../customers.json": .invalidOutput,
      "file: \"out/↓{{ secrets.SHOP_TOKEN }}.json\"": .templateSecretNotAllowed,
    ])

  static let store = Field(
    "store", .storeReference, default: "none", "The database of `table` or `query`: a name in the file's `stores`.",
    edit: .asksAnew, examples: ["store: shop\ntable: customers"],
    mistakes: ["store: ↓shopp\ntable: customers": .unknownStore, "flow: customers\n↓store: shop": .eachSource])

  static let table = Field(
    "table", .filledLine, default: "none", "A table or view of `store` whose rows are used.",
    details: """
      It is read when the flow starts; a missing table fails the flow. If reactor loaded the table, its fields have \
      the values that were persisted; of any other table or view, all columns are used. With `key` the rows are sorted \
      by it.
      """, secrets: .refused, edit: .asksAnew,
    examples: ["table: customers\nstore: shop", "table: \"customers_{{ vars.region }}\"\nstore: shop\nkey: id"],
    mistakes: [
      "↓table: customers": .missingKey, "store: shop\ntable: ↓\"\"": .missingValue,
      "table: customers\n↓query: select 1\nstore: shop": .eachSource,
    ])

  static let query = Field(
    "query", .sqlQuery, default: "none", "A query of `store` whose rows are used. It cannot change anything.",
    details: """
      One statement, in the database's own language; it runs in a read-only transaction when the flow starts. A template \
      stands for a value: it becomes a quoted text, so write no quotes around it.
      """, secrets: .refused, edit: .asksAnew,
    examples: [
      "query: select id, name from customers where active\nstore: shop",
      "query: \"select id from customers where region = {{ vars.region }}\"\nstore: shop",
    ],
    mistakes: [
      "store: shop\nquery: ↓\"\"": .missingValue,
      "store: shop\nquery: ↓\"select '{{ vars.region }}'\"": .invalidTable,
    ])

  static let schema = Field(
    "schema", .schemaReference(named: "file"), default: "none: records as they are in the file",
    "The schema that the file's records were written with.",
    details: "A CSV file needs one: it names the columns' types.", edit: .asksAnew,
    examples: ["schema: customer\nfile: out/customers.csv"],
    mistakes: [
      "file: out/customers.csv\nschema: ↓custmer": .unknownSchema, "flow: customers\n↓schema: customer": .eachSource,
    ])

  static let union = Field(
    "union", .whole(.list(.construct(.eachUnion))), default: "none",
    "Several sources whose records are used one after the other.",
    details: """
      All parts give the same kind of records: templates use the fields that all of them have, and other fields may be \
      missing. With `key`, only the first of several records with equal values of its fields is used; a record \
      without a value for its key is always used. Values need a `key`, because the key is the name of their only field.
      """, edit: .asksAnew,
    examples: [
      "union: [customers, { file: out/old-customers.jsonl }]\nkey: id",
      "union: [{ values: [7, 9] }, customers]\nkey: id\nas: customer",
    ],
    mistakes: [
      "union: [customers, ↓{ values: [1] }]": .eachSource, "key: id\nunion: ↓[]": .missingValue,
      "key: id\nunion: ↓customers": .wrongKind,
      "key: id\nunion: [customers, ↓customers]": .duplicateItem, "key: id\nunion: [↓{}]": .eachSource,
      "key: id\nunion: [customers]\n↓values: [1]": .eachSource, "key: [a, b]\nunion: [↓{ values: [1] }]": .eachSource,
      "key: id\nunion: [customers]\n↓only: { id: \"split(vars.region, ',')\" }": .eachSource,
    ])

  static let name = Field(
    "as", .parentName, default: "parent; of values: value; of batches: batch",
    "The name of a record or a value in templates.",
    details: "`{{ parent.id }}` is a field of a parent's record, `{{ value }}` a value itself.", secrets: .refused,
    edit: .asksAnew, examples: ["as: customer\nflow: customers", "as: region\nvalues: [eu, us]"],
    mistakes: ["flow: customers\nas: ↓the-customer": .invalidName, "flow: customers\nas: ↓vars": .invalidName])

  static let limit = Field(
    "max", .integer(1...Int.max), default: "all",
    "The maximum number of records, counted from the first.", edit: .asksAnew,
    examples: ["max: 10\nflow: customers"], mistakes: ["flow: customers\nmax: ↓0": .outOfRange])

  static let key = Field(
    "key", .whole(.oneOrMore(.name(.field))), default: "the key of the parent's schema; without one the request",
    "The fields that identify a parent's record.",
    details: """
      They identify what is persisted for a parent: the value of a `cursor`, the record that `only: changed` compares, \
      and the records that stay when its request fails. Without a key, or if a record has no value for a field of the \
      key, the parent's request identifies it. After a change of `key`, the flow starts from the beginning.
      """, edit: .asksAnew, examples: ["key: id\nflow: customers", "key: [region, number]\nfile: out/customers.jsonl"],
    mistakes: [
      "file: out/customers.csv\nschema: customer\nkey: ↓nme": .unknownField, "key: ↓[]\nflow: customers": .missingValue,
      "values: [eu, us]\n↓key: id": .eachSource,
    ])

  static let only = Field(
    "only", .eachOnly, default: "none: every record is requested",
    "For which records requests are sent: those that are new or have `changed`, or those of a list.",
    details: """
      `changed`: the flow persists, by the parent's key, a digest of the record of the last successful request. A \
      failed parent is requested again. Without `only`, a flow sends a request for every record of the parent's \
      persisted result. Needs `persistence` with `mode: merge` or `append`, and a key. In a product, a combination is \
      left out if no record of its parts with `only: changed` has changed. `--fresh=everything` requests all again.

      A list is written as the name of a field and an expression, such as a variable. If the list is not empty, each \
      of its texts or integers becomes a record with this one field. The flow, file or table is then not read, and a \
      parent flow does not run for this flow. Other fields of the source's records may be missing in templates. An \
      empty list has no effect.
      """, secrets: .refused, edit: .asksAnew,
    examples: [
      "only: changed\nflow: customers\nkey: id",
      "only: { id: \"split(vars.region, ',')\" }\nflow: customers\nas: customer",
      "only: { name: \"{{ split(vars.region, ',') }}\" }\nfile: out/customers.jsonl",
    ],
    mistakes: [
      "flow: customers\nonly: ↓new": .unknownValue, "flow: customers\nonly: ↓changed": .eachChanged,
      "values: [eu, us]\n↓only: changed": .eachSource, "flow: customers\nonly: ↓{}": .missingValue,
      "flow: customers\nonly: { id: \"split(vars.region, ',')\", ↓name: vars.region }": .contradiction,
      "flow: customers\nonly: { id: ↓vars.region }": .expressionType,
      "flow: customers\nonly: { id: vars.↓regions }": .templateUnknownVariable,
      "values: [eu, us]\n↓only: { id: \"split(vars.region, ',')\" }": .eachSource,
    ])

  /// The keys that describe a source of records, in an `each` or in a part of a `product`.
  static let source: [any FieldSpec] = [
    flow, values, file, schema, store, table, query, union, name, limit, key, only,
  ]

  static let product = Field(
    "product", .whole(.list(.construct(.eachPart))), default: "none",
    "Several sources whose records are combined, in order. The last one varies fastest.",
    details: """
      The first part is read as a stream. The others are kept in memory, at most 32 MiB together. Each part needs its \
      own name.
      """, edit: .asksAnew,
    examples: ["product: [{ flow: customers }, { values: [open, closed], as: status }]\nconcurrency: 8"],
    mistakes: [
      "product: [customers, ↓customers]": .duplicateItem, "product: ↓[]": .missingValue,
      "product: [customers]\n↓as: customer": .eachSource,
    ])

  static let concurrency = Field(
    "concurrency", .integer(1...256), default: "4",
    "The maximum number of partitions that are requested at once.",
    details: "The result is the same for any number. The limits on hosts apply too.", edit: .keepsResult,
    examples: ["concurrency: 8\nflow: customers"],
    mistakes: ["flow: customers\nconcurrency: ↓0": .outOfRange, "flow: customers\nconcurrency: ↓many": .invalidInteger])

  static let onError = Field(
    "on_error", .choice(["skip", "fail"]), default: "skip",
    "The effect of a failed partition: `skip` leaves it out and reports it, `fail` fails the flow.",
    details: """
      A skipped partition counts as rejected, with its parent's record and its request. With `mode: replace` its \
      parent's records of an earlier run stay. With `fail` nothing is stored.
      """, edit: .asksAnewWithoutCursor, examples: ["on_error: fail\nflow: customers"],
    mistakes: ["flow: customers\non_error: ↓ignore": .unknownValue])

  static let maxFailed = Field(
    "max_rejected", .countOrShare, default: "50% for requests that read; no limit for requests that send",
    "How many partitions may fail, as a number or a share. More of them fail the flow.",
    details: """
      With `batch`, records are counted. A failed flow replaces nothing, and a flow whose partitions all fail always \
      fails. A flow that sends records has no limit unless it declares one: sent requests cannot be undone, and their \
      responses are stored. `--fresh=rejected` has no limit.
      """, edit: .keepsResult, examples: ["max_rejected: 10%\nflow: customers", "max_rejected: 5\nflow: customers"],
    mistakes: [
      "flow: customers\nmax_rejected: ↓many": .invalidInteger, "flow: customers\nmax_rejected: ↓110%": .invalidInteger,
      "flow: customers\non_error: fail\n↓max_rejected: 5": .misplacedKey,
    ])

  static let empty = Field(
    "empty", .choice(["leave_out", "keep"]), default: "leave_out: it has no record in the result",
    "What happens to a parent whose response has no records: `leave_out` or `keep`.",
    details: """
      With `keep` it has one record, whose fields come only from the parent: from `add`, or from expressions of the \
      schema. All other fields are missing, so the schema must allow that (`optional: true` or a `default`). `where` \
      does not apply. Not with `batch` or a cursor.
      """, edit: .asksAnew, examples: ["empty: keep\nflow: customers\nadd: { customer_id: \"{{ parent.id }}\" }"],
    mistakes: [
      "flow: customers\nempty: ↓drop": .unknownValue,
      "flow: customers\nbatch: 10\n↓empty: keep": .contradiction,
    ])

  static let add = Field(
    "add", .namedJSON, default: "none", "Fields added to every record, from the parent's record or value.",
    details: """
      For flows without a schema; with one, declare a field in it. An existing field is replaced. A value that is \
      exactly one expression keeps its type.
      """, secrets: .refused, edit: .asksAnew, examples: ["add: { customer_id: \"{{ parent.id }}\" }\nflow: customers"],
    mistakes: [
      "flow: customers\nadd: ↓customer_id": .wrongKind,
      "flow: customers\nadd: { customer_id: \"{{ ↓customer.id }}\" }": .templateUnknownRoot,
      "flow: customers\nadd: { token: \"↓{{ secrets.SHOP_TOKEN }}\" }": .templateSecretNotAllowed,
    ])

  static let batch = Field(
    "batch", .construct(.eachBatch) { $0.batch($1) }, default: "none: one request for each record",
    "One request for several records: the maximum number, or a mapping with the size.",
    details: """
      In templates the records are a list with the name `batch`, or the name in `as`. Only with a single source, and \
      not with a cursor.
      """, edit: .byItsKeys,
    examples: [
      "batch: 100\nflow: customers",
      "batch: { size: 50, records: $.responses, failed: result.status >= 400 }\nfile: out/customers.jsonl",
    ],
    mistakes: [
      "flow: customers\nbatch: ↓0": .outOfRange, "flow: customers\nbatch: ↓all": .invalidInteger,
      "product: [customers]\n↓batch: 10": .eachBatch,
    ])
}

extension EachKeys {
  static func frame(_ each: String) -> Construct.Frame {
    .file(
      """
      customers: { resource: /customers }
      orders:
        resource: /orders
        persistence: { path: out/orders.jsonl, mode: append }
        each:

      """ + Construct.Frame.indented(each, by: 4))
  }
}

enum EachPartKeys {
  static let construct = Construct(
    .eachPart, noun: "a part of a product", "One of the combined sources of records.",
    shortForm: .init(
      .flowReference, "A flow's name alone means its records.", examples: ["customers", "shop.customers"]),
    fields: EachKeys.source, frame: EachKeys.frame("- { values: [1, 2], as: number }\n-\n  ◆"))
}
