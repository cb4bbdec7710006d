internal import FlowTerms
/// The keys of `cursor`.
enum CursorKeys {
  static let construct = Construct(
    .cursor, noun: "'cursor'", "How a flow asks only for what is new, by a field whose values grow.",
    details: """
      The greatest value of the field among the records that were kept is remembered with the result, in the same step \
      that publishes it, and the next run asks from there. A run that fails, or whose pull is cut short, leaves it as \
      it is. With `each` every parent has its own. Without `expires_after` each run asks the server. The flow needs \
      `persistence` with `mode: merge`, or `append` where no record can come twice. `reactor state` shows and changes \
      what is remembered; `reactor run --full-refresh` begins anew.
      """, fields: [field, start, end, query, endQuery, format, lookback, slice, bounds],
    frame: .init(
      """
      reactor: 1
      vars: { since: { type: date, default: 2024-01-01 } }
      secrets: [SHOP_TOKEN]
      http: { base_url: https://api.example.com }
      schemas:
        customer:
          key: id
          fields:
            id: integer
            name: string
            updated_at: timestamp
            note: { type: string, optional: true }
            total: number
      flows:
        customers:
          resource: /customers
          schema: customer
          persistence: { path: out/customers.jsonl, mode: merge }
          cursor:
            ◆
      """, supplies: ["field: updated_at", "query: since"]))

  static let field = Field(
    "field", .name(.field), default: .required, "The field of the schema by which records are new.",
    details: """
      A required field of type timestamp, date, integer or string. Texts are compared by their UTF-8 bytes, so that \
      they must be written in one form.
      """, edit: .asksAnew, examples: ["field: updated_at\nquery: updated_since"],
    mistakes: ["field: ↓updated": .cursorField, "field: ↓note": .cursorField, "field: ↓total": .cursorField])

  static let start = Field(
    "start", .line, default: "none: the first run asks without a bound", "Where the first run begins.",
    details: "Nothing before it is ever asked for. A changed `start` begins anew.", secrets: .refused, edit: .asksAnew,
    examples: ["start: 2024-01-01", "start: \"{{ vars.since }}\""],
    mistakes: ["start: ↓yesterday": .cursorBounds, "start: \"↓{{ secrets.SHOP_TOKEN }}\"": .templateSecretNotAllowed])

  static let end = Field(
    "end", .cursorEnd, default: "none; `now` with `end_query` or `slice` for times", "Where what is asked for ends.",
    details: "`now`, or a value. A run whose start lies beyond it asks for nothing.", secrets: .refused,
    edit: .keepsResult, examples: ["end: now\nend_query: updated_until"], mistakes: ["end: ↓soon": .cursorBounds])

  static let query = Field(
    "query", .name(.parameter), "The query parameter for the start.",
    details: """
      It is left out as long as there is no start. Instead of `query` and `end_query`, templates of the request may \
      use `{{ cursor.start }}` and `{{ cursor.end }}`; one that may be absent needs a default: `{{ \
      coalesce(cursor.start, …) }}`.
      """, edit: .asksAnew, examples: ["query: updated_since"], mistakes: ["query: ↓\"\"": .invalidName])

  static let endQuery = Field(
    "end_query", .name(.parameter), "The query parameter for the end.", edit: .asksAnew,
    examples: ["end_query: updated_until"],
    mistakes: ["query: since\n↓end_query: since": .cursorBounds, "field: id\n↓end_query: to": .cursorBounds])

  static let format = Field(
    "format", .boundFormat, default: "as records keep them: ISO 8601 in UTC", "How bounds of times are written.",
    details: """
      `iso8601`, `epoch_s`, `epoch_ms`, `date` (YYYY-MM-DD) or a strptime pattern. What a format cannot say exactly is \
      rounded so that more is asked for, not less.
      """, edit: .keepsResult, examples: ["format: epoch_s", "format: date", "format: \"%d/%m/%Y\""],
    mistakes: [
      "format: ↓epoch": .invalidFormat, "format: ↓\"%H:%M\"": .invalidFormat,
      "field: id\nformat: ↓epoch_s": .cursorBounds,
    ])

  static let lookback = Field(
    "lookback", .whole(.durationOrInteger), default: "none", "How much of what is known is asked for again.",
    details: """
      For servers that show records late. It never reaches before `start`. For a field of type integer it is an \
      integer.
      """, edit: .keepsResult, examples: ["lookback: P1D", "field: id\nlookback: 100"],
    mistakes: ["lookback: ↓soon": .invalidDuration, "field: name\n↓lookback: 1d": .cursorBounds])

  static let slice = Field(
    "slice", .whole(.durationOrInteger), default: "none: one range",
    "The length of the ranges into which a long one is cut.",
    details: """
      They are asked for one after the other, each with its own pages; when one fails, the flow fails and nothing is \
      published. It needs a start and an end.
      """, edit: .keepsResult, examples: ["start: 2024-01-01\nslice: P7D"],
    mistakes: [
      "↓slice: 7d": .cursorBounds, "start: 2024-01-01\nslice: ↓0s": .outOfRange,
      "start: 2024-01-01\nbounds: \"()\"\n↓slice: 7d": .cursorBounds,
    ])

  static let bounds = Field(
    "bounds", .choice(of: CursorTerms.Bounds.self), default: "[)",
    "Which values at the ends of a range the server gives: a bracket includes, a parenthesis excludes.",
    details: """
      Where the start is excluded, a record that comes later with a value that was seen already is never asked for; \
      `lookback` helps. Where it is included, the last record comes again, which `mode: merge` makes harmless.
      """, edit: .keepsResult, examples: ["bounds: \"[]\""], mistakes: ["bounds: ↓closed": .unknownValue])
}
