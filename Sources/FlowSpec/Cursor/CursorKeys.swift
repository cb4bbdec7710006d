internal import FlowModel

enum CursorKeys {
  static let construct = Construct(
    .cursor, noun: "'cursor'", "How a flow requests only new records: by a field whose values grow, or by a token.",
    details: """
      The greatest value of the field among the stored records is persisted with the result, in the same step that \
      publishes it, and the next run starts there. A run that fails or ends early does not change it. With `each` \
      every parent has its own value. Without `expires_after` each run sends a request. The flow needs `persistence` \
      with `mode: merge`, or `append` if no record is received twice. `reactor state` shows and changes the value; \
      `reactor run --fresh=everything` starts from the beginning.

      Some servers give a token instead (`token`). Sent with the next request, it makes the server give only what is \
      new since then.
      """,
    fields: [
      field, token, start, end, query, format, zone, lookback, slice, cap, bounds, filter, order, optional,
      partial,
    ],
    requirements: [
      .oneOf(
        [field, token], code: .missingKey, "'field' is missing in 'cursor'",
        help: "add 'field: updated_at', the field whose values grow; or 'token: $.next_token', if the server gives one"),
      .excludes(
        [
          field, start, end, format, zone, lookback, slice, cap, bounds, filter, order, optional, partial,
        ], token, code: .cursorBounds, help: "leave out this key or 'token'"
      ) { key, _ in "'\(key)' is for a field whose values have an order, but tokens have no order" },
      .needs(
        zone, format, code: .cursorBounds,
        "'zone' needs a 'format' without an offset from UTC; the default format has one",
        help: "add 'format', for example format: \"%Y-%m-%d %H:%M:%S\", or leave 'zone' out"),
      .needs(
        partial, is: "keep", slice, code: .cursorBounds, "'partial: keep' has an effect only on slices",
        help: "add 'slice', or leave 'partial' out"),
      .only([slice], with: order, ["any"], code: .cursorBounds, help: "leave 'slice' out") { _, _ in
        "a feed in descending order cannot be requested in slices"
      },
    ],
    frame: .init(
      """
      reactor: 1
      vars: { since: { type: date, default: 2024-01-01 }, again: { type: duration, default: P7D } }
      secrets: [SHOP_TOKEN]
      http: { base_url: https://api.example.com }
      schemas:
        customer:
          key: id
          fields:
            id: integer
            name: string
            updated_at: timestamp
            note: string?
            seen_at: timestamp?
            total: number
      flows:
        customers:
          resource: /customers
          schema: customer
          pages: { by: page, query: page }
          persistence: { path: out/customers.jsonl, mode: merge }
          cursor:
            ◆
      """, supplies: ["field: updated_at", "query: since"], alternatives: ["field": "token"]))

  static let field = Field(
    "field", .name(.field), default: "none: `field` or `token` is required",
    "The field of the schema that orders records by age.",
    details: """
      A required field of type timestamp, date, integer or string. Texts are compared by their UTF-8 bytes, so all \
      must have the same form.
      """, edit: .asksAnew, examples: ["field: updated_at\nquery: updated_since"],
    mistakes: ["field: ↓updated": .cursorField, "field: ↓note": .cursorField, "field: ↓total": .cursorField])

  static let token = Field(
    "token", .jsonPath, default: "none", "Where the last page of a pull contains the token for the next run.",
    details: """
      For servers that list changes by sync tokens or delta links, which have no order. The next run sends the token \
      in the parameter `query`, or in templates as `cursor.position`; if neither is used, the token is the URL that \
      the next run requests first. A pull without a token fails. A response with status 410 means that the server \
      no longer knows the token: the run starts again without a token and replaces the result, as `--fresh=everything` \
      does; with `mode: append` it fails, and with `each` the records of the parent are requested again and merged.
      """, edit: .asksAnew,
    examples: ["token: $.nextSyncToken\nquery: syncToken", "token: \"$['@odata.deltaLink']\""],
    mistakes: ["token: ↓next_token": .invalidPath, "token: $.next\n↓lookback: 1d": .cursorBounds])

  static let start = Field(
    "start", .line, default: "none: the first run requests everything", "The value at which the first run begins.",
    details:
      "Records before it are never requested. After a change of `start`, the next run starts from the beginning.",
    secrets: .refused,
    edit: .asksAnew,
    examples: ["start: 2024-01-01", "start: \"{{ vars.since }}\""],
    mistakes: ["start: ↓yesterday": .cursorBounds, "start: \"↓{{ secrets.SHOP_TOKEN }}\"": .templateSecretNotAllowed])

