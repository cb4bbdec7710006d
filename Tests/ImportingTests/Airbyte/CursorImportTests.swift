import Importing
import Testing

/// Cursors of streams that lack what a cursor here needs.
@Suite(.timeLimit(.minutes(1))) struct CursorImportTests {
  private static let option = "{ type: RequestOption, inject_into: request_parameter, field_name: since }"
  private static let loader = "schema_loader: { type: InlineSchemaLoader, schema: {"

  /// A stream with a cursor.
  private static func stream(
    key: String = "id", cursor: String = "", fields: String? = "id: { type: integer }", requester: String = "",
    retriever: String = "", more: String = ""
  ) -> String {
    var text = Manifest.stream(
      key: key, requester: "path: /items, \(requester)", retriever: retriever,
      stream:
        "incremental_sync: { type: DatetimeBasedCursor, cursor_field: updated_at, datetime_format: '%Y-%m-%dT%H:%M:%SZ', start_datetime: \"{{ config['start_date'] }}\"\(cursor) }\(more.isEmpty ? "" : "\n" + more)",
      fields: fields ?? "")
    if fields == nil { text = text.replacing("schema: { type: object, properties: {  } }", with: "schema: {}") }
    return Manifest.with(text)
  }

  private static func counting(_ cursor: String, key: String = "id") -> String {
    Manifest.with(
      Manifest.stream(
        key: key, stream: "incremental_sync: { type: IncrementingCountCursor, cursor_field: id, \(cursor) }"))
  }

  /// An end, the format of the cursor, and the `end` and `bounds` of the flow.
  private static let ends: [(end: String, format: String, keys: [String])] = [
    ("{{ now_utc().strftime('%Y-%m-%dT%H:%M:%SZ') }}", "%Y-%m-%dT%H:%M:%SZ", []),
    ("{{ now_utc() }}", "%Y-%m-%dT%H:%M:%SZ", []),
    (
      "{{ (now_utc() - duration('PT1H')).strftime('%Y-%m-%dT%H:%M:%SZ') }}", "%Y-%m-%dT%H:%M:%SZ",
      ["end: \"{{ now() - duration('PT1H') }}\""]
    ),
    ("{{ now_utc().strftime('%Y-%m-%d') }}", "%Y-%m-%dT%H:%M:%SZ", ["end: \"{{ date(now()) }}\""]),
    ("{{ today_utc() }}", "%Y-%m-%dT%H:%M:%SZ", ["end: \"{{ today() }}\""]),
    ("{{ now_utc().strftime('%Y-%m-%d') }}", "%Y-%m-%d", ["bounds: \"[]\""]),
    ("{{ today_utc() }}", "%Y-%m-%d", ["bounds: \"[]\""]),
    (
      "{{ (now_utc() - duration('P1D')).strftime('%Y-%m-%d') }}", "%Y-%m-%d",
      ["end: \"{{ date(now() - duration('P1D')) }}\"", "bounds: \"[]\""]
    ),
    (
      "{{ day_delta(-1, format='%Y-%m-%d') }}", "%Y%m%d",
      ["end: \"{{ date(add(now(), -1, 'day')) }}\"", "bounds: \"[]\""]
    ),
  ]

  @Test(arguments: ends)
  func `an end before the present stays one`(_ end: String, _ format: String, _ keys: [String]) throws {
    let manifest = Self.stream(
      cursor:
        ", start_time_option: \(Self.option), end_datetime: \"\(end)\", end_time_option: { type: RequestOption, inject_into: request_parameter, field_name: until }"
    ).replacing("datetime_format: '%Y-%m-%dT%H:%M:%SZ'", with: "datetime_format: '\(format)'")
    let imported = try Imported(manifest)
    #expect(imported.report.losses.isEmpty, "\(imported.report.losses)")
    let found = imported.text.split(separator: "\n").map { $0.trimmingPrefix { $0 == " " } }
    #expect(
      found.filter { $0.hasPrefix("end:") || $0.hasPrefix("bounds:") }.map { String($0) } == keys, "\(imported.text)")
  }

  @Test(arguments: cases) func `a cursor is carried over`(_ test: ImportCase) throws {
    test.verify(try Imported(test.source))
  }

  static let cases = [
    ImportCase(
      "the schema lacks the field", stream(cursor: ", start_time_option: \(option)"),
      has: ["updated_at: timestamp", "field: updated_at", "mode: merge"], lacks: ["record:"]),
    ImportCase(
      "no schema", stream(cursor: ", start_time_option: \(option)", fields: nil),
      has: [
        "key: id", "id: json", "updated_at: timestamp", "record: { from: $, type: json }", "mode: merge",
        "# the stream has no schema",
      ]),
    ImportCase(
      "no primary key", stream(key: "''", cursor: ", start_time_option: \(option)"),
      has: [
        "key: digest", "digest: { value: \"{{ sha256(to_json(source)) }}\", type: string }", "mode: merge",
        "# no primary key",
      ]),
    ImportCase(
      "neither", stream(key: "[]", cursor: ", start_time_option: \(option)", fields: nil),
      has: ["key: digest", "record: { from: $, type: json }"]),
    ImportCase(
      "no schema and no request that uses the start", stream(fields: nil),
      has: ["# primary_key: each run replaces all records"],
      lacks: ["record:", "cursor:"]),
    ImportCase(
      "integers", counting("start_value: 7, start_value_option: \(option)"),
      has: ["cursor: { field: id, start: \"7\", query: since }", "id: integer", "mode: merge"]),
    ImportCase(
      "integers from a variable", counting("start_value: \"{{ config['size'] }}\", start_time_option: \(option)"),
      has: ["start: \"{{ vars.size }}\""]),
    ImportCase("integers without a start", counting("start_value_option: \(option)"), has: ["start: \"0\""]),
    ImportCase("integers that no request uses", counting("start_value: 1"), has: ["# incremental_sync of 'id'"]),
    ImportCase(
      "the state is the start",
      stream(
        fields: "id: { type: integer }, updated_at: { type: string }",
        requester:
          "request_parameters: { a: \"{{ stream_state['updated_at'] }}\", b: \"{{ stream_state.get('updated_at') or config['start_date'] }}\", c: \"{{ stream_state['updated_at'] if stream_state else config['start_date'] }}\" }"
      ),
      has: ["a: \"{{ cursor.start }}\", b: \"{{ cursor.start }}\", c: \"{{ cursor.start }}\""]),
    ImportCase(
      "the cursor's field has the start of the range",
      stream(
        cursor: ", step: P1D, start_time_option: \(option)", fields: "id: { type: integer }",
        more:
          "transformations: [{ type: AddFields, fields: [{ path: [updated_at], value: \"{{ stream_slice['start_time'] }}\" }] }]"
      ),
      has: ["updated_at: { value: \"{{ cursor.start }}\", type: timestamp }", "field: updated_at"]),
    ImportCase(
      "the state with slices that no request uses is the start of one range",
      stream(
        cursor: ", step: P30D", fields: "id: { type: integer }",
        requester: "request_parameters: { a: \"{{ stream_state['updated_at'] }}\" }"),
      has: ["a: \"{{ cursor.start }}\"", "# step: P30D: no request uses the bounds of a slice"], lacks: ["slice:"]),
    ImportCase(
      "the state with slices is the position",
      stream(
        cursor: ", step: P30D, start_time_option: \(option)", fields: "id: { type: integer }",
        requester: "request_parameters: { a: \"{{ stream_state['updated_at'] }}\" }"),
      has: ["a: \"{{ optional(cursor.position) }}\"", "slice: 30d"]),
    ImportCase(
      "the state with a look-back is the position, which a first run has not",
      stream(
        cursor: ", lookback_window: P1D, start_time_option: \(option)", fields: "id: { type: integer }",
        requester:
          "request_parameters: { a: \"{{ stream_state['updated_at'] if stream_state else config['start_date'] }}\", b: \"{{ stream_state.get('updated_at') or 'never' }}\", c: \"{{ 'later' if stream_state.get('updated_at') else 'first' }}\" }"
      ),
      has: [
        "a: \"{{ optional(coalesce(cursor.position, vars.start_date)) }}\"",
        "b: \"{{ optional(coalesce(cursor.position, 'never')) }}\"",
        "c: \"{{ has(cursor.position) ? 'later' : 'first' }}\"",
      ]),
    ImportCase(
      "a filter compares with the position as records have it",
      stream(
        cursor: ", lookback_window: P1D, start_time_option: \(option)",
        fields: "id: { type: integer }, updated_at: { type: string }"
      ).replacing(
        "extractor: {",
        with:
          "record_filter: { condition: \"{{ record['updated_at'] > stream_state.get('updated_at', '') }}\" }, extractor: {"
      ),
      has: [
        "timestamp(string(coalesce(source.updated_at, ''))) > coalesce(cursor.position, timestamp('1970-01-01T00:00:00Z'))"
      ]),
    ImportCase(
      "another member of the state is not",
      stream(
        cursor: ", start_time_option: \(option)",
        requester: "request_parameters: { a: \"{{ stream_state['other'] }}\" }"),
      losses: [.expression]),
    ImportCase(
      "several extractors are a program",
      Manifest.with(
        Manifest.stream().replacing(
          "extractor: { type: DpathExtractor, field_path: [data] }",
          with:
            "extractor: { type: CombinedExtractor, extractors: [{ type: DpathExtractor, field_path: [a] }, { type: DpathExtractor, field_path: [b, c] }] }"
        )),
      has: [#"reshape: "(((arrays"#]),
    ImportCase(
      "one extractor is none",
      Manifest.with(
        Manifest.stream().replacing(
          "extractor: { type: DpathExtractor, field_path: [data] }",
          with: "extractor: { type: CombinedExtractor, extractors: [{ type: DpathExtractor, field_path: [a] }] }")),
      has: ["records: $.a"]),
  ]
}
