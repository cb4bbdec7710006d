import Importing
import TestSupport
import Testing

/// Manifests of random combinations of components: none crashes, and what is carried over is right.
@Suite(.timeLimit(.minutes(3))) struct RandomManifestTests {
  @Test func `random manifests pass check and explain`() throws {
    var (losses, flows) = (0, 0)
    for seed in 0..<400 {
      var maker = ManifestMaker(UInt64(seed))
      let manifest = maker.manifest()
      let imported = try Imported(manifest)
      losses += imported.report.losses.count
      flows += imported.report.flows.count
      // The check of the result finds nothing: the translation itself knows what it cannot carry over.
      let rejected = imported.report.losses.filter { $0.kind == .check }
      #expect(rejected.isEmpty, "seed \(seed): \(rejected)\n\(manifest)\n\(imported.text)")
    }
    #expect(flows > 500 && losses > 100)
  }

  @Test func `an import is the same each time`() throws {
    for seed in 0..<20 {
      var maker = ManifestMaker(UInt64(seed))
      let manifest = maker.manifest()
      #expect(try Imported(manifest).text == Imported(manifest).text)
    }
  }
}

/// Makes manifests from the published components.
struct ManifestMaker {
  private var generator: SeededGenerator

  init(_ seed: UInt64) { generator = SeededGenerator(seed) }

  private mutating func pick(_ choices: [String]) -> String { choices.randomElement(using: &generator) ?? "" }
  private mutating func chance(_ share: Double) -> Bool { Double.random(in: 0..<1, using: &generator) < share }

  private mutating func text() -> String {
    pick([
      "\"{{ config['region'] }}\"", "\"{{ config.get('state') }}\"", "plain", "\"{{ config['size'] * 2 }}\"",
      "\"a {{ config['start_date'] }}\"",
      "\"{{ now_utc().strftime('%Y-%m-%d') }}\"", "\"{{ 'x' if config['flag'] else 'y' }}\"",
      "\"{{ parameters['extra'] }}\"", "5", "true",
      "\"{{ config['state'] or config['region'] }}\"", "\"{{ config['names'] | join(',') }}\"",
      "\"{{ config['credentials']['token'] }}\"",
      "\"{{ generate_uuid() }}\"", "\"{{ config['odd'] | unknown }}\"", "null",
      "\"{% if config['flag'] %}1{% else %}2{% endif %}\"",
      "\"{{ config.get('odd', 'd') }}\"",
    ])
  }

  private mutating func authenticator() -> String {
    pick([
      "", "", "authenticator: { type: BearerAuthenticator, api_token: \"{{ config['api_key'] }}\" }",
      "authenticator: { type: BasicHttpAuthenticator, username: \"{{ config['region'] }}\", password: \"{{ config['api_key'] }}\" }",
      "authenticator: { type: ApiKeyAuthenticator, api_token: \"{{ config['api_key'] }}\", inject_into: { type: RequestOption, inject_into: header, field_name: X-Key } }",
      "authenticator: { type: NoAuth }", "authenticator: { type: CustomAuthenticator, class_name: a.B }",
      "authenticator: { type: OAuthAuthenticator, token_refresh_endpoint: \"https://{{ config['region'] }}.example.com/t\", client_id: x, client_secret: \"{{ config['api_key'] }}\", refresh_token: \"{{ config['credentials']['token'] }}\", refresh_token_updater: {} }",
      "authenticator: { type: SelectiveAuthenticator, authenticator_selection_path: [credentials, kind], authenticators: { a: { type: CustomAuthenticator, class_name: c.D }, b: { type: BearerAuthenticator, api_token: \"{{ config['api_key'] }}\" } } }",
      "authenticator: { type: JwtAuthenticator, secret_key: \"{{ config['api_key'] }}\", algorithm: HS256 }",
      "authenticator: { type: SessionTokenAuthenticator, session_token_path: [t], login_requester: { type: HttpRequester, url_base: https://login.example.com, path: l, http_method: POST, authenticator: { type: BasicHttpAuthenticator, username: u, password: \"{{ config['api_key'] }}\" } }, request_authentication: { type: Bearer } }",
    ])
  }

  private mutating func option(_ name: String) -> String {
    let place = pick(["request_parameter", "request_parameter", "header", "body_json", "body_data"])
    return "{ type: RequestOption, inject_into: \(place), field_name: \(name) }"
  }

