internal import SourceDiagnostics

/// Codes for problems with pages.
extension FlowCode {
  package static let misplacedPagesKey = FlowCode(
    "pages.misplaced-key", "key without effect for this kind of paging",
    """
    Each kind of paging has its own keys: numbers and offsets are counted, tokens and URLs come from the response, \
    links from its header.
    """, .flow("pages: { by: ‹link→page›, query: page }"))
  package static let incompletePages = FlowCode(
    "pages.incomplete", "paging that is not fully described",
    "Two keys are needed: one says how the next page is found, the other how a request asks for it.",
    .flow("pages: { by: cursor, ‹query→from: $.next, query›: cursor }"))
}

/// Codes for problems with cursors, which request only new records.
extension FlowCode {
  package static let cursorField = FlowCode(
    "cursor.field", "cursor with a field that it cannot use",
    """
    A cursor needs a field that every record has and whose values have an order: a required timestamp, date, integer \
    or string of the flow's schema.
    """,
    flow("{ id: integer, updated_at: ‹timestamp?→timestamp› }", "merge", "query: since"))
  package static let cursorBounds = FlowCode(
    "cursor.bounds", "range of a cursor that cannot be requested",
    """
    The request must contain the start of the range, bounds must be values of the field's type, and slices need a \
    start and an end.
    """,
    flow("{ id: integer, updated_at: timestamp }", "merge", "query: since, ‹slice→start: 2024-01-01, slice›: 7d"))
  package static let cursorPersistence = FlowCode(
    "cursor.persistence", "cursor with a result that each run replaces",
    """
    New records are added to the persisted result: by key (`mode: merge`), or at its end (`mode: append`) if the \
    server never sends a record twice. A result that each run replaces would lose the earlier records.
    """, flow("{ id: integer, updated_at: timestamp }", "‹replace→merge›", "query: since"))

  private static func flow(_ fields: String, _ mode: String, _ cursor: String) -> Sample {
    .file(
      """
      flows:
        customers:
          resource: /customers
          schema: { key: id, fields: \(fields) }
          persistence: { path: out/customers.jsonl, mode: \(mode) }
          cursor: { field: updated_at, \(cursor) }
      """)
  }
}

/// Codes for problems with the format of responses.
extension FlowCode {
  package static let misplacedDecodeKey = FlowCode(
    "decode.misplaced-key", "key without effect for this format",
    """
    Each format has its own keys: tables have delimiters, quotes and columns, text has an encoding, archives have \
    members. In tables and lines each row is a record, so no path leads to the records.
    """, .flow("decode: { format: ‹jsonl→csv›, delimiter: \";\" }"))
  package static let incompleteDecode = FlowCode(
    "decode.incomplete", "format that is not fully described",
    "A table without a header needs names for its columns.",
    .flow("decode: { format: csv, ‹header: false→header: false, columns: [id, name]› }"))
  package static let invalidDelimiter = FlowCode(
    "decode.invalid-delimiter", "delimiter or quote that cannot be used",
    "Delimiters and quotes are single ASCII characters, and differ from each other.",
    .flow("decode: { format: csv, delimiter: ‹semicolon→\";\"› }"))
  package static let invalidPacking = FlowCode(
    "decode.invalid-packing", "packings in the wrong order",
    """
    Packings are listed from the outside. An archive has many members, so it is the outermost one; its members may be \
    compressed files.
    """, .flow("decode: { format: csv, unpack: [‹gzip, zip→zip, gzip›] }"))
}
