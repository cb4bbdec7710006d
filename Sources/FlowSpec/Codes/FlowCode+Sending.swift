import SourceDiagnostics

extension FlowCode {
  /// Codes about requests that send records.
  static let sendingEntries: [DiagnosticCatalogue.Entry] = [
    entry(
      .sentRecords, "no records to send, or several that could be meant",
      """
      A body of `records` holds the record that the request is made for, so that the flow needs an `each` over the \
      records of one flow or of one file.
      """, wrong: flow("each: { values: [1, 2] }", "body: { records: customer }"),
      right: flow("each: { file: out/customers.jsonl }", "body: { records: customer }")),
    entry(
      .sentField, "field that cannot be sent",
      """
      A schema encodes a record when each of its fields stands at one place of its own, named by members alone, and \
      when the records that are sent have such a field.
      """, wrong: flow("each: { file: out/customers.jsonl }", "body: { records: tagged }"),
      right: flow("each: { file: out/customers.jsonl }", "body: { records: customer }")),
    entry(
      .idempotencyKey, "idempotency key that does not tell requests apart",
      """
      The key tells the server that it has had a request before. Items need keys of their own, pages of one response \
      too, and a request that only reads needs none.
      """,
      wrong: flow(
        "each: { file: out/customers.jsonl }", "body: { records: customer }, idempotency: { key: customers }"),
      right: flow(
        "each: { file: out/customers.jsonl }",
        "body: { records: customer }, idempotency: { key: \"{{ parent.id }}\" }")),
    entry(
      .eachBatch, "batch that cannot be formed or judged",
      """
      A batch holds records of one source. What its response tells of each of them is found by `results` and judged by \
      `failed`.
      """,
      wrong: flow(
        "each: { file: out/customers.jsonl, batch: { size: 10, results: $.items } }", "body: { records: customer }"),
      right: flow(
        "each: { file: out/customers.jsonl, batch: { size: 10, results: $.items, failed: has(result.error) } }",
        "body: { records: customer }")),
  ]

  private static func flow(_ each: String, _ request: String) -> Sample {
    Sample(
      """
      reactor: 1
      http: { base_url: https://api.example.com }
      schemas:
        customer: { fields: { id: integer, city: { from: $.address.city, type: string } } }
        tagged: { fields: { tag: { from: "$.tags[0]", type: string } } }
      flows:
        mirror:
          \(each)
          resource: { method: POST, path: /customers, \(request) }
      """)
  }
}