  private mutating func paginator() -> String {
    let strategy = pick([
      "{ type: PageIncrement, page_size: 10, start_from_page: 1 }", "{ type: PageIncrement }",
      "{ type: OffsetIncrement, page_size: \"{{ config['size'] }}\" }",
      "{ type: OffsetIncrement, page_size: 3 }",
      "{ type: CursorPagination, cursor_value: \"{{ response.next }}\", page_size: 5 }",
      "{ type: CursorPagination, cursor_value: \"{{ last_record['id'] }}\", stop_condition: \"{{ last_page_size < 5 }}\" }",
      "{ type: CursorPagination, cursor_value: \"{{ headers['x-next'] }}\", stop_condition: \"{{ not response.more }}\" }",
      "{ type: CursorPagination, cursor_value: \"{{ response.page + 1 if response.page < response.pages else '' }}\" }",
      "{ type: CursorPagination, cursor_value: \"{{ headers.link.next.url }}\" }",
      "{ type: CustomPaginationStrategy, class_name: a.B }",
    ])
    let token = chance(0.15) ? "{ type: RequestPath }" : option("page")
    let size = chance(0.5) ? ", page_size_option: \(option("size"))" : ""
    return "paginator: { type: DefaultPaginator, pagination_strategy: \(strategy), page_token_option: \(token)\(size) }"
  }

