internal import FlowModel

enum CursorQueryKeys {
  static let construct = Construct(
    .cursorQuery, noun: "'cursor.query'", "The query parameters for the start and the end of the requested range.",
    shortForm: .init(
      .name(.parameter), "A name alone is the parameter for the start, or for the token.", examples: ["updated_since"]),
    fields: [start, end],
    frame: .init(
      """
      reactor: 1
      http: { base_url: https://api.example.com }
      schemas:
        customer:
          key: id
          fields: { id: integer, name: string, updated_at: timestamp }
      flows:
        customers:
          resource: /customers
          schema: customer
          persistence: { path: out/customers.jsonl, mode: merge }
          cursor:
            field: updated_at
            start: 2024-01-01
            query:
              ◆
      """, supplies: ["start: since"]))

  static let start = Field(
    "start", .name(.parameter), default: "none", "The query parameter for the start.", edit: .asksAnew,
    examples: ["start: updated_since"], mistakes: ["start: ↓\"\"": .invalidName])

  static let end = Field(
    "end", .name(.parameter), default: "none", "The query parameter for the end.", edit: .asksAnew,
    examples: ["end: updated_until", "start: updated_since\nend: updated_until"],
    mistakes: ["start: since\n↓end: since": .cursorBounds])
}

/// The names of the query parameters for the bounds of a range.
struct RangeParameters: Sendable {
  /// The parameter for the start.
  var start: String?
  /// The parameter for the end.
  var end: Located<String>?
}
