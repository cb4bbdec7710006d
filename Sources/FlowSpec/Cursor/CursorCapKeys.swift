internal import FlowModel

enum CursorCapKeys {
  static let construct = Construct(
    .cursorCap, noun: "'cursor.cap'", "How a range is read of which the server gives only a part.",
    details: """
      Many search APIs give at most 10,000 records of one request, whatever pages are asked for. A range that reaches \
      the cap counts as not read to its end, also if it has exactly that many records. The cap is a number of records, \
      a number of pages, or a response for which a rule of `errors` has `do: cap`. Nothing is published before the \
      whole range is read. If the range cannot be read at all, because too many records have one value, the flow fails.
      """, fields: [records, pages, then],
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
          pages: { by: page, query: page }
          persistence: { path: out/customers.jsonl, mode: merge }
          cursor:
            field: updated_at
            start: 2024-01-01
            query: since
            end_query: until
            cap:
              ◆
      """, supplies: ["then: restart", "records: 10000"], alternatives: ["records": "pages"]))

  static let records = Field(
    "records", .integer(1...1_000_000_000), "The number of records that the server gives of one range.",
    details: "Records count as received: also those that are rejected or that `where` leaves out.", edit: .keepsResult,
    examples: ["records: 10000\nthen: restart"],
    mistakes: ["records: ↓0": .outOfRange, "records: ↓many": .invalidInteger])

  static let pages = Field(
    "pages", .integer(2...100_000_000), "The number of pages that the server gives of one range.",
    details: """
      A range with so many pages is capped, also if its last page is not full; not if it has no records. With `records` \
      too, the cap that is reached first counts.
      """, edit: .keepsResult,
    examples: ["pages: 100\nthen: restart"], mistakes: ["pages: ↓1": .outOfRange])

  static let then = Field(
    "then", .choice(of: Cursor.AtCap.self), default: .required, "How the rest of the range is requested.",
    details: """
      `restart`: the server gives the records in ascending order of the cursor's field. A new range begins at the \
      greatest value so far, with that value, because more records may have it; records that come twice are stored \
      once, so the flow needs `mode: merge`. A record that is less than one before it is an error, because then \
      records would be missing. Where the records that `where` keeps lead no further, those that it leaves out do, \
      unless it uses `source`. `halve`: for servers with another order. The records of the range are discarded, and \
      its two halves are requested, down to the smallest step that `format` can write. It needs a start, an end and a \
      field that is not a string. If the response says how many there are (`expect.total` or `pages.count`), a range \
      that is too long is halved after its first page.
      """, edit: .keepsResult, examples: ["records: 1000\nthen: halve"], mistakes: ["then: ↓split": .unknownValue])
}