  private mutating func cursor() -> String {
    let format = pick([
      "'%Y-%m-%dT%H:%M:%SZ'", "'%Y-%m-%d'", "'%s'", "'%ms'", "'%Y-%m-%dT%H:%M:%S.%fZ'", "'%d/%m/%Y'", "'%Q'",
    ])
    let start = pick([
      "\"{{ config['start_date'] }}\"", "'2024-01-01T00:00:00Z'",
      "{ type: MinMaxDatetime, datetime: \"{{ config['start_date'] }}\", min_datetime: \"{{ day_delta(-10) }}\" }",
      "{ datetime: '2024-01-01', datetime_format: '%Y-%m-%d' }", "\"{{ now_utc().strftime('%Y-%m-%dT%H:%M:%SZ') }}\"",
    ])
    var parts = [
      "type: DatetimeBasedCursor", "cursor_field: \(pick(["updated_at", "day", "missing"]))",
      "datetime_format: \(format)", "start_datetime: \(start)",
    ]
    if chance(0.7) { parts.append("start_time_option: \(option("since"))") }
    if chance(0.4) { parts.append("end_time_option: \(option("until"))") }
    if chance(0.3) { parts.append("end_datetime: \"{{ config.get('until', now_utc().strftime('%Y-%m-%d')) }}\"") }
    if chance(0.4) { parts.append("step: \(pick(["P1D", "P1M", "PT1H", "P1Y"])), cursor_granularity: PT1S") }
    if chance(0.3) { parts.append("lookback_window: \(pick(["P1D", "P1M", "PT5M", "\"P{{ config['size'] }}D\""]))") }
    if chance(0.1) { parts.append("is_data_feed: true") }
    if chance(0.1) { parts.append("is_client_side_incremental: true") }
    return "incremental_sync: { \(parts.joined(separator: ", ")) }"
  }

  private mutating func transformations() -> String {
    var list: [String] = []
    for _ in 0..<Int.random(in: 1...3, using: &generator) {
      list.append(
        pick([
          "{ type: AddFields, fields: [{ path: [added], value: \"{{ record['a'] }}\" }] }",
          "{ type: AddFields, fields: [{ path: [id], value: \"{{ record.get('key', 0) }}\" }] }",
          "{ type: AddFields, condition: \"{{ record.a == 1 }}\", fields: [{ path: [x], value: \(text()) }] }",
          "{ type: AddFields, fields: [{ path: [a, b], value: c }] }",
          "{ type: AddFields, fields: [{ path: [region], value: \"{{ config['region'] }}\", value_type: string }] }",
          "{ type: RemoveFields, field_pointers: [[name], [a, b], ['**', z]] }", "{ type: KeysToLower }",
          "{ type: KeysToSnakeCase }", "{ type: FlattenFields }",
          "{ type: DpathFlattenFields, field_path: [a] }", "{ type: KeysReplace, old: ' ', new: _ }",
          "{ type: CustomTransformation, class_name: a.B }",
        ]))
    }
    return "transformations: [\(list.joined(separator: ", "))]"
  }

  private mutating func errors() -> String {
    let filter = pick([
      "{ http_codes: [404], action: IGNORE }",
      "{ predicate: \"{{ response.get('ok') == false }}\", action: FAIL, error_message: \"{{ response.message }}\" }",
      "{ error_message_contains: \"rate 'limit'\", action: RETRY }", "{ http_codes: [500, 503], action: RETRY }",
      "{ http_codes: [429], action: RATE_LIMITED }",
      "{ http_codes: [400], action: SUCCESS }", "{ http_codes: [400], action: RESET_PAGINATION }",
      "{ predicate: \"{{ headers['X-A'] == '0' }}\", action: RATE_LIMITED }",
    ])
    let wait = pick([
      "", ", backoff_strategies: [{ type: ConstantBackoffStrategy, backoff_time_in_seconds: 5 }]",
      ", backoff_strategies: [{ type: WaitUntilTimeFromHeader, header: X-RateLimit-Reset }]",
      ", max_retries: \"{{ config['size'] }}\"",
    ])
    return "error_handler: { type: DefaultErrorHandler, response_filters: [\(filter)]\(wait) }"
  }

  private mutating func stream(_ index: Int, of count: Int) -> String {
    var requester = [
      "type: HttpRequester",
      "url_base: \(pick(["https://api.example.com", "\"https://{{ config['region'] }}.example.com/v1/\"", "https://api.example.com/v2"]))",
    ]
    var path = pick(["/a", "b/c", "\"/r/{{ config['region'] }}\"", "''", "\"{{ parameters['extra'] }}\""])
    var router = ""
    if index > 0, chance(0.4) {
      path = "\"/s/{{ stream_partition.p }}\""
      router =
        "partition_router: { type: SubstreamPartitionRouter, parent_stream_configs: [{ stream: \"#/definitions/s\(Int.random(in: 0..<index, using: &generator))\", parent_key: \(pick(["id", "code", "a.b"])), partition_field: p, incremental_dependency: \(chance(0.5)) }] }"
    } else if chance(0.2) {
      router =
        "partition_router: [{ type: ListPartitionRouter, cursor_field: kind, values: [x, y], request_option: \(option("kind")) }, { type: ListPartitionRouter, cursor_field: page, values: \"{{ config['names'] }}\" }]"
    }
    requester.append("path: \(path)")
    let method = pick(["GET", "GET", "POST"])
    requester.append("http_method: \(method)")
    for part in [authenticator(), errors()] where !part.isEmpty && chance(0.7) { requester.append(part) }
    if chance(0.6) { requester.append("request_parameters: { a: \(text()), b: \(text()) }") }
    if chance(0.4) { requester.append("request_headers: { X-A: \(text()), Accept: application/json }") }
    if method == "POST", chance(0.6) {
      requester.append(
        pick([
          "request_body_json: { a: { b: \(text()) } }", "request_body_data: { a: \(text()) }",
          "request_body_json: \"{{ config['region'] }}\"",
        ]))
    }
    var retriever = ["type: SimpleRetriever", "requester: { \(requester.joined(separator: ", ")) }"]
    let filter = pick([
      "", ", record_filter: { condition: \"{{ record['a'] == 1 or record.b }}\" }",
      ", record_filter: { condition: \"{{ record.updated_at >= stream_interval.start_time }}\" }",
    ])
    retriever.append(
      "record_selector: { extractor: { type: DpathExtractor, field_path: \(pick(["[]", "[data]", "['*', items]", "[data, '*']", "[\"{{ config['region'] }}\"]"])) }\(filter) }"
    )
    if !router.isEmpty { retriever.append(router) }
    if chance(0.7) { retriever.append(paginator()) }
    if chance(0.1) { retriever.append("decoder: { type: \(pick(["JsonDecoder", "CsvDecoder", "XmlDecoder"])) }") }
    var parts = ["type: DeclarativeStream", "name: s\(index)", "$parameters: { extra: \(pick(["x", "'/y/z'"])) }"]
    if chance(0.8) { parts.append("primary_key: \(pick(["id", "[id]", "[id, code]", "[[id], [a, b]]"]))") }
    parts.append("retriever: { \(retriever.joined(separator: ", ")) }")
    if chance(0.5) { parts.append(cursor()) }
    if chance(0.5) { parts.append(transformations()) }
    if chance(0.85) {
      parts.append(
        "schema_loader: { type: InlineSchemaLoader, schema: { type: object, properties: { id: { type: \(pick(["integer", "string", "['null', string]", "number"])) }, name: { type: string }, updated_at: { type: \(pick(["string", "[string, 'null']", "integer"]))\(pick(["", ", format: date-time"])) }, day: { type: string, format: date }, a: { type: object, properties: { b: { type: integer } } } } } }"
      )
    }
    return "  s\(index): { \(parts.joined(separator: ", ")) }"
  }

  /// A manifest of one to four streams.
  mutating func manifest() -> String {
    let count = Int.random(in: 1...4, using: &generator)
    let definitions = (0..<count).map { stream($0, of: count) }
    let streams = (0..<count).filter { _ in chance(0.9) }.map { "\"#/definitions/s\($0)\"" }
    return """
      version: 6.1.0
      type: DeclarativeSource
      check: { type: CheckStream, stream_names: [s0] }
      definitions:
      \(definitions.joined(separator: "\n"))
      streams: [\(streams.joined(separator: ", "))]
      spec:
        connection_specification:
          required: [api_key, start_date]
          properties:
            api_key: { type: string, airbyte_secret: true }
            start_date: { type: string, format: date-time, default: 2024-01-01T00:00:00Z }
            region: { type: string, default: eu }
            state: { type: string }
            size: { type: integer, default: 10 }
            flag: { type: boolean }
            names: { type: array, items: { type: string }, default: [a, b] }
            credentials: { type: object, oneOf: [{ properties: { kind: { const: t }, token: { type: string, airbyte_secret: true } } }] }
      """
  }
}