  static let end = Field(
    "end", .cursorEnd, default: "none; `now` with `query.end` or `slice` for times",
    "The value at which the requested range ends.",
    details: """
      `now`, or a value. `now` is the time when the flow starts, written with up to nine decimals of a second; with \
      `format: epoch_s`, or `"%Y-%m-%dT%H:%M:%SZ"`, it is rounded up to a whole second. A run whose start is after the \
      end sends no request.
      """, secrets: .refused, edit: .keepsResult,
    examples: ["end: now\nquery: { start: updated_since, end: updated_until }"],
    mistakes: ["end: ↓soon": .cursorBounds])

  static let query = Field(
    "query", .construct(.cursorQuery) { $0.cursorQuery($1) }, "The query parameters for the start and the end.",
    details: """
      A parameter is left out while its value is not known. Instead of `query`, templates of the request may use `{{ \
      cursor.start }}` and `{{ cursor.end }}`; a value that may be absent needs a default: `{{ coalesce(cursor.start, \
      …) }}`. `cursor.position` is the value that the last run reached, without `lookback` and slices: null in the \
      first run, with `--fresh=everything` and in a retry.
      """, edit: .byItsKeys, examples: ["query: updated_since", "query: { start: updated_since, end: updated_until }"],
    mistakes: ["query: ↓\"\"": .invalidName])

  static let format = Field(
    "format", .boundFormat, default: "as records store them: ISO 8601 in UTC",
    "How the bounds of a range of times are written in requests.",
    details: """
      `iso8601`, `epoch_s`, `epoch_ms`, `epoch_us`, `date` (YYYY-MM-DD) or a strptime pattern. A value that the format cannot \
      express exactly is rounded so that the range grows.
      """, edit: .keepsResult, examples: ["format: epoch_s", "format: date", "format: \"%d/%m/%Y\""],
    mistakes: [
      "format: ↓epoch": .invalidFormat, "format: ↓\"%H:%M\"": .invalidFormat,
      "field: id\nformat: ↓epoch_s": .cursorBounds,
    ])

  static let zone = Field(
    "zone", .zoneName, default: "UTC", "The time zone of the bounds, for servers that read local times.",
    details: """
      A name of the time zone database (`America/New_York`), which the machine must have. It is for a `format` without \
      an offset: `date`, or a pattern. Days, weeks and months of `slice`, and a `start` without a time of day, are in \
      this zone too. When clocks are set back, the local times of an hour occur twice: a start in that hour is written \
      as the time before it, an end as the time after it, so that the range grows.
      """, edit: .keepsResult,
    examples: [
      "format: \"%Y-%m-%d %H:%M:%S\"\nzone: America/New_York",
      "start: 2024-01-01\nslice: day\nformat: date\nzone: Asia/Tokyo",
    ],
    mistakes: [
      "↓zone: Europe/Berlin": .cursorBounds, "format: date\nzone: ↓../etc/passwd": .invalidName,
      "format: epoch_s\nzone: ↓Europe/Berlin": .cursorBounds,
      "format: \"%FT%T%z\"\nzone: ↓Europe/Berlin": .cursorBounds,
    ])

  static let lookback = Field(
    "lookback", .whole(.setting(.distance(orWords: [])), isTemplated: true), default: "none",
    "How much of the range of earlier runs is requested again.",
    details: """
      For servers that publish records late; `P0D` means none. The range never starts before `start`. It may be in months (`P1M`). For a \
      field of type integer it is an integer. Variables may be part of it: `P{{ vars.days }}D`.
      """, secrets: .refused, edit: .keepsResult,
    examples: ["lookback: P1D", "field: id\nlookback: 100", "lookback: P1M", "lookback: \"{{ vars.again }}\""],
    mistakes: [
      "lookback: ↓soon": .invalidDuration, "field: name\nlookback: ↓1d": .cursorBounds,
      "lookback: \"{{ vars.↓agan }}\"": .templateUnknownVariable,
    ])

