enum FlowKeys {
  static let construct = Construct(
    .flow, noun: "a flow", "One request, the records in its response, and where they are persisted.",
    details: """
      A flow uses its persisted result while that is fresh. Otherwise it probes the host, sends the request, maps the \
      records, saves them and reports.
      """,
    fields: [
      description, tags, schedule, items, when, resource, each, fieldGroups, decode, records, reshape, change, schema,
      condition,
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

  static let tags = Field(
    "tags", .names(.tag), default: "none", "Labels by which a run selects flows.",
    details: "A flow's own tags replace those of `defaults`.", secrets: .refused, edit: .keepsResult,
    examples: ["tags: [shop, daily]"],
    mistakes: [
      "tags: ↓daily": .wrongKind, "tags: [shop, ↓shop]": .duplicateItem,
      "tags: [\"↓{{ secrets.SHOP_TOKEN }}\"]": .templateSecretNotAllowed,
    ])

  static let schedule = Field(
    "schedule", .construct(.schedule) { ScheduleKeys.schedule(&$0, $1) }, default: "none",
    "When an engine starts an exported job of the flow; `reactor run` does not use it.",
    details: "A flow's own schedule replaces that of `defaults`.", edit: .keepsResult,
    examples: ["schedule: 30 2 * * *", "schedule: { cron: \"30 2 * * *\", zone: Europe/Berlin, jitter: 5m }"],
    mistakes: ["schedule: ↓daily": .invalidSchedule, "schedule: ↓{ jitter: 5m }": .missingKey])

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

  static let persistence = Field(
    "persistence", .whole(.oneOrMore(.construct(.persistence))), default: "disabled",
    "Where the result is persisted, and for how long.",
    details: """
      A list stores the result several times. Its first element has the result, and says how new records are joined \
      with older ones and how long the result is used; each other element then gets the same records, as a whole. \
      If one of them cannot be written, it keeps its earlier records, the flow fails, and the next run completes it \
      before it sends a request.
      """, edit: .byItsKeys,
    examples: [
      "persistence: out/customers.jsonl", "persistence: disabled",
      "persistence: [out/customers.jsonl, out/customers.csv]\nschema: { fields: { id: integer } }",
      "schema: { key: id, fields: { id: integer } }\npersistence:\n  - { path: out/customers.jsonl, mode: merge }\n"
        + "  - { store: shop, table: customers }",
    ],
    mistakes: [
      "persistence: ↓disable": .invalidOutput, "persistence: ↓false": .invalidOutput,
      "persistence: ↓[]": .missingValue, "persistence: [out/a.jsonl, ↓disabled]": .contradiction,
      "persistence: [out/a.jsonl, { path: out/b.jsonl, ↓mode: append }]": .misplacedKey,
    ])

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
      `--fresh=rejected` requests them again. No two flows may write the same file or table.
      """, edit: .byItsKeys, examples: ["rejected: out/customers.rejected.jsonl"],
    mistakes: [
      "rejected: ↓out/customers.rejected.json": .invalidOutput, "rejected: ↓../rejected.jsonl": .invalidOutput,
      "rejected: ↓true": .invalidOutput,
    ])

  static let expect = Field(
    "expect", .construct(.expect) { $0.expect($1) }, default: "a status of 200–299", "Conditions on the result.",
    edit: .byItsKeys, examples: ["expect: { min: 1 }"], mistakes: ["expect: ↓1": .wrongKind])

  static let fixture = Field(
    "fixture", .construct(.fixture) { $0.fixture($1) }, default: "nothing masked, the usual match",
    "How requests are compared with the flow's recordings, and records with its goldens.",
    details: "See `reactor record` and `reactor test`.",
    edit: .keepsResult, examples: ["fixture: { mask: { $.updated_at: any(timestamp) } }"],
    mistakes: ["fixture: ↓none": .wrongKind, "↓fixtures: { max_age: 30d }": .unknownKey])
}
