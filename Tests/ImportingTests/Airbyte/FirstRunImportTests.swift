import Importing
import Testing

/// Streams that request in another way while they have no state.
@Suite(.timeLimit(.minutes(1))) struct FirstRunImportTests {
  private static let cursor = """
    incremental_sync: { type: DatetimeBasedCursor, cursor_field: updated_at, datetime_format: '%s', start_datetime: "{{ config['start_date'] }}", step: P30D, start_time_option: { type: RequestOption, inject_into: request_parameter, field_name: since }, end_time_option: { type: RequestOption, inject_into: request_parameter, field_name: until } }
    """

  /// A stream with its parts for both runs.
  private static func manifest(
    full: String = "path: /all, request_parameters: { kind: all }", retriever: String = "", stream: String = cursor,
    fields: String = "id: { type: integer }, updated_at: { type: integer }"
  ) -> String {
    func part(_ text: String) -> String {
      text.split(separator: "\n").map { "    \($0)" }.joined(separator: "\n")
        .replacing("      - type: DeclarativeStream", with: "        type: DeclarativeStream")
    }
    let first = Manifest.stream(requester: full, retriever: retriever, stream: stream, fields: fields)
    let other = Manifest.stream(
      requester: "path: /events",
      retriever:
        "paginator: { type: DefaultPaginator, pagination_strategy: { type: CursorPagination, cursor_value: \"{{ response.next }}\" }, page_token_option: { type: RequestOption, inject_into: request_parameter, field_name: after } }",
      stream: cursor, fields: "id: { type: integer }, updated_at: { type: integer }")
    return Manifest.with(
      """
        - type: StateDelegatingStream
          name: items
          full_refresh_stream:
      \(part(first))
          incremental_stream:
      \(part(other))
      """)
  }

  @Test(arguments: cases) func `the first run is carried over`(_ test: ImportCase) throws {
    test.verify(try Imported(test.source))
  }

  static let cases = [
    ImportCase(
      "another path without pages, and the range in its parameters", manifest(),
      has: [
        "resource: /events", "by: cursor", "first_run:", "path: /all", "kind: all",
        "since: \"{{ format(vars.start_date, 'epoch_s') }}\"", "query: { start: since, end: until }",
      ]),
    ImportCase(
      "a condition and a place of its own",
      manifest().replacing(
        "field_path: [data] } }\n",
        with: "field_path: [rows] }, record_filter: { condition: \"{{ record.id > 1 }}\" } }\n", maxReplacements: 1),
      has: ["first_run:", "records: $.rows", "records: $.data", "where: coalesce(source.id, 0) > 1"]),
    ImportCase(
      "without a cursor nothing says which run is the first", manifest(stream: "").replacing(cursor, with: ""),
      has: ["resource: /events"], lacks: ["first_run:"], losses: [.retriever]),
    ImportCase(
      "another server is named",
      manifest().replacing("https://api.example.com/v1, path: /all", with: "https://b.example.com, path: /all"),
      has: ["it would need a first run at another server"], lacks: ["first_run:"], losses: [.retriever]),
    ImportCase(
      "other fields are named",
      manifest(fields: "id: { type: integer }, updated_at: { type: integer }, x: { type: string }"),
      has: ["it would need a first run with other fields"], lacks: ["first_run:"], losses: [.retriever]),
    ImportCase(
      "code is named", manifest(full: "path: /all, type: CustomRequester, class_name: a.B"),
      has: ["it would need its code"], lacks: ["first_run:"], losses: [.retriever]),
  ]
}
