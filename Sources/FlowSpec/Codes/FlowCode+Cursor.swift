import SourceDiagnostics

extension FlowCode {
  /// Codes about asking only for what is new.
  static let cursorEntries: [DiagnosticCatalogue.Entry] = [
    entry(
      .cursorField, "cursor by a field that does not tell what is new",
      """
      A cursor goes by a field that every record has and whose values have an order: a required timestamp, date, \
      integer or string of the flow's schema.
      """,
      wrong: flow("{ id: integer, updated_at: { type: timestamp, optional: true } }", "merge", "query: since"),
      right: flow("{ id: integer, updated_at: timestamp }", "merge", "query: since")),
    entry(
      .cursorBounds, "range of a cursor that cannot be asked for",
      """
      The request must say from where on records are wanted, bounds must be values of the field's type, and a range \
      that is cut into slices needs a start and an end.
      """, wrong: flow("{ id: integer, updated_at: timestamp }", "merge", "query: since, slice: 7d"),
      right: flow("{ id: integer, updated_at: timestamp }", "merge", "query: since, start: 2024-01-01, slice: 7d")),
    entry(
      .cursorPersistence, "cursor without a result that grows",
      """
      What is new is joined with what is there: by key (`mode: merge`), or behind it (`mode: append`) where the server \
      never gives a record twice. A result that is replaced by each run would lose what came before.
      """, wrong: flow("{ id: integer, updated_at: timestamp }", "replace", "query: since"),
      right: flow("{ id: integer, updated_at: timestamp }", "merge", "query: since")),
  ]

  private static func flow(_ fields: String, _ mode: String, _ cursor: String) -> Sample {
    Sample(
      """
      reactor: 1
      http: { base_url: https://api.example.com }
      flows:
        customers:
          resource: /customers
          schema: { key: id, fields: \(fields) }
          persistence: { path: out/customers.jsonl, mode: \(mode) }
          cursor: { field: updated_at, \(cursor) }
      """)
  }
}
