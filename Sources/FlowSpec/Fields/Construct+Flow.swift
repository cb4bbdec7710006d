extension Construct {
  /// Keys of a flow that may also stand in `defaults`.
  enum Flow {
    static let tags = FieldSpec(
      "tags", .list(.name(.tag)), default: "none", "Labels by which a run selects flows.",
      details: "A flow's own tags replace those of `defaults`.", secrets: .refused,
      examples: ["tags: [shop, daily]"],
      mistakes: [
        .init("tags: ↓daily", .wrongKind), .init("tags: [shop, ↓shop]", .duplicateItem),
        .init("tags: [\"↓{{ secrets.SHOP_TOKEN }}\"]", .templateSecretNotAllowed),
      ])
    static let prune = FieldSpec(
      "prune", .boolean, default: "true",
      "Whether bad records are dropped and reported (true) or fail the flow (false).",
      details: "An answer in which every record is bad fails the flow in both cases, and nothing is stored.",
      examples: ["prune: false"], mistakes: [.init("prune: ↓no", .invalidBoolean)])
    static let reachability = FieldSpec(
      "reachability", .boolean, default: "true", "Whether the host is probed before the request.",
      details: "An unreachable host fails the flow at once, without waiting for the request's timeout.",
      examples: ["reachability: false"], mistakes: [.init("reachability: ↓off", .invalidBoolean)])
    static let wait = FieldSpec(
      "wait", .boolean, default: "true", "Whether the flow ends only when its result is saved.",
      details: "With false the result is saved behind the flow's end; the run still waits for it and reports failures.",
      examples: ["wait: false"], mistakes: [.init("wait: ↓True", .invalidBoolean)])
  }

  static let flow = Construct(
    .flow, noun: "a flow", "One request, the records in its answer, and where they are kept.",
    details: """
      A flow takes its persisted result while that is fresh; otherwise it probes the host, asks the server, maps the \
      records, saves them and reports.
      """,
    fields: [
      FieldSpec(
        "description", .text, "What the flow is for.", secrets: .refused,
        examples: ["description: Everyone who ever ordered"],
        mistakes: [
          .init("description: \"for ↓{{ secrets.SHOP_TOKEN }}\"", .templateSecretNotAllowed),
          .init("description: \"for ↓{{ vars.region }}\"", .templateNotAllowed),
        ]),
      Flow.tags,
      FieldSpec(
        "resource", .construct(.resource), required: true, "What is asked of the server.",
        examples: ["resource: /customers", "resource: { path: /customers, query: { limit: 100 } }"],
        mistakes: [.init("↓resorce: /customers\nresource: /customers", .unknownKey)]),
      FieldSpec(
        "each", .construct(.each), default: "none: one request",
        "Asks once for each record of another flow, each value of a list, or each combination.", row: 3,
        examples: [
          "each: regions", "each: { flow: regions, as: region, concurrency: 8 }",
          "each: [regions, { values: [open, closed], as: status }]",
        ],
        mistakes: [
          .init("each: ↓region", .unknownFlow), .init("each: ↓customers", .flowCycle),
          .init("each: { ↓flows: regions, as: region }", .unknownKey), .init("↓each: { as: region }", .eachSource),
        ]),
      FieldSpec(
        "records", .jsonPath, default: "the whole answer",
        "Where the records are in the answer: a JSONPath (RFC 9535).",
        details: """
          An array that a plain path points to (`$.data` or `$.data[*]`) gives its elements, an object at `$.data` is one \
          record, and `null` means that there are none. Such paths are read as a \
          stream, whatever the size of the answer. A path that finds nothing in an answer that is not empty is an error. \
          So is an empty answer, unless its status is 204 or 205, or something was sent (POST, PUT, PATCH, DELETE) and \
          neither `records` nor `schema` say what comes back: then there are no records. \
          Other paths, with `..`, filters or wildcards in the middle, hold the answer in memory, at most 32 MiB. In quotes \
          of the path a variable may be part of a name: `$.data['{{ vars.region }}']`.
          """, templated: true, secrets: .refused,
        examples: ["records: $.data[*]", "records: $[*]", "records: \"$.data['{{ vars.region }}'][*]\""],
        mistakes: [
          .init("records: ↓data", .invalidPath), .init("records: $.data[↓x]", .invalidPath),
          .init("records: ↓\"$.data['{{ vars.region }}'[*]\"", .invalidPath),
        ]),
      FieldSpec(
        "reshape", .construct(.reshape), default: "none", "A jq program for answers that a path cannot reach.",
        details: "It gets the whole answer, or with `{ each: … }` one record after the other.", secrets: .refused,
        row: 16,
        examples: [
          "reshape: \".groups[].members[]\"", "reshape: { each: \".id as $id | .lines[] | {order: $id, sku}\" }",
        ],
        mistakes: [
          .init("reshape: \".groups[↓\"", .invalidProgram), .init("reshape: { ↓eech: . }", .unknownKey),
        ]),
      FieldSpec(
        "change", .construct(.change), default: "nothing", "What is changed in each record before it is mapped.",
        row: 7,
        examples: ["change: { flatten: true, remove: [$.internal] }"],
        mistakes: [.init("change: ↓flatten", .wrongKind), .init("change: { ↓drop: [$.internal] }", .unknownKey)]),
      FieldSpec(
        "schema", .schemaReference, default: "none: records are kept as they came",
        "How records are mapped: a schema's name, or a schema written here.",
        examples: ["schema: customer", "schema: { fields: { id: integer, name: string } }"],
        mistakes: [.init("schema: ↓custmer", .unknownSchema), .init("schema: ↓[customer]", .wrongKind)]),
      FieldSpec(
        "where", .expression, default: "every record", "What a record must satisfy to be kept: an expression.",
        details: """
          `record` is the record as the schema has made it, `source` the record as it came; without a schema both are \
          known only when they come. Records that are left out are neither kept nor rejected, and `expect.total` and \
          pages count them. An expression that uses `source` alone is asked before the record is mapped, so that what is \
          left out need not fit the schema.
          """, secrets: .refused, row: 18,
        examples: [
          "where: source.status == 'active'",
          "schema: { fields: { id: integer, city: { type: string, optional: true } } }\nwhere: coalesce(record.city, '') != ''",
        ],
        mistakes: [
          .init("where: ↓recrd.id > 1", .templateUnknownRoot), .init("where: record.id >↓", .expressionSyntax),
          .init("schema: customer\nwhere: record.↓idd > 1", .expressionName),
          .init("schema: customer\nwhere: ↓record.id", .expressionType),
          .init("schema: customer\nwhere: \"{{ record.id ↓}} > 1\"", .expressionSyntax),
        ]),
      Flow.prune, Flow.reachability, Flow.wait,
      FieldSpec(
        "persistence", .construct(.persistence), default: "disabled", "Where the result is kept, and for how long.",
        examples: ["persistence: out/customers.jsonl", "persistence: disabled"],
        mistakes: [.init("persistence: ↓disable", .invalidOutput), .init("persistence: ↓false", .invalidOutput)]),
      FieldSpec(
        "conditional", .boolean, default: "true",
        "Whether the server is only asked for changes when the persisted result has expired.",
        details: """
          Holds for GET requests of one page whose result is persisted with `mode: replace` or `merge`: the answer's ETag \
          and Last-Modified are kept with the result and sent back as If-None-Match and If-Modified-Since. When the server \
          then answers 304, the result counts as new and its file is not touched. A result of another request, of other \
          credentials or of another schema is never asked for in this way, and neither is one that was changed.
          """, row: 7,
        examples: ["conditional: false"], mistakes: [.init("conditional: ↓no", .invalidBoolean)]),
      FieldSpec(
        "rejected", .outputPath, default: "they are only reported",
        "The file for records that do not fit: a JSON Lines file below the output root.",
        details: """
          Each line tells flow, page, place, pointer, rule, reason, request and the record as it came. The file \
          belongs to the last response that was judged, whether the flow passed or not; without rejected records it is \
          empty. Where a flow asks only for what is new (`cursor`, `only: changed`), records stay in it until they were \
          delivered, and `--retry-rejected` asks for them again. No two flows may write the same file.
          """, templated: true, secrets: .refused,
        examples: ["rejected: out/customers.rejected.jsonl"],
        mistakes: [
          .init("rejected: ↓out/customers.rejected.json", .invalidOutput),
          .init("rejected: ↓../rejected.jsonl", .invalidOutput), .init("rejected: ↓true", .invalidOutput),
        ]),
      FieldSpec(
        "pages", .construct(.pages), default: "one page, of an answer that tells of no other",
        "How an answer in several pages is asked for to its end.", row: 2,
        examples: ["pages: { by: page, query: page }", "pages: link", "pages: none"],
        mistakes: [.init("pages: ↓page", .wrongKind), .init("↓page: { by: link }", .unknownKey)]),
      FieldSpec(
        "cursor", .construct(.cursor), default: "none: everything is asked for each time",
        "How only what is new is asked for.", row: 4,
        examples: [
          """
          schema: { key: id, fields: { id: integer, updated_at: timestamp } }
          persistence: { path: out/customers.jsonl, mode: merge }
          cursor: { field: updated_at, query: updated_since }
          """
        ],
        mistakes: [.init("cursor: ↓updated_at", .wrongKind), .init("↓cursr: { field: updated_at }", .unknownKey)]),
      FieldSpec(
        "deadline", .duration(0.001...3_153_600_000),
        default: "time for every try and wait; 1h for flows of several requests",
        "The longest the whole flow may take, its waits included.", row: 2,
        examples: ["deadline: 4h"], mistakes: [.init("deadline: ↓tomorrow", .invalidDuration)]),
      Flow.retry, Flow.errors,
      FieldSpec(
        "expect", .construct(.expect), default: "a status of 200–299", "What the result must satisfy.",
        examples: ["expect: { min: 1 }"], mistakes: [.init("expect: ↓1", .wrongKind)]),
      Auth.key,
      FieldSpec(
        "fixture", .construct(.fixture), default: "nothing masked, the usual match",
        "How the flow's recordings and goldens are compared.",
        details: "See `reactor record` and `reactor test`.",
        examples: ["fixture: { mask: { $.updated_at: any(timestamp) } }"],
        mistakes: [.init("fixture: ↓none", .wrongKind), .init("↓fixtures: { max_age: 30d }", .unknownKey)]),
      FieldSpec(
        "http", .construct(.http), default: "the file's", "How this flow's server is reached, where it differs.",
        examples: ["http: { timeout: 5m, max_bytes: 4GiB }"],
        mistakes: [.init("↓timeout: 5m", .unknownKey)]),
    ],
    later: [
      LaterKey("stop", row: 17, "stopping at a known record"),
      LaterKey("decode", row: 22, "answers in CSV, XML and other formats"),
      LaterKey("dedupe", row: 26, "dropping records that came before"),
    ],
    frame: Frame(
      """
      reactor: 1
      vars: { region: eu }
      secrets: [SHOP_TOKEN]
      http: { base_url: https://api.example.com }
      schemas: { customer: { fields: { id: integer } } }
      flows:
        regions: { resource: /regions }
        customers:
          ◆
      """, supplies: ["resource: /customers"]))
}
