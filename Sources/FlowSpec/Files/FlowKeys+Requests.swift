/// The keys of a flow that say what is requested, and how.
extension FlowKeys {
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
      field_groups: { fields: [id, clicks, likes, shares], key: id, max: 2, by: $.id }
      """
    ],
    mistakes: [
      "field_groups: ↓20": .wrongKind,
      "↓field_groups: { fields: [id, name], max: 1, by: $.id }": .fieldGroups,
      "resource: { path: /ads, query: { fields: \"{{ join(field_group, ',') }}\" } }\n"
        + "↓field_groups: { fields: [id, name], by: $.id }": .fieldGroups,
    ])

  static let job = Field(
    "job", .whole(.construct(.job)), default: "none: the response has the records",
    "How to await the result of a job that the request starts at the server.", edit: .byItsKeys,
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
    "Stores each response as a file, and makes a record about it.", edit: .byItsKeys,
    examples: [
      "each: { flow: regions, as: region }\ndownload: \"files/{{ region.id }}.pdf\"",
      "resource: /report.pdf\ndownload: { path: files/report.pdf }",
    ],
    mistakes: [
      "download: ↓true": .invalidOutput, "download: files/report.pdf\n↓records: $.data": .misplacedKey,
      "download: { ↓folder: files }": .unknownKey,
    ])

  static let pages = Field(
    "pages", .whole(.construct(.pages)), default: "one page; an error if its response announces another",
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
    "The request of the first run, for servers that give all records in one way and changes in another.",
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
    "The maximum time of the whole flow, its waits included.",
    details: """
      A wait that would end later fails the flow at once. A flow that still runs five minutes after this time is \
      cancelled; these minutes are for saving. With `cursor: { slice, partial: keep }` no request is sent after this \
      time, and the complete slices are published.
      """, edit: .keepsResult, examples: ["deadline: 4h"],
    mistakes: ["deadline: ↓tomorrow": .invalidDuration])

  static let retry = Field(
    "retry", .construct(.retry) { $0.retry($1) }, default: "2 retries after 429, 502, 503, 504 and lost connections",
    "How often a failed request is sent again, and when.",
    details: "A flow's own `retry` replaces that of `defaults` as a whole.", edit: .keepsResult,
    examples: ["retry: 4", "retry: { max: 4, on: [429, 5xx, timeout, reset], wait: 2s }", "retry: none"],
    mistakes: [
      "retry: ↓never": .invalidInteger, "retry: ↓-1": .outOfRange, "retry: { max: 4, ↓attempts: 4 }": .unknownKey,
    ])

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

  static let http = Field(
    "http", .whole(.construct(.http)), default: "the file's",
    "How this flow's server is reached, if it differs from the file's `http`.",
    edit: .byItsKeys, examples: ["http: { timeout: 5m, max_bytes: 4GiB }"], mistakes: ["↓timeout: 5m": .unknownKey])
}
