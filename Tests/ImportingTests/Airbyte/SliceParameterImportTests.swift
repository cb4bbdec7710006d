import Importing
import Testing

/// Parameters of partitions and ranges that only the first page has.
@Suite(.timeLimit(.minutes(1))) struct SliceParameterImportTests {
  private static func manifest(_ strategy: String, token: String = "field_name: next", flag: Bool = true) -> String {
    Manifest.with(
      """
        - type: DeclarativeStream
          name: items
          primary_key: id
          retriever:
            type: SimpleRetriever
            requester: { type: HttpRequester, url_base: https://api.example.com, path: /items }
            record_selector: { type: RecordSelector, extractor: { type: DpathExtractor, field_path: [data] } }
            partition_router: { type: ListPartitionRouter, cursor_field: p, values: [a, b], request_option: { type: RequestOption, inject_into: header, field_name: X-P } }
            paginator:
              type: DefaultPaginator
              page_token_option: { \(token) }
              pagination_strategy: { \(strategy) }
            ignore_stream_slicer_parameters_on_paginated_requests: \(flag)
          incremental_sync:
            type: DatetimeBasedCursor
            cursor_field: at
            datetime_format: "%Y-%m-%dT%H:%M:%SZ"
            start_datetime: "2024-01-01T00:00:00Z"
            start_time_option: { type: RequestOption, inject_into: request_parameter, field_name: since }
          schema_loader: { type: InlineSchemaLoader, schema: { properties: { id: { type: string }, at: { type: string, format: date-time } } } }
      """)
  }

  private static let query = "type: RequestOption, inject_into: request_parameter, field_name: next"
  private static let link = "type: RequestPath"
  private static let cursor = "type: CursorPagination, cursor_value: \"{{ response.next }}\""

  static let cases = [
    ImportCase(
      "a token", manifest(cursor, token: query),
      has: [
        "X-P: \"{{ optional(!has(page.token) ? p : null) }}\"",
        "since: \"{{ optional(!has(page.token) ? cursor.start : null) }}\"",
      ], lacks: ["query: since"]),
    ImportCase(
      "numbers of pages", manifest("type: PageIncrement, page_size: 10, start_from_page: 1", token: query),
      has: ["X-P: \"{{ optional(page.number == 1 ? p : null) }}\"", "page.number == 1 ? cursor.start : null"]),
    ImportCase(
      "offsets", manifest("type: OffsetIncrement, page_size: 10", token: query),
      has: ["X-P: \"{{ optional(page.offset == 0 ? p : null) }}\"", "page.offset == 0 ? cursor.start : null"]),
    ImportCase(
      "pages that are counted from the first request on",
      manifest("type: PageIncrement, page_size: 10, inject_on_first_request: true", token: query),
      lacks: ["X-P", "since"]),
    ImportCase(
      "a link", manifest(cursor, token: link), has: ["X-P: \"{{ p }}\"", "query: since"], lacks: ["page.token"]),
    ImportCase(
      "all pages", manifest(cursor, token: query, flag: false), has: ["X-P: \"{{ p }}\"", "query: since"],
      lacks: ["page.token"]),
  ]

  @Test(arguments: cases) func `further pages go without them`(_ row: ImportCase) throws {
    row.verify(try Imported(row.source))
  }
}