  static let slice = Field(
    "slice",
    .whole(.setting(.distance(orWords: Cursor.CalendarPeriod.allCases.map(\.rawValue))), isTemplated: true),
    default: "none: one range", "The slices into which a long range is cut: their length, or a period of the calendar.",
    details: """
      A length is counted from the start of the range: a duration, also in months (`P1M`), or an integer for a field \
      of type integer. `day`, `week`, `month`, `quarter` and `year` cut at the periods of the calendar, in UTC or in \
      `zone`; the first and the last slice may be shorter. With `bounds: "[]"`, a day or an integer belongs to exactly \
      one slice. Slices are requested one after the other, each with its own pages. When one fails, the flow fails and \
      publishes nothing, unless `partial: keep`. `slice` needs a start and an end. Variables may be part of it.
      """, secrets: .refused, edit: .keepsResult,
    examples: [
      "start: 2024-01-01\nslice: P7D", "start: 2024-01-01\nslice: month", "start: 2024-01-15\nslice: P3M",
      "start: 2024-01-01\nslice: \"{{ vars.again }}\"",
    ],
    mistakes: [
      "start: 2024-01-01\nslice: ↓months": .invalidDuration, "start: 2024-01-01\nslice: ↓P1M15D": .invalidDuration,
      "↓slice: 7d": .cursorBounds, "start: 2024-01-01\nslice: ↓0s": .outOfRange,
      "start: 2024-01-01\nbounds: \"()\"\n↓slice: 7d": .cursorBounds,
    ])

  static let cap = Field(
    "cap", .construct(.cursorCap) { $0.cursorCap($1) }, default: "none: the server gives whole ranges",
    "The largest part of a range that the server gives, and how the rest is requested.",
    edit: .byItsKeys, examples: ["cap: { records: 10000, then: restart }"],
    mistakes: [
      "↓cap: { records: 1000, then: halve }": .cursorBounds,
      "start: 2024-01-01\nquery: { start: since, end: to }\nbounds: \"()\"\n↓cap: { records: 1000, then: halve }":
        .cursorBounds,
      "↓cap: { then: restart }": .cursorBounds,
    ])

  static let bounds = Field(
    "bounds", .choice(of: Cursor.Bounds.self), default: "[)",
    "Whether responses include the ends of a range: a bracket includes an end, a parenthesis excludes it.",
    details: """
      If the start is excluded, a record that is published late with a value that a run has reached already is never \
      received; `lookback` helps. If it is included, the last record is received again, which is harmless with `mode: \
      merge`.
      """, edit: .keepsResult, examples: ["bounds: \"[]\""], mistakes: ["bounds: ↓closed": .unknownValue])

  static let filter = Field(
    "filter", .boolean, default: "false", "Whether records outside of the requested range are left out.",
    details: """
      For servers that cannot filter, or that filter coarsely: the request then need not use the cursor. The range is \
      that of the request, with `bounds` and `lookback`. Records that are left out are neither stored nor rejected.
      """, edit: .keepsResult, examples: ["filter: true", "query: since\nformat: date\nfilter: true"],
    mistakes: ["filter: ↓client": .invalidBoolean])

  static let order = Field(
    "order", .choice(["any", "descending"]), default: "any", "The order in which the server gives the records.",
    details: """
      `descending`: the newest records come first. The pull ends after the page whose last record is before the start \
      of the range, and records outside of the range are left out. A record that is newer than an earlier one is an \
      error, because newer records could follow after the end of the pull; with `lookback`, it may be newer by that \
      distance. Records that `where` leaves out do not count.
      """, edit: .keepsResult, examples: ["order: descending"],
    mistakes: ["order: ↓desc": .unknownValue])

  static let optional = Field(
    "optional", .boolean, default: "false", "Whether a record may be without the field.",
    details: """
      `false`: the field is required, so such a record is rejected. `true`: the field is optional, and such a record \
      is stored; the server must give it again in each run, because it belongs to no range.
      """, edit: .keepsResult, examples: ["field: seen_at\noptional: true"],
    mistakes: ["optional: ↓drop": .invalidBoolean, "field: ↓total\noptional: true": .cursorField])

  static let partial = Field(
    "partial", .choice(["fail", "keep"]), default: "fail", "How a failed slice affects the slices before it.",
    details: """
      `fail`: the flow fails and its earlier result stays. `keep`: the records of the slices before it are published, \
      the next run goes on at the failed slice, and the report says that the result is incomplete. So a long range \
      that exceeds `deadline` is completed in several runs. At `--total-timeout`, and after a signal with a grace \
      time, no slice is begun that would end too late. A long run publishes its complete slices about every \
      five minutes, so a process that is killed keeps them, unless the flow expects a number of records. Needs `slice` \
      and `mode: merge`. With `--fresh=everything` a failed slice always fails the flow.
      """, edit: .keepsResult, examples: ["start: 2024-01-01\nslice: month\npartial: keep"],
    mistakes: ["partial: ↓true": .unknownValue, "↓partial: keep": .cursorBounds])
}
