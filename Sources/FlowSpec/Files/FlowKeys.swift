enum FlowKeys {
  static let construct = Construct(
    .flow, noun: "a flow", "One request, the records in its response, and where they are persisted.",
    details: """
      A flow uses its persisted result while that is fresh. Otherwise it probes the host, sends the request, maps the \
      records, saves them and reports.
      """,
    fields: [
      description, tags, items, when, resource, each, fieldGroups, decode, records, reshape, change, schema, condition,
      prune,
      reachability, wait,
      persistence, conditional, rejected, job, download, pages, cursor, firstRun, deadline, retry, errors, expect,
      HTTPKeys.auth,
      fixture,
      http,
    ],
    later: [
      .init("stop", "stopping at a known record", instead: "write 'order: descending' in 'cursor'"),
      .init("dedupe", "dropping records that were received before"),
    ],
    frame: .flow("◆", supplies: ["resource: /customers"]))

  static let errors = Field(
    "errors", .errorRules, default: "none", "How responses that are errors are handled.",
    details: """
      The first rule that applies is used. If none applies, `retry` and `expect.status` decide. A flow's own rules \
      replace those of `defaults`.
      """, edit: .byItsKeys,
    examples: [
      "errors: [{ when: status == 404, do: skip }]",
      "errors:\n  - { when: \"status == 403 && headers['x-ratelimit-remaining'] == '0'\", do: wait }\n"
        + "  - { when: \"response.error.code == 'BUSY'\", do: retry }\n"
        + "  - { when: status >= 500, do: fail, message: \"the shop is down ({{ status }})\" }",
    ],
    mistakes: [
      "errors: ↓{ when: status == 404, do: skip }": .wrongKind, "errors: ↓[]": .missingValue,
      "errors: [{ when: status == 404, do: skip, ↓then: stop }]": .unknownKey,
    ])

  static let tags = Field(
    "tags", .names(.tag), default: "none", "Labels by which a run selects flows.",
    details: "A flow's own tags replace those of `defaults`.", secrets: .refused, edit: .keepsResult,
    examples: ["tags: [shop, daily]"],
    mistakes: [
      "tags: ↓daily": .wrongKind, "tags: [shop, ↓shop]": .duplicateItem,
      "tags: [\"↓{{ secrets.SHOP_TOKEN }}\"]": .templateSecretNotAllowed,
    ])

  static let items = Field(
    "for", .whole(.construct(.flowFor)), default: "none: one flow",
    "Makes one flow for each item of a list or of a file.", secrets: .refused, edit: .whereUsed,
    examples: [
      "for: { values: [contacts, deals], as: object }", "for: { file: objects.jsonl, vars: { object: $.name } }",
    ],
    mistakes: ["for: ↓[contacts, deals]": .wrongKind, "for: { ↓value: [a], as: object }": .unknownKey])

  static let when = Field(
    "when", .condition, default: "always", "Whether the flow runs: a condition on variables, before the run.",
    details: """
      A flow whose condition is false is not part of the run, and neither are its child flows; the run names them. Its \
      persisted result stays. `reactor list` and `reactor explain` show the flow all the same.
      """, secrets: .refused, edit: .keepsResult, examples: ["when: vars.region == 'eu'", "when: vars.page_size > 10"],
    mistakes: [
      "when: ↓vars.region": .expressionType, "when: vars.↓area == 'eu'": .templateUnknownVariable,
      "when: ↓cursor.start == ''": .templateUnknownRoot, "when: ↓secrets.SHOP_TOKEN != ''": .templateSecretNotAllowed,
    ])

  static let prune = Field(
    "prune", .boolean, default: "true", "Whether bad records are dropped and reported (true) or fail the flow (false).",
    details: "A response with only bad records fails the flow in both cases, and nothing is stored.",
    edit: .asksAnew, examples: ["prune: false"], mistakes: ["prune: ↓no": .invalidBoolean])

  static let reachability = Field(
    "reachability", .boolean, default: "true", "Whether the host is probed before the request.",
    details: "An unreachable host fails the flow at once, without waiting for the request's timeout.",
    edit: .keepsResult, examples: ["reachability: false"], mistakes: ["reachability: ↓off": .invalidBoolean])

  static let wait = Field(
    "wait", .boolean, default: "true", "Whether the flow ends only when its result is saved.",
    details: "With false the result is saved after the flow ends. The run still waits for it and reports failures.",
    edit: .keepsResult, examples: ["wait: false"], mistakes: ["wait: ↓True": .invalidBoolean])

  static let description = Field(
    "description", .freeText, "What the flow is for.", secrets: .refused, edit: .keepsResult,
    examples: ["description: Everyone who ever ordered"],
    mistakes: [
      "description: \"for ↓{{ secrets.SHOP_TOKEN }}\"": .templateSecretNotAllowed,
      "description: \"for ↓{{ vars.region }}\"": .templateNotAllowed,
    ])

  static let resource = Field(
    "resource", .construct(.resource) { $0.resource($1) }, default: .required, "The request to the server.",
    edit: .byItsKeys, examples: ["resource: /customers", "resource: { path: /customers, query: { limit: 100 } }"],
    mistakes: ["↓resorce: /customers\nresource: /customers": .unknownKey])

  static let each = Field(
    "each", .construct(.each) { $0.each($1) }, default: "none: one request",
    "Sends one request for each record of another flow, each value of a list, or each combination.", edit: .byItsKeys,
    examples: [
      "each: regions", "each: { flow: regions, as: region, concurrency: 8 }",
      "each: [regions, { values: [open, closed], as: status }]",
    ],
    mistakes: [
      "each: ↓region": .unknownFlow, "each: ↓customers": .flowCycle,
      "each: { ↓flows: regions, as: region }": .unknownKey, "↓each: { as: region }": .eachSource,
    ])

  static let fieldGroups = Field(
    "field_groups", .whole(.construct(.fieldGroups)), default: "none: one request for each page",
    "Sends the request of each page once for each group of fields, and joins the records of the responses.",
    secrets: .refused, edit: .byItsKeys,
    examples: [
      """
      resource: { path: /ads, query: { fields: "{{ join(field_group, ',') }}" } }
      field_groups: { names: [id, clicks, likes, shares], always: id, max: 2, by: $.id }
      """
    ],
    mistakes: [
      "field_groups: ↓20": .wrongKind,
      "↓field_groups: { names: [id, name], max: 1, by: $.id }": .fieldGroups,
      "resource: { path: /ads, query: { fields: \"{{ join(field_group, ',') }}\" } }\n"
        + "↓field_groups: { names: [id, name], by: $.id }": .fieldGroups,
    ])

  static let records = Field(
    "records", .recordsPath, default: "the whole response",
    "Where the records are in the response: a JSONPath (RFC 9535).",
    details: """
      An array that a plain path points to (`$.data` or `$.data[*]`) gives its elements, an object at `$.data` is one \
      record, and `null` means no records. Such paths are read as a stream, for a response of any size. A path that \
      finds nothing in a response that is not empty is an error. An empty response is an error too, with two \
      exceptions that mean no records: its status is 204 or 205, or the request sent something (POST, PUT, PATCH, \
      DELETE) and the flow has neither `records` nor `schema`. Other paths, with `..`, filters or wildcards in the \
      middle, keep the response in memory, at most 32 MiB. A variable can be part of a quoted name in the path: \
      `$.data['{{ vars.region }}']`.
      """, secrets: .refused, edit: .asksAnew,
    examples: ["records: $.data[*]", "records: $[*]", "records: \"$.data['{{ vars.region }}'][*]\""],
    mistakes: [
      "records: ↓data": .invalidPath, "records: $.data[↓x]": .invalidPath,
      "records: ↓\"$.data['{{ vars.region }}'[*]\"": .invalidPath,
    ])

  static let decode = Field(
    "decode", .construct(.decode) { $0.decode($1) }, default: "json: one JSON document",
    "The format of the response, if it is not one JSON document.",
    details: "CSV, JSON Lines, XML, plain lines and packed files become records as they arrive.", edit: .asksAnew,
    examples: ["decode: csv", "decode: { format: csv, delimiter: \";\", encoding: latin1 }"],
    mistakes: [
      "decode: ↓cvs": .unknownValue, "decode: { format: csv, ↓separator: \";\" }": .unknownKey,
      "decode: jsonl\n↓records: $.data": .misplacedDecodeKey,
      "decode: xml\nrecords: ↓$..entry": .invalidPath,
    ])

  static let reshape = Field(
    "reshape", .construct(.reshape) { $0.reshape($1) }, default: "none",
    "A jq program for responses in which no path finds the records.",
    details: "It reads the whole response, or with `{ each: … }` one record after the other.", secrets: .refused,
    edit: .asksAnew,
    examples: ["reshape: \".groups[].members[]\"", "reshape: { each: \".id as $id | .lines[] | {order: $id, sku}\" }"],
    mistakes: ["reshape: \".groups[↓\"": .invalidProgram, "reshape: { ↓eech: . }": .unknownKey])

  static let change = Field(
    "change", .construct(.change) { $0.change($1) }, default: "nothing",
    "What is changed in each record before it is mapped.", edit: .byItsKeys,
    examples: ["change: { flatten: true, remove: [$.internal] }"],
    mistakes: ["change: ↓flatten": .wrongKind, "change: { ↓drop: [$.internal] }": .unknownKey])

  static let schema = Field(
    "schema", .whole(.schemaReference), default: "none: records are stored as received",
    "How records are mapped: a schema's name, or a schema written here.", edit: .asksAnew,
    examples: ["schema: customer", "schema: { fields: { id: integer, name: string } }"],
    mistakes: ["schema: ↓custmer": .unknownSchema, "schema: ↓[customer]": .wrongKind])

  static let condition = Field(
    "where", .condition, default: "every record", "A condition on records: an expression. Other records are left out.",
    details: """
      `record` is the record after the schema, `source` the record as received; without a schema the types of their \
      members are unknown. A record that is left out is neither stored nor rejected, and `expect.total` and pages \
      count it. An expression that uses `source` alone is evaluated before the record is mapped, so a record that is \
      left out need not fit the schema. It can also use the names of `each`, and `cursor.start` and `cursor.end`: the \
      bounds of the requested range, as a timestamp, an integer or a text (also for dates). `cursor.position` is what \
      the last run reached, null before it.
      """, secrets: .refused, edit: .asksAnew,
    examples: [
      "where: source.status == 'active'",
      "schema: { fields: { id: integer, city: { type: string, optional: true } } }\nwhere: coalesce(record.city, '') != ''",
    ],
    mistakes: [
      "where: ↓recrd.id > 1": .templateUnknownRoot, "where: record.id >↓": .expressionSyntax,
      "schema: customer\nwhere: record.↓idd > 1": .expressionName,
      "schema: customer\nwhere: ↓record.id": .expressionType,
      "schema: customer\nwhere: \"{{ record.id ↓}} > 1\"": .expressionSyntax,
    ])

  static let persistence = Field(
    "persistence", .whole(.construct(.persistence)), default: "disabled",
    "Where the result is persisted, and for how long.",
    edit: .byItsKeys, examples: ["persistence: out/customers.jsonl", "persistence: disabled"],
    mistakes: ["persistence: ↓disable": .invalidOutput, "persistence: ↓false": .invalidOutput])

  static let conditional = Field(
    "conditional", .boolean, default: "true",
    "Whether an expired result is requested conditionally, so that the server can reply 304 (not modified).",
    details: """
      Applies to GET requests of one page whose result is persisted with `mode: replace` or `merge`: the response's \
      ETag and Last-Modified are persisted with the result and sent as If-None-Match and If-Modified-Since. After a \
      response with status 304 the result is fresh again and its file does not change. The condition is not sent if \
      the request, the credentials or the schema differ, or if the file was changed.
      """, edit: .keepsResult, examples: ["conditional: false"], mistakes: ["conditional: ↓no": .invalidBoolean])

  static let rejected = Field(
    "rejected", .whole(.construct(.rejected)), default: "none: they are only reported",
    "Where rejected records are stored: a file of JSON Lines below the output root, or a table.",
    details: """
      Each line or row has the flow, page, index, pointer, rule, reason, request and the record as received. The file belongs \
      to the last response that was read, whether the flow passed or failed; without rejected records it is empty. If \
      a flow requests only new records (`cursor`, `only: changed`), records stay in it until they are delivered, and \
      `--retry-rejected` requests them again. No two flows may write the same file or table.
      """, edit: .byItsKeys, examples: ["rejected: out/customers.rejected.jsonl"],
    mistakes: [
      "rejected: ↓out/customers.rejected.json": .invalidOutput, "rejected: ↓../rejected.jsonl": .invalidOutput,
      "rejected: ↓true": .invalidOutput,
    ])

  static let job = Field(
    "job", .whole(.construct(.job)), default: "none: the response has the records",
    "How the result of a job is awaited that the request starts at the server.", edit: .byItsKeys,
    examples: [
      """
      resource: { method: POST, path: /exports }
      job:
        id: response.id
        poll: "/exports/{{ job.id }}"
        done: response.state == 'done'
        download: "/exports/{{ job.id }}/file"
      """
    ],
    mistakes: [
      "job: ↓response.id": .wrongKind,
      "resource: { path: /exports, query: { p: \"{{ ↓page.number }}\" } }\npages: { by: page, query: page }\n"
        + "job: { id: response.id, poll: /state, done: response.done, download: /file }": .templateUnknownRoot,
    ])

  static let download = Field(
    "download", .whole(.construct(.download), isTemplated: true), default: "none: responses have records",
    "Stores each response as a file, and gives a record about it.", edit: .byItsKeys,
    examples: [
      "each: { flow: regions, as: region }\ndownload: \"files/{{ region.id }}.pdf\"",
      "resource: /report.pdf\ndownload: { path: files/report.pdf }",
    ],
    mistakes: [
      "download: ↓true": .invalidOutput, "download: files/report.pdf\n↓records: $.data": .misplacedKey,
      "download: { ↓folder: files }": .unknownKey,
    ])

  static let pages = Field(
    "pages", .whole(.construct(.pages)), default: "one page, of a response that announces no other",
    "How all pages of a response are requested.", edit: .asksAnew,
    examples: ["pages: { by: page, query: page }", "pages: link", "pages: none"],
    mistakes: ["pages: ↓page": .wrongKind, "↓page: { by: link }": .unknownKey])

  static let cursor = Field(
    "cursor", .whole(.construct(.cursor)), default: "none: everything is requested each time",
    "How only new records are requested.", edit: .asksAnew,
    examples: [
      """
      schema: { key: id, fields: { id: integer, updated_at: timestamp } }
      persistence: { path: out/customers.jsonl, mode: merge }
      cursor: { field: updated_at, query: updated_since }
      """
    ], mistakes: ["cursor: ↓updated_at": .wrongKind, "↓cursr: { field: updated_at }": .unknownKey])

  static let firstRun = Field(
    "first_run", .whole(.construct(.firstRun)), default: "the first run requests like every other",
    "The request of the first run, where a server gives everything in one way and changes in another.",
    details: "It needs `cursor`.", edit: .byItsKeys,
    examples: [
      """
      resource: /changes
      schema: { key: id, fields: { id: integer, updated_at: timestamp } }
      persistence: { path: out/customers.jsonl, mode: merge }
      cursor: { field: updated_at, query: since }
      first_run: { resource: /customers, pages: link }
      """
    ],
    mistakes: [
      "first_run: ↓/all": .wrongKind,
      "first_run: { resource: /all, ↓schema: customer }": .unknownKey,
    ])

  static let deadline = Field(
    "deadline", .duration(0.001...3_153_600_000),
    default: "time for every retry and wait; 1h for flows of several requests",
    "The maximum time of the whole flow, its waits included.", edit: .keepsResult, examples: ["deadline: 4h"],
    mistakes: ["deadline: ↓tomorrow": .invalidDuration])

  static let expect = Field(
    "expect", .construct(.expect) { $0.expect($1) }, default: "a status of 200–299", "Conditions on the result.",
    edit: .byItsKeys, examples: ["expect: { min: 1 }"], mistakes: ["expect: ↓1": .wrongKind])

  static let fixture = Field(
    "fixture", .construct(.fixture) { $0.fixture($1) }, default: "nothing masked, the usual match",
    "How the flow's recordings and goldens are compared.", details: "See `reactor record` and `reactor test`.",
    edit: .keepsResult, examples: ["fixture: { mask: { $.updated_at: any(timestamp) } }"],
    mistakes: ["fixture: ↓none": .wrongKind, "↓fixtures: { max_age: 30d }": .unknownKey])

  static let http = Field(
    "http", .whole(.construct(.http)), default: "the file's",
    "How this flow's server is reached, if it differs from the file.",
    edit: .byItsKeys, examples: ["http: { timeout: 5m, max_bytes: 4GiB }"], mistakes: ["↓timeout: 5m": .unknownKey])

  static let retry = Field(
    "retry", .construct(.retry) { $0.retry($1) }, default: "2 retries after 429, 502, 503, 504 and lost connections",
    "How often a failed request is sent again, and when.",
    details: "A flow's own `retry` replaces that of `defaults` as a whole.", edit: .keepsResult,
    examples: ["retry: 4", "retry: { max: 4, on: [429, 5xx, timeout, reset], wait: 2s }", "retry: none"],
    mistakes: [
      "retry: ↓never": .invalidInteger, "retry: ↓-1": .outOfRange, "retry: { max: 4, ↓attempts: 4 }": .unknownKey,
    ])
}
