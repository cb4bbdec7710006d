import Importing
import Testing

/// One manifest for each kind of component, and what it becomes.
@Suite(.timeLimit(.minutes(1))) struct ComponentTests {
  struct Case: CustomTestStringConvertible {
    let name: String
    let manifest: String
    /// Texts that the flow file has.
    var has: [String] = []
    /// Texts that it does not have.
    var lacks: [String] = []
    /// The kinds of its losses, in order.
    var losses: [ImportReport.Kind] = []
    var testDescription: String { name }
  }

  @Test(arguments: requests + authorizations + pageCases + cursors + partitions + records + formats + errors + whole)
  func `a component becomes its counterpart`(_ test: Case) throws {
    let imported = try Imported(test.manifest)
    for text in test.has { #expect(imported.text.contains(text), "'\(text)' is missing in\n\(imported.text)") }
    for text in test.lacks { #expect(!imported.text.contains(text), "'\(text)' is in\n\(imported.text)") }
    #expect(imported.report.losses.map(\.kind) == test.losses, "\(imported.report.losses)\n\(imported.text)")
  }

  private static func of(_ requester: String) -> String {
    Manifest.with(Manifest.stream(requester: "path: /items, \(requester)"))
  }
  private static func auth(_ text: String) -> String { of("authenticator: { \(text) }") }
  private static func paged(_ text: String) -> String {
    Manifest.with(Manifest.stream(retriever: "paginator: { type: DefaultPaginator, \(text) }"))
  }
  private static func cursor(_ text: String, retriever: String = "", requester: String = "path: /items") -> String {
    Manifest.with(
      Manifest.stream(
        requester: requester, retriever: retriever,
        stream:
          "incremental_sync: { type: DatetimeBasedCursor, cursor_field: updated_at, datetime_format: '%Y-%m-%dT%H:%M:%SZ', start_datetime: \"{{ config['start_date'] }}\", \(text) }"
      ))
  }
  private static let page =
    "page_token_option: { type: RequestOption, inject_into: request_parameter, field_name: page }"
  private static let size =
    "page_size_option: { type: RequestOption, inject_into: request_parameter, field_name: limit }"

  // MARK: - Requests

  static let requests = [
    Case(
      name: "conditions that are decided before a run",
      manifest: Manifest.with(
        Manifest.stream(
          requester:
            "path: /items, request_parameters: { since: \"{{ stream_interval['start_time'] if stream_interval else '' }}\", q: \"a{{ ' and b' if parameters.get('more') }}\", r: \"{% if stream_partition %}{{ stream_partition['x'] }}{% else %}all{% endif %}\" }"
        )), has: ["q: a", "r: all"], lacks: ["since"]),
    Case(
      name: "parameters that may have no value are left out",
      manifest: of(
        "request_parameters: { limit: 10, region: \"{{ config['region'] }}\", state: \"{{ config.get('state') }}\", max: \"{{ config['limit'] }}\" }"
      ),
      has: [
        "limit: 10", "region: \"{{ vars.region }}\"", "state: \"{{ optional(vars.state) }}\"",
        "max: \"{{ optional(vars.limit) }}\"",
        "state: { type: string }", "limit: { type: integer }", "region: eu",
      ]),
    Case(
      name: "headers and a whole URL with a query",
      manifest: Manifest.with(
        Manifest.stream(
          requester:
            "url: 'https://other.example.com/a/b?fixed=1&q={{ config.region }}', request_headers: { X-Region: '{{ config.region }}', Host: x }"
        )),
      has: ["path: /a/b", "fixed: \"1\"", "X-Region: \"{{ vars.region }}\"", "base_url: https://other.example.com"],
      lacks: ["Host"]),
    Case(
      name: "a JSON body",
      manifest: of(
        "http_method: POST, request_body_json: { a: { b: '{{ config.size }}', num: 5, s: '7' }, list: [x, true] }"),
      has: ["method: POST", "b: \"{{ vars.size }}\", num: 5, s: 7", "list: [x, true]"]),
    Case(
      name: "parameters and headers of one expression",
      manifest: of(
        "request_parameters: \"{{ {'state': config['state'], 'page': 1} if config.get('state') else {'page': 1, 'all': 'true'} }}\", request_headers: \"{{ {'X-A': config['region']} }}\""
      ),
      has: [
        "state: \"{{ optional(vars.state != '' ? vars.state : null) }}\"", "page: \"1\"",
        "all: \"{{ optional(vars.state != '' ? null : 'true') }}\"", "X-A: \"{{ vars.region }}\"",
      ]),
    Case(
      name: "tests of kinds",
      manifest: of(
        "request_parameters: { a: \"{{ 'x' if config['region'] is string else 'y' }}\", b: \"{{ 'x' if config['limit'] is iterable else 'y' }}\" }"
      ),
      has: ["a: x", "b: \"y\""]),
    Case(
      name: "a body with GET",
      manifest: of("request_body: { type: RequestBodyJsonObject, value: { a: 1 } }"),
      has: ["method: GET", "body: { json: { a: 1 } }"]),
    Case(
      name: "a form", manifest: of("http_method: POST, request_body_data: { grant: \"{{ config['state'] }}\" }"),
      has: ["body: { form: { grant: \"{{ optional(vars.state) }}\" } }"]),
    Case(
      name: "GraphQL",
      manifest: of(
        "http_method: POST, request_body: { type: RequestBodyGraphQL, value: { query: 'query { items { id } }' } }"),
      has: ["graphql: \"query { items { id } }\""]),
    Case(
      name: "GraphQL with variables, also of the pages",
      manifest: Manifest.with(
        Manifest.stream(
          requester:
            "path: /items, http_method: POST, request_body: { type: RequestBodyGraphQL, value: { query: 'query ($n: Int, $after: String) { items { id } }', variables: { n: 5, region: \"{{ config['region'] }}\" } } }",
          retriever:
            "paginator: { type: DefaultPaginator, pagination_strategy: { type: CursorPagination, cursor_value: \"{{ response.next }}\" }, page_token_option: { type: RequestOption, inject_into: body_json, field_path: [variables, after] } }"
        )),
      has: ["graphql:", "5, region: \"{{ vars.region }}\"", "after: \"{{ optional(page.token) }}\"", "from: $.next"]),
    Case(
      name: "GraphQL with a member of its own",
      manifest: of(
        "http_method: POST, request_body: { type: RequestBodyGraphQL, value: { query: 'query { items { id } }', extensions: { a: 1 } } }"
      ), has: ["graphql: \"query { items { id } }\""], losses: [.request]),
    Case(
      name: "a time, or nothing, in a text",
      manifest: of(
        "request_parameters: { until: \"{% if config.get('limit', 1) > 1 %}{{ today_utc() }}{% endif %}\" }"),
      has: ["until: \"{{ ", "format(today(), '%Y-%m-%d')"]),
    Case(
      name: "an expression without a counterpart is named at its line",
      manifest: of("request_parameters: { a: \"{{ generate_uuid() }}\", b: 1 }"),
      has: ["b: 1", "# not imported: request_parameters.a"],
      losses: [.expression]),
  ]

  // MARK: - Authorization

  static let authorizations = [
    Case(
      name: "bearer", manifest: auth("type: BearerAuthenticator, api_token: \"{{ config['api_key'] }}\""),
      has: ["auth: { bearer: \"{{ secrets.API_KEY }}\" }", "secrets: [API_KEY"]),
    Case(
      name: "basic", manifest: auth("type: BasicHttpAuthenticator, username: \"{{ config['api_key'] }}\""),
      has: ["basic: { username: \"{{ secrets.API_KEY }}\", password: \"\" }"]),
    Case(
      name: "a key in the query",
      manifest: auth(
        "type: ApiKeyAuthenticator, api_token: \"{{ config['api_key'] }}\", inject_into: { type: RequestOption, inject_into: request_parameter, field_name: key }"
      ),
      has: ["api_key: { query: key, value: \"{{ secrets.API_KEY }}\" }"]),
    Case(
      name: "a key in a header",
      manifest: auth("type: ApiKeyAuthenticator, header: X-Key, api_token: \"k {{ config['api_key'] }}\""),
      has: ["api_key: { header: X-Key, value: \"k {{ secrets.API_KEY }}\" }"]),
    Case(
      name: "a refresh token",
      manifest: auth(
        "type: OAuthAuthenticator, token_refresh_endpoint: 'https://login.example.com/token', client_id: \"{{ config['credentials']['client_id'] }}\", client_secret: \"{{ config['credentials']['client_secret'] }}\", refresh_token: \"{{ config['credentials']['refresh_token'] }}\", scopes: [read], refresh_request_body: { audience: x }"
      ),
      has: [
        "grant: refresh_token", "url: https://login.example.com/token",
        "refresh_token: \"{{ secrets.CREDENTIALS_REFRESH_TOKEN }}\"",
        "single_use: false", "scopes: [read]", "audience: x", "send: body",
      ]),
    Case(
      name: "an empty refresh token",
      manifest: auth(
        "type: OAuthAuthenticator, token_refresh_endpoint: 'https://login.example.com/token', client_id: \"{{ config['credentials']['client_id'] }}\", client_secret: \"{{ config['credentials']['client_secret'] }}\", refresh_token: ''"
      ),
      has: ["# refresh_token: it is empty", "url: https://login.example.com/token"],
      lacks: ["grant:", "not imported"]),
    Case(
      name: "client credentials",
      manifest: auth(
        "type: OAuthAuthenticator, grant_type: client_credentials, token_refresh_endpoint: 'https://login.example.com/token', client_id: a, client_secret: \"{{ config['api_key'] }}\""
      ),
      has: ["client_id: a", "client_secret: \"{{ secrets.API_KEY }}\""], lacks: ["grant:"]),
    Case(
      name: "a token of a server that the configuration gives",
      manifest: auth(
        "type: OAuthAuthenticator, grant_type: refresh_token, token_refresh_endpoint: \"{{ config['site'] }}/oauth/token\", client_id: a, client_secret: \"{{ config['api_key'] }}\", refresh_token: \"{{ config['api_key'] }}\", access_token_name: accessToken"
      ), has: ["path: /oauth/token", "token: $.accessToken", "vars.site"]),
    Case(
      name: "a token request with names of its own",
      manifest: auth(
        "type: OAuthAuthenticator, grant_type: password, token_refresh_endpoint: 'https://login.example.com/token', client_id: a, client_secret: \"{{ config['api_key'] }}\", access_token_name: token"
      ),
      has: [
        "login:", "base_url: https://login.example.com", "path: /token", "token: $.token",
        "expires_after: $.expires_in",
      ]),
    Case(
      name: "a session",
      manifest: auth(
        "type: SessionTokenAuthenticator, session_token_path: [data, token], expiration_duration: PT1H, login_requester: { type: HttpRequester, url_base: https://api.example.com/v1, path: login, http_method: POST, request_body_json: { key: \"{{ config['api_key'] }}\" } }, request_authentication: { type: ApiKey, inject_into: { type: RequestOption, inject_into: header, field_name: X-Session } }"
      ),
      has: [
        "login:", "token: $.data.token", "expires_after: 1h", "header: X-Session", "key: \"{{ secrets.API_KEY }}\"",
      ]),
    Case(
      name: "custom code", manifest: auth("type: CustomAuthenticator, class_name: source_x.Auth"),
      has: ["# not imported: authenticator: source_x.Auth"], losses: [.customCode]),
    Case(
      name: "a choice by the configuration",
      manifest: auth(
        "type: SelectiveAuthenticator, authenticator_selection_path: [credentials, kind], authenticators: { token: { type: BearerAuthenticator, api_token: \"{{ config['credentials']['token'] }}\" }, oauth: { type: OAuthAuthenticator, token_refresh_endpoint: 'https://login.example.com/token', client_id: \"{{ config['credentials']['client_id'] }}\", client_secret: \"{{ config['credentials']['client_secret'] }}\", refresh_token: \"{{ config['credentials']['refresh_token'] }}\" }, open: { type: NoAuth } }"
      ),
      has: [
        "choose:", "by: vars.credentials_kind", "token: { bearer: \"{{ secrets.CREDENTIALS_TOKEN }}\" }",
        "grant: refresh_token", "open: none",
      ]),
    Case(
      name: "a choice of which one case is code",
      manifest: auth(
        "type: SelectiveAuthenticator, authenticator_selection_path: [credentials, kind], authenticators: { token: { type: BearerAuthenticator, api_token: \"{{ config['api_key'] }}\" }, oauth2.0: { type: CustomAuthenticator, class_name: a.B } }"
      ),
      has: ["cases: { token: { bearer: \"{{ secrets.API_KEY }}\" } }", "# not imported: authenticator: a.B"],
      losses: [.customCode]),
    Case(
      name: "a choice by a structure",
      manifest: auth(
        "type: SelectiveAuthenticator, authenticator_selection_path: [credentials], authenticators: { token: { type: BearerAuthenticator, api_token: \"{{ config['api_key'] }}\" } }"
      ), lacks: ["auth:"], losses: [.authentication]),
    Case(
      name: "a signed token",
      manifest: auth(
        "type: JwtAuthenticator, secret_key: \"{{ config['api_key'] }}\", algorithm: ES256, token_duration: 600, header_prefix: Bearer, jwt_headers: { kid: \"{{ config['region'] }}\", typ: JWT, cty: x }, jwt_payload: { iss: me, aud: \"{{ config['region'] }}\" }, additional_jwt_payload: { admin: true, exp: 5 }"
      ),
      has: [
        "jwt:", "algorithm: ES256", "key: \"{{ secrets.API_KEY }}\"", "key_id: \"{{ vars.region }}\"", "iss: me",
        "aud: \"{{ vars.region }}\"", "admin: true", "expires_after: 10m", "headers: { cty: x }",
      ], lacks: ["value:", "exp:", "typ:"]),
    Case(
      name: "a signed token with a shared key in base64, without a prefix",
      manifest: auth(
        "type: JwtAuthenticator, secret_key: \"{{ config['api_key'] }}\", algorithm: HS256, base64_encode_secret_key: true"
      ),
      has: ["key: \"{{ base64_encode(secrets.API_KEY) }}\"", "value: \"{{ token }}\"", "expires_after: 20m"]),
    Case(
      name: "a signed token in a parameter",
      manifest: auth(
        "type: JwtAuthenticator, secret_key: \"{{ config['api_key'] }}\", algorithm: HS512, header_prefix: T, request_option: { type: RequestOption, inject_into: request_parameter, field_name: jwt }"
      ),
      has: ["query: jwt", "value: \"T {{ token }}\""]),
    Case(
      name: "an algorithm that is not known",
      manifest: auth("type: JwtAuthenticator, secret_key: \"{{ config['api_key'] }}\", algorithm: EdDSA"),
      has: ["# not imported: authenticator: a token signed with EDDSA"], lacks: ["auth:"], losses: [.authentication]),
    Case(
      name: "a profile assertion",
      manifest: auth(
        "type: OAuthAuthenticator, token_refresh_endpoint: 'https://login.example.com/token', grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', use_profile_assertion: true, profile_assertion: { type: JwtAuthenticator, secret_key: \"{{ config['api_key'] }}\", algorithm: RS256, token_duration: 3600, jwt_payload: { iss: me, scope: read } }"
      ),
      has: [
        "grant: jwt_bearer", "url: https://login.example.com/token", "jwt:", "algorithm: RS256",
        "claims: { iss: me, scope: read }", "expires_after: 1h",
      ], lacks: ["        client_id:"]),
    Case(
      name: "an undeclared credential is a secret",
      manifest: auth("type: BearerAuthenticator, api_token: \"{{ config['other'] }}\""),
      has: ["bearer: \"{{ secrets.OTHER }}\""]),
  ]

  // MARK: - Pages

  static let pageCases = [
    Case(
      name: "pages that become smaller",
      manifest: Manifest.with(
        Manifest.stream(
          requester:
            "path: /items, error_handler: { type: DefaultErrorHandler, response_filters: [{ http_codes: [500], action: REDUCE_PAGE_SIZE }] }",
          retriever:
            "page_size_reduction: { type: PageSizeReduction, minimum_page_size: 10 }\npaginator: { type: DefaultPaginator, pagination_strategy: { type: OffsetIncrement, page_size: 100 }, page_size_option: { type: RequestOption, inject_into: request_parameter, field_name: limit }, page_token_option: { type: RequestOption, inject_into: request_parameter, field_name: offset } }"
        )), has: ["do: shrink", "min: 10", "short: end"], lacks: ["stop:"]),
    Case(
      name: "numbered pages that become smaller",
      manifest: Manifest.with(
        Manifest.stream(
          requester:
            "path: /items, error_handler: { type: DefaultErrorHandler, response_filters: [{ http_codes: [500], action: REDUCE_PAGE_SIZE }] }",
          retriever:
            "page_size_reduction: { type: PageSizeReduction }\npaginator: { type: DefaultPaginator, pagination_strategy: { type: PageIncrement, page_size: 100 }, page_size_option: { type: RequestOption, inject_into: request_parameter, field_name: limit }, page_token_option: { type: RequestOption, inject_into: request_parameter, field_name: page } }"
        )), lacks: ["shrink"], losses: [.pages, .errors]),
    Case(
      name: "a link that is asked for where it is there",
      manifest: paged(
        "pagination_strategy: { type: CursorPagination, cursor_value: \"{{ headers['link']['next']['url'] if 'next' in headers['link'] else '' }}\" }, page_token_option: { type: RequestPath }"
      ), has: ["pages: link"]),
    Case(
      name: "a token that is asked for where it is there",
      manifest: paged(
        "pagination_strategy: { type: CursorPagination, cursor_value: \"{{ response.meta.next if response.meta and response.meta.next else none }}\" }, page_token_option: { type: RequestOption, inject_into: request_parameter, field_name: after }"
      ), has: ["from: $.meta.next", "missing: end"]),
    Case(
      name: "a token that is asked for by another member",
      manifest: paged(
        "pagination_strategy: { type: CursorPagination, cursor_value: \"{{ response.next if response.more else none }}\" }, page_token_option: { type: RequestOption, inject_into: request_parameter, field_name: after }"
      ), has: ["response.more"], lacks: ["from: $.next"]),
    Case(
      name: "pages by number",
      manifest: paged(
        "pagination_strategy: { type: PageIncrement, page_size: 50, start_from_page: 1 }, \(page), \(size)"),
      has: ["pages: { by: page, query: page, size: 50, size_query: limit, stop: page.records < 50 }"]),
    Case(
      name: "pages by number from 0, and a size from the configuration",
      manifest: paged(
        "pagination_strategy: { type: PageIncrement, page_size: \"{{ config['size'] }}\" }, \(page), \(size)"),
      has: ["start: 0", "size: \"{{ vars.size }}\"", "stop: page.records < vars.size"]),
    Case(
      name: "an offset in the body",
      manifest: Manifest.with(
        Manifest.stream(
          requester: "path: /items, http_method: POST, request_body_json: { a: 1 }",
          retriever:
            "paginator: { type: DefaultPaginator, pagination_strategy: { type: OffsetIncrement, page_size: 5 }, page_token_option: { type: RequestOption, inject_into: body_json, field_path: [page, offset] } }"
        )), has: ["page: { offset: \"{{ page.offset }}\" }", "by: offset", "stop: page.records < 5"]),
    Case(
      name: "a cursor in the response",
      manifest: paged(
        "pagination_strategy: { type: CursorPagination, cursor_value: \"{{ response.get('meta', {}).get('next') }}\", stop_condition: \"{{ not response.get('meta', {}).get('next') }}\" }, \(page)"
      ),
      has: ["by: cursor", "from: $.meta.next", "query: page", "missing: end"], lacks: ["stop", "more"]),
    Case(
      name: "a flag for more pages, and the last record",
      manifest: paged(
        "pagination_strategy: { type: CursorPagination, cursor_value: \"{{ last_record['id'] }}\", stop_condition: \"{{ not response['has_more'] }}\" }, \(page)"
      ),
      has: ["from_last: $.id", "more: $.has_more"]),
    Case(
      name: "a header",
      manifest: paged(
        "pagination_strategy: { type: CursorPagination, cursor_value: \"{{ headers['X-Next'] }}\" }, \(page)"),
      has: ["from: headers.X-Next"]),
    Case(
      name: "a Link header",
      manifest: paged(
        "pagination_strategy: { type: CursorPagination, cursor_value: \"{{ headers['link']['next']['url'] }}\", stop_condition: \"{{ 'next' not in headers['link'] }}\" }, page_token_option: { type: RequestPath }"
      ),
      has: ["pages: link"]),
    Case(
      name: "the URL of the next page",
      manifest: paged(
        "pagination_strategy: { type: CursorPagination, cursor_value: \"{{ response.next }}\" }, page_token_option: { type: RequestPath }"
      ),
      has: ["by: next_url", "from: $.next"]),
    Case(
      name: "a parameter whose name is a value that nothing declares",
      manifest: paged(
        "pagination_strategy: { type: PageIncrement, page_size: 5 }, page_size_option: { type: RequestOption, inject_into: request_parameter, field_name: \"{{ config['nothing'] }}\" }, \(page)"
      ),
      has: ["# a parameter without a name: a server does not read it", "by: page", "stop: page.records < 5"],
      lacks: ["not imported", "nothing"]),
    Case(
      name: "the URL of the next page in the last record",
      manifest: paged(
        "pagination_strategy: { type: CursorPagination, cursor_value: \"{{ last_record['links']['next'] }}\", stop_condition: \"{{ not response.get('data', []) }}\" }, page_token_option: { type: RequestPath }"
      ),
      has: ["pages: { by: next_url, next: last.links.next, stop: page.records == 0, missing: end }"]),
    Case(
      name: "an expression on the page",
      manifest: paged(
        "pagination_strategy: { type: CursorPagination, cursor_value: \"{{ response['page'] + 1 }}\", stop_condition: \"{{ response['data'] | length < 10 or last_page_size == 0 }}\" }, \(page)"
      ),
      has: ["next: coalesce(response.page, 0) + 1", "stop: page.records < 10 || page.records == 0"]),
    Case(
      name: "the token in the path",
      manifest: Manifest.with(
        Manifest.stream(
          requester: "path: '/items', request_parameters: { after: \"{{ next_page_token['next_page_token'] }}\" }",
          retriever:
            "paginator: { type: DefaultPaginator, pagination_strategy: { type: CursorPagination, cursor_value: '{{ response.next }}' } }"
        )),
      has: ["after: \"{{ optional(page.token) }}\""]),
    Case(
      name: "a strategy in code",
      manifest: paged("pagination_strategy: { type: CustomPaginationStrategy, class_name: a.B }, \(page)"),
      has: ["# not imported: pagination_strategy: a.B"], losses: [.customCode]),
  ]

  // MARK: - Cursors

  private static let since =
    "start_time_option: { type: RequestOption, inject_into: request_parameter, field_name: since }"
  private static let until =
    "end_time_option: { type: RequestOption, inject_into: request_parameter, field_name: until }"

  static let cursors = [
    Case(
      name: "a start in the query", manifest: cursor(since),
      has: [
        "cursor:", "field: updated_at", "start: \"{{ vars.start_date }}\"", "query: since", "mode: merge",
        "start_date: { type: timestamp }",
        "updated_at: timestamp",
      ]),
    Case(
      name: "slices with both ends",
      manifest: cursor("\(since), \(until), step: P1M, cursor_granularity: PT1S, lookback_window: P2D"),
      has: ["end: until", "slice: P1M", "lookback: 2d", "bounds: \"[]\""]),
    Case(
      name: "lengths from the configuration",
      manifest: cursor("\(since), \(until), step: \"P{{ config['size'] }}D\", cursor_granularity: PT1S"),
      has: ["slice: \"P{{ vars.size }}D\""]),
    Case(
      name: "bounds in the request",
      manifest: cursor(
        "partition_field_start: from",
        requester:
          "path: /items, request_parameters: { q: \"updated > {{ stream_interval['from'] }} and < {{ stream_interval.end_time }}\" }"
      ),
      has: ["q: \"updated > {{ cursor.start }} and < {{ cursor.end }}\"", "end: now"]),
    Case(
      name: "pages that begin anew at the last record",
      manifest: cursor(
        since,
        retriever:
          "pagination_reset: { type: PaginationReset, action: SPLIT_USING_CURSOR, limits: { type: PaginationResetLimits, number_of_records: 30000 } }"
      ),
      has: ["cap: { records: 30000, then: restart }"], lacks: ["not imported"]),
    Case(
      name: "pages that begin anew after a response",
      manifest: cursor(
        since, retriever: "pagination_reset: { type: PaginationReset, action: SPLIT_USING_CURSOR }",
        requester:
          "path: /items, error_handler: { type: DefaultErrorHandler, response_filters: [{ type: HttpResponseFilter, action: RESET_PAGINATION, http_codes: [400], error_message: x }] }"
      ),
      has: ["cap: { then: restart }", "when: status == 400", "do: cap"], lacks: ["not imported", "message:"]),
    Case(
      name: "all pages once more",
      manifest: cursor(
        since, retriever: "pagination_reset: { type: PaginationReset, action: RESET }",
        requester:
          "path: /items, error_handler: { type: DefaultErrorHandler, response_filters: [{ type: HttpResponseFilter, action: RESET_PAGINATION, http_codes: [409] }] }"
      ),
      has: ["# not imported: pagination_reset: RESET", "# not imported: response_filter: RESET_PAGINATION"],
      lacks: ["cap:"], losses: [.pages, .errors]),
    Case(
      name: "windows that are cut in half",
      manifest: cursor(
        "\(since), \(until)", retriever: "request_window_splitting: { type: RequestWindowSplitting }",
        requester:
          "path: /items, error_handler: { type: CompositeErrorHandler, error_handlers: [{ type: DefaultErrorHandler, response_filters: [{ type: HttpResponseFilter, action: SPLIT_REQUEST_WINDOW, http_codes: [400, 504] }] }] }"
      ),
      has: ["cap: { then: halve }", "when: \"status in [400, 504]\"", "do: cap"], lacks: ["not imported"]),
    Case(
      name: "windows that are cut in half, without an end in the request",
      manifest: cursor(
        since, retriever: "request_window_splitting: { type: RequestWindowSplitting }",
        requester:
          "path: /items, error_handler: { type: DefaultErrorHandler, response_filters: [{ type: HttpResponseFilter, action: SPLIT_REQUEST_WINDOW, http_codes: [400] }] }"
      ),
      has: ["# not imported: request_window_splitting"], lacks: ["cap:"], losses: [.pages, .errors]),
    Case(name: "a filter at the client", manifest: cursor("is_client_side_incremental: true"), has: ["filter: true"]),
    Case(
      name: "a feed",
      manifest: cursor(
        "is_data_feed: true",
        retriever: "paginator: { type: DefaultPaginator, pagination_strategy: { type: PageIncrement }, \(page) }"),
      has: ["order: descending"]),
    Case(
      name: "a cursor that no request uses", manifest: cursor("step: P1D, cursor_granularity: PT1S"),
      has: ["persistence: out/items.jsonl", "# incremental_sync of 'updated_at': no request uses its start"]),
    Case(
      name: "a start that moves",
      manifest: Manifest.with(
        Manifest.stream(
          stream:
            "incremental_sync: { type: DatetimeBasedCursor, cursor_field: updated_at, datetime_format: '%Y-%m-%d', start_datetime: \"{{ day_delta(-30, format='%Y-%m-%d') }}\", \(since) }"
        )), has: ["start: \"{{ date(add(now(), -30, 'day')) }}\"", "format: date"]),
    Case(
      name: "seconds since 1970",
      manifest: Manifest.with(
        Manifest.stream(
          stream:
            "incremental_sync: { type: DatetimeBasedCursor, cursor_field: created, datetime_format: '%s', start_datetime: { type: MinMaxDatetime, datetime: \"{{ config['start_date'] }}\", datetime_format: '%Y-%m-%dT%H:%M:%SZ' }, \(since) }",
          fields: "id: { type: integer }, created: { type: integer }")),
      has: ["created: { type: timestamp, format: epoch_s }", "format: epoch_s"]),
    Case(
      name: "a start with a default that moves",
      manifest: Manifest.with(
        Manifest.stream(
          stream:
            "incremental_sync: { type: DatetimeBasedCursor, cursor_field: updated_at, datetime_format: '%Y-%m-%dT%H:%M:%SZ', start_datetime: \"{{ config.get('start_date') or day_delta(-30, '%Y-%m-%dT%H:%M:%SZ') }}\", \(since) }"
        )),
      has: ["start: \"{{ coalesce(vars.start_date, add(now(), -30, 'day')) }}\"", "start_date: { type: timestamp }"]),
    Case(
      name: "a start in seconds with a default",
      manifest: Manifest.with(
        Manifest.stream(
          stream:
            "incremental_sync: { type: DatetimeBasedCursor, cursor_field: created, datetime_format: '%s', start_datetime: \"{{ format_datetime(config.get('start_date'), '%s') if config.get('start_date') else 0 }}\", \(since) }",
          fields: "id: { type: integer }, created: { type: integer }")),
      has: ["start: \"{{ vars.start_date }}\"", "format: epoch_s"]),
    Case(
      name: "a length that is no duration",
      manifest: cursor("\(since), lookback_window: \"{{ config['size'] }} days\""),
      has: ["# not imported: lookback_window: {{ vars.size }} days"], losses: [.incremental]),
    Case(
      name: "several formats",
      manifest: cursor(
        "\(since), cursor_datetime_formats: ['%Y-%m-%dT%H:%M:%SZ', '%Y-%m-%d', '%s', '%ms', '%d/%m/%Y']"),
      has: ["updated_at: { type: timestamp, format: [iso8601, \"%Y-%m-%d\", epoch_s, \"%d/%m/%Y\"] }"]),
    Case(
      name: "a format of records that is not that of requests",
      manifest: Manifest.with(
        Manifest.stream(
          stream:
            "incremental_sync: { type: DatetimeBasedCursor, cursor_field: created, datetime_format: '%Y-%m-%d', cursor_datetime_formats: ['%epoch_microseconds'], start_datetime: \"{{ config['start_date'] }}\", \(since) }",
          fields: "id: { type: integer }, created: { type: integer }")),
      has: ["created: { type: timestamp, format: epoch_us }", "format: date"], lacks: ["missing:"]),
    Case(
      name: "a field that may be null",
      manifest: Manifest.with(
        Manifest.stream(
          stream:
            "incremental_sync: { type: DatetimeBasedCursor, cursor_field: updated_at, datetime_format: '%Y-%m-%dT%H:%M:%S.%_ms', start_datetime: \"{{ config['start_date'] }}\", \(since) }",
          fields: "id: { type: integer }, updated_at: { type: [string, 'null'] }")),
      has: [
        "updated_at: { type: timestamp?, format: \"%Y-%m-%dT%H:%M:%S.%f\" }", "optional: true",
        "mode: merge",
      ]),
    Case(
      name: "a field that may be null, in a feed",
      manifest: Manifest.with(
        Manifest.stream(
          retriever: "paginator: { type: DefaultPaginator, pagination_strategy: { type: PageIncrement }, \(page) }",
          stream:
            "incremental_sync: { type: DatetimeBasedCursor, is_data_feed: true, cursor_field: updated_at, datetime_format: '%Y-%m-%dT%H:%M:%SZ', start_datetime: \"{{ config['start_date'] }}\" }",
          fields: "id: { type: integer }, updated_at: { type: [string, 'null'], format: date-time }")),
      has: ["updated_at: timestamp?", "optional: true", "order: descending"]),
    Case(
      name: "no key, a digest of the record",
      manifest: Manifest.with(
        Manifest.stream(
          key: "[]",
          stream:
            "incremental_sync: { type: DatetimeBasedCursor, cursor_field: updated_at, datetime_format: '%Y-%m-%dT%H:%M:%SZ', start_datetime: '2024-01-01T00:00:00Z', \(since) }"
        )),
      has: ["key: digest", "query: since", "start: \"2024-01-01T00:00:00Z\""]),
  ]

  // MARK: - Partitions

  private static func child(
    _ router: String, path: String = "/p/{{ stream_partition.p }}", fields: String = "id: { type: integer }"
  ) -> String {
    Manifest.stream(
      "parts", requester: "path: \"\(path)\"", retriever: "partition_router: \(router)",
      stream: "transformations: [{ type: AddFields, fields: [{ path: [owner], value: \"{{ stream_slice['p'] }}\" }] }]",
      fields: fields)
  }
  private static func parent(_ name: String = "items", more: String = "") -> String {
    "{ type: SubstreamPartitionRouter, parent_stream_configs: [{ type: ParentStreamConfig, parent_key: \(name == "items" ? "id" : "code"), partition_field: p, stream: { type: DeclarativeStream, name: \(name), primary_key: id, retriever: { type: SimpleRetriever, requester: { type: HttpRequester, url_base: https://api.example.com/v1, path: /items }, record_selector: { type: RecordSelector, extractor: { type: DpathExtractor, field_path: [data] } } }, schema_loader: { type: InlineSchemaLoader, schema: { type: object, properties: { id: { type: integer } } } } } \(more) }] }"
  }

  static let partitions = [
    Case(
      name: "a parent that is a stream", manifest: Manifest.with(Manifest.stream(), child(parent())),
      has: ["each: items", "resource: \"/p/{{ parent.id }}\"", "owner: { value: \"{{ parent.id }}\" }"]),
    Case(
      name: "a parent that is no stream gets the field",
      manifest: Manifest.with(child(parent("groups"))),
      has: ["groups:", "code: json", "each: groups", "{{ parent.code }}"]),
    Case(
      name: "values",
      manifest: Manifest.with(
        child(
          "{ type: ListPartitionRouter, cursor_field: p, values: [eu, us, 3], request_option: { type: RequestOption, inject_into: header, field_name: X-P } }"
        )),
      has: ["each: { values: [eu, us, 3], as: p }", "X-P: \"{{ p }}\""]),
    Case(
      name: "values of the configuration",
      manifest: Manifest.with(
        child("{ type: ListPartitionRouter, cursor_field: p, values: \"{{ config['names'] }}\" }")),
      has: ["values: \"{{ vars.names }}\"", "names: { type: list, default: [a, b] }"]),
    Case(
      name: "a product",
      manifest: Manifest.with(
        Manifest.stream(),
        child(
          "[\(parent()), { type: ListPartitionRouter, cursor_field: state, values: [open] }]",
          path: "/p/{{ stream_slice.p }}/{{ stream_partition['state'] }}")),
      has: ["flow: items", "as: items", "as: state", "/p/{{ items.id }}/{{ state }}"]),
    Case(
      name: "groups",
      manifest: Manifest.with(
        Manifest.stream(),
        Manifest.stream(
          "parts", requester: "path: /p, request_parameters: { ids: \"{{ ','.join(stream_partition['p']) }}\" }",
          retriever:
            "partition_router: { type: GroupingPartitionRouter, group_size: 10, underlying_partition_router: \(parent()) }"
        )),
      has: ["batch: 10", "ids: \"{{ optional(join(batch.map(x, x.id), ',')) }}\""]),
    Case(
      name: "no parents",
      manifest: Manifest.with(
        Manifest.stream(),
        child("{ type: UnionPartitionRouter, partition_field: p, partition_routers: [] }", path: "/p")),
      has: ["# not imported: partition_router: UnionPartitionRouter"], losses: [.partitions, .expression]),
  ]

  // MARK: - Records

  private static func changed(
    _ text: String, fields: String = "id: { type: integer }, a: { type: object, properties: { b: { type: string } } }"
  ) -> String {
    Manifest.with(Manifest.stream(stream: "transformations: [{ \(text) }]", fields: fields))
  }
  private static func selected(_ text: String, stream: String = "") -> String {
    Manifest.with(
      """
        - type: DeclarativeStream
          name: items
          primary_key: id
          retriever:
            requester: { type: HttpRequester, url_base: https://api.example.com, path: /items }
            record_selector: { \(text) }
          schema_loader: { type: InlineSchemaLoader, schema: { properties: { id: { type: string } } } }
          \(stream)
      """)
  }

  static let records = [
    Case(
      name: "a list at a path that a parameter completes",
      manifest: selected(
        "extractor: { field_path: [data], record_expander: { type: RecordExpander, expand_records_from_field: [object, \"{{ parameters.get('items', 'lines') }}\"] } }"
      ), has: [#".[\"object\"]?[\"lines\"]? | arrays | .[]"#]),
    Case(
      name: "paths with wildcards",
      manifest: selected("extractor: { type: DpathExtractor, field_path: [data, '*', 'a b', items] }"),
      has: ["records: \"$.data[*]['a b'].items\""]),
    Case(
      name: "the whole response", manifest: selected("extractor: { type: DpathExtractor, field_path: [] }"),
      lacks: ["records:"]),
    Case(
      name: "a filter",
      manifest: selected(
        "extractor: { field_path: [data] }, record_filter: { condition: \"{{ record.state in ['open', 'new'] and not record.get('deleted') and record['n'] is not none }}\" }"
      ),
      has: ["coalesce(source.state, '') in ['open', 'new']", "source.n != null"]),
    Case(
      name: "a filter behind transformations",
      manifest: selected(
        "extractor: { field_path: [data] }, transform_before_filtering: true, record_filter: { condition: \"{{ record['kind'] == 'new' and record.state == 'open' }}\" }",
        stream: "transformations: [{ type: AddFields, fields: [{ path: [kind], value: \"{{ record.type }}\" }] }]"),
      has: ["coalesce(record.kind, '') == 'new'"]),
    Case(
      name: "a filter of what transformations leave as it is",
      manifest: selected(
        "extractor: { field_path: [data] }, transform_before_filtering: true, record_filter: { condition: \"{{ record.state == 'open' }}\" }",
        stream: "transformations: [{ type: AddFields, fields: [{ path: [kind], value: \"{{ record.type }}\" }] }]"),
      has: ["where: coalesce(source.state, '') == 'open'"]),
    Case(
      name: "an added field",
      manifest: changed(
        "type: AddFields, fields: [{ path: [city], value: \"{{ record['a']['b'] }}\" }, { path: [num], value: \"{{ record.id * 2 }}\", value_type: integer }, { path: [kind], value: item }]"
      ),
      has: [
        "city: { from: $.a.b, type: json? }",
        "num: { value: \"{{ coalesce(source.id, 0) * 2 }}\", type: integer }", "kind: { value: item }",
      ]),
    Case(
      name: "texts of a list, each changed",
      manifest: changed(
        "type: AddFields, fields: [{ path: [ids], value: \"{{ record.nodes | map('lower') | list }}\" }]",
        fields: "id: { type: integer }, ids: { type: array, items: { type: string } }"),
      has: ["coalesce(source.nodes, []).map(x, lower(string(x)))"]),
    Case(
      name: "an added list of a declared type",
      manifest: changed(
        "type: AddFields, fields: [{ path: [ids], value: \"{{ record.nodes | map(attribute='id') | list }}\" }]",
        fields: "id: { type: integer }, ids: { type: array, items: { type: string } }"),
      has: [
        "ids: { value: \"{{ coalesce(source.nodes, []).map(x, x.id) }}\", type: [string] }"
      ]),
    Case(
      name: "a removed field", manifest: changed("type: RemoveFields, field_pointers: [[a], [x, y]]"),
      lacks: ["        a:"]),
    Case(name: "keys in lower case", manifest: changed("type: KeysToLower"), has: ["ascii_downcase"]),
    Case(name: "keys in snake case", manifest: changed("type: KeysToSnakeCase"), has: ["reshape:", "ascii_downcase"]),
    Case(
      name: "replaced keys", manifest: changed("type: KeysReplace, old: '-', new: _"),
      has: ["split(\\\"-\\\") | join(\\\"_\\\")"]),
    Case(name: "flat records", manifest: changed("type: FlattenFields"), has: ["reshape:"]),
    Case(
      name: "a flat member", manifest: changed("type: DpathFlattenFields, field_path: [a], delete_origin_value: true"),
      has: ["del("]),
    Case(
      name: "code", manifest: changed("type: CustomTransformation, class_name: x.Y"),
      has: ["# not imported: transformation: x.Y"], losses: [.customCode]),
    Case(
      name: "a schema of all types",
      manifest: Manifest.with(
        Manifest.stream(
          key: "[[id], [a, b]]",
          fields:
            "id: { type: [string, 'null'] }, a: { type: object, properties: { b: { type: integer } } }, t: { type: string, format: date-time }, d: { type: [string, 'null'], format: date }, num: { type: number }, ok: { type: boolean }, l: { type: array, items: { type: string } }, ln: { type: array, items: { type: [string, 'null'] } }, any: {}, two: { type: [string, integer] }, o: { type: object }, of: { anyOf: [{ type: integer }, { type: 'null' }] }"
        )),
      has: [
        "key: [id, a_b]", "id: string", "a_b: { from: $.a.b, type: json }",
        "t: { type: timestamp?, format: iso8601_utc }",
        "d: date?",
        "num: number?", "ok: boolean?",
        "l: { type: [string], optional: true }",
        "ln: { type: [json], optional: true }", "two: json?",
        "o: json?",
        "of: integer?",
      ]),
    Case(
      name: "values are converted",
      manifest: selected("extractor: { field_path: [data] }, schema_normalization: Default"),
      has: ["id: { type: string, coerce: true }"]),
    Case(
      name: "members that are removed on a condition",
      manifest: changed(
        "type: RemoveFields, field_pointers: [['**']], condition: \"{{ property|string == '' or property is none }}\""),
      has: ["walk(", "((tostring == \\\"\\\") or (. == null))"]),
    Case(
      name: "a path that is removed on a condition",
      manifest: changed("type: RemoveFields, field_pointers: [[a, b]], condition: \"{{ not property }}\""),
      has: ["del(.[\\\"a\\\"][\\\"b\\\"])", "or . == {}) | not) | not))? // false)"]),
    Case(
      name: "a condition on more than the member",
      manifest: changed(
        "type: RemoveFields, field_pointers: [[a]], condition: \"{{ property == config.region }}\""),
      has: ["# not imported: RemoveFields 'a' on a condition"], losses: [.transformation]),
  ]

  // MARK: - Formats

  private static func decoded(
    _ decoder: String, path: String = "[]",
    fields: String = "id: { type: integer }, ok: { type: boolean }, name: { type: string }"
  ) -> String {
    Manifest.with(
      """
        - type: DeclarativeStream
          name: items
          primary_key: id
          retriever:
            requester: { type: HttpRequester, url_base: https://api.example.com, path: /items }
            record_selector: { extractor: { type: DpathExtractor, field_path: \(path) } }
            decoder: { \(decoder) }
          schema_loader: { type: InlineSchemaLoader, schema: { properties: { \(fields) } } }
      """)
  }

  static let formats = [
    Case(
      name: "a table", manifest: decoded("type: CsvDecoder"),
      has: [
        "decode: csv", "id: { type: integer, coerce: true }", "ok: { type: boolean?, coerce: true }",
        "name: string?",
      ]),
    Case(
      name: "a table with settings",
      manifest: decoded(
        "type: CsvDecoder, delimiter: ';', encoding: ISO-8859-1, set_values_to_none: ['', 'n/a', '(no)']"),
      has: [
        "format: csv", "delimiter: \";\"", "encoding: latin1",
        "map_values(if . == \\\"n/a\\\" or . == \\\"\\\\u0028no)\\\" then null else . end)",
      ]),
    Case(
      name: "a packed table with tabs",
      manifest: decoded(
        "type: CompositeRawDecoder, parser: { type: GzipParser, inner_parser: { type: CsvParser, delimiter: \"\\t\" } }"
      ),
      has: ["decode: { format: tsv, unpack: gzip }"]),
    Case(
      name: "an archive", manifest: decoded("type: ZipfileDecoder, decoder: { type: CsvDecoder }"),
      has: ["decode: { format: csv, unpack: zip }"]),
    Case(
      name: "an archive of JSON", manifest: decoded("type: ZipfileDecoder, parser: { type: JsonParser }"),
      has: ["decode: { format: json, unpack: zip }"]),
    Case(
      name: "packed JSON is decoded by the transport",
      manifest: decoded("type: GzipDecoder, decoder: { type: JsonDecoder }"), lacks: ["decode:"]),
    Case(
      name: "lines of JSON with a path", manifest: decoded("type: JsonlDecoder", path: "[data, '*']"),
      has: ["decode: jsonl", ".[\\\"data\\\"]?[]?"], lacks: ["records:", "coerce"]),
    Case(
      name: "plain lines",
      manifest: decoded("type: IterableDecoder", fields: "id: { type: integer }, record: { type: string }"),
      has: ["decode: lines", "each: \"{record: .line}\""]),
    Case(
      name: "XML", manifest: decoded("type: XmlDecoder", path: "[feed, entry, '*']"),
      has: ["decode: { format: xml, prefixes: true }", "records: $.feed.entry"], lacks: ["[*]"]),
    Case(
      name: "XML with a wildcard", manifest: decoded("type: XmlDecoder", path: "[feed, '*', entry]"),
      has: ["decode: { format: xml, prefixes: true }", ".[\\\"feed\\\"]?[]?[\\\"entry\\\"]?"], lacks: ["records:"]),
    Case(
      name: "a table has no token for its next page",
      manifest: Manifest.with(
        Manifest.stream(
          retriever:
            "decoder: { type: CsvDecoder }\npaginator: { type: DefaultPaginator, pagination_strategy: { type: CursorPagination, cursor_value: '{{ response.next }}' }, \(page) }"
        )), has: ["decode: csv", "# not imported: paginator: CursorPagination with csv"], lacks: ["pages:"],
      losses: [.pages]),
    Case(
      name: "an unknown encoding", manifest: decoded("type: CsvDecoder, encoding: shift_jis"), lacks: ["decode:"],
      losses: [.format]),
    Case(
      name: "compressed files of an archive",
      manifest: decoded("type: ZipfileDecoder, decoder: { type: GzipParser, inner_parser: { type: JsonLineParser } }"),
      has: ["decode: { format: jsonl, unpack: [zip, gzip] }"]),
    Case(
      name: "compressed JSON of an archive",
      manifest: decoded("type: ZipfileDecoder, decoder: { type: GzipDecoder, decoder: { type: JsonDecoder } }"),
      has: ["decode: { format: json, unpack: [zip, gzip] }"]),
    Case(
      name: "an archive in a compressed file",
      manifest: decoded("type: GzipDecoder, decoder: { type: ZipfileDecoder, decoder: { type: CsvDecoder } }"),
      lacks: ["decode:"], losses: [.format]),
    Case(
      name: "a file that is compressed twice",
      manifest: decoded("type: GzipDecoder, decoder: { type: GzipDecoder, decoder: { type: CsvDecoder } }"),
      lacks: ["decode:"], losses: [.format]),
    Case(
      name: "a decoder in code", manifest: decoded("type: CustomDecoder, class_name: a.B"),
      has: ["# not imported: decoder: a.B"], losses: [.customCode]),
  ]

  // MARK: - Errors

  private static func handler(_ text: String) -> String { of("error_handler: { type: DefaultErrorHandler, \(text) }") }

  static let errors = [
    Case(
      name: "a message with a name that is not known",
      manifest: handler(
        "response_filters: [{ http_codes: [403], action: FAIL, error_message: \"No access to {{ self.name }}\" }]"),
      has: ["# error_message: No access to", "when: status == 403, do: fail"],
      lacks: ["do: fail, message", "not imported"]),
    Case(
      name: "filters of responses",
      manifest: handler(
        "max_retries: 7, response_filters: [{ http_codes: [403, 404], action: IGNORE }, { predicate: \"{{ response.code == 'BUSY' }}\", action: RETRY }, { error_message_contains: quota, action: RATE_LIMITED }, { http_codes: [402], action: FAIL, error_message: \"no credit: {{ response.detail }}\" }]"
      ),
      has: [
        "when: \"status in [403, 404]\", do: skip", "coalesce(response.code, '') == 'BUSY'", "do: wait", "do: fail",
        "message: \"no credit: {{ coalesce(response.detail, '') }}\"", "retry: 7",
      ]),
    Case(
      name: "a success", manifest: handler("response_filters: [{ http_codes: [404], action: SUCCESS }]"),
      has: ["expect: { status: [2xx, 404] }"]),
    Case(
      name: "a constant wait",
      manifest: handler("backoff_strategies: [{ type: ConstantBackoffStrategy, backoff_time_in_seconds: 90 }]"),
      has: ["retry: { backoff: constant, wait: 90s, max_wait: 90s }"]),
    Case(
      name: "a growing wait, and a header that is followed anyway",
      manifest: handler(
        "backoff_strategies: [{ type: WaitTimeFromHeader, header: Retry-After }, { type: ExponentialBackoffStrategy, factor: 3 }]"
      ),
      has: ["retry: { wait: 6s }"]),
    Case(
      name: "a header of its own",
      manifest: handler(
        "backoff_strategies: [{ type: WaitTimeFromHeader, header: X-Wait, max_waiting_time_in_seconds: 120 }]"),
      has: ["max_wait: 2m", "follow: { header: X-Wait, format: seconds }"]),
    Case(
      name: "a part of a header",
      manifest: handler(
        "response_filters: [{ http_codes: [403], action: RATE_LIMITED }], backoff_strategies: [{ type: WaitTimeFromHeader, header: X-Wait, regex: 'in (?:about )?\\d+' }]"
      ),
      has: [
        "when: status == 403", "do: wait", "status == 429 || status >= 500",
        "float(extract(headers['x-wait'], '^(in (about )?[0-9]+)'))",
      ]),
    Case(
      name: "a time in a part of a header",
      manifest: handler("backoff_strategies: [{ type: WaitUntilTimeFromHeader, header: X-Reset, regex: '^[0-9]+$' }]"),
      has: ["timestamp(int(extract(headers['x-reset'], '^([0-9]+)$')), 'epoch_s')"]),
    Case(
      name: "a least wait",
      manifest: handler(
        "backoff_strategies: [{ type: WaitUntilTimeFromHeader, header: X-Rate-Limit-Reset, min_wait: '60' }]"),
      has: ["max([timestamp(int(headers['x-rate-limit-reset']), 'epoch_s'), add(now(), 60, 'second')])"],
      lacks: ["follow:"]),
    Case(
      name: "a least wait for a number of seconds",
      manifest: handler("backoff_strategies: [{ type: WaitTimeFromHeader, header: X-Wait, min_wait: 5 }]"),
      has: ["max([float(headers['x-wait']), float(5)])"]),
    Case(
      name: "a wait of the configuration",
      manifest: handler(
        "backoff_strategies: [{ type: ConstantBackoffStrategy, backoff_time_in_seconds: \"{{ config['limit'] }}\" }]"),
      has: ["for: vars.limit"]),
    Case(
      name: "retries and growing waits of the configuration",
      manifest: handler(
        "max_retries: \"{{ config['limit'] }}\", backoff_strategies: [{ type: ExponentialBackoffStrategy, factor: \"{{ config['limit'] + 1 }}\" }]"
      ),
      has: [
        "max: \"{{ vars.limit }}\"", "wait: \"{{ 2 * (vars.limit + 1) }}s\"",
        "max_wait: \"{{ 16 * (vars.limit + 1) }}s\"",
      ]),
    Case(
      name: "a least wait of the configuration",
      manifest: handler(
        "backoff_strategies: [{ type: WaitUntilTimeFromHeader, header: X-Reset, min_wait: \"{{ config['limit'] }}\" }]"),
      has: ["add(now(), vars.limit, 'second')"], lacks: ["follow:"]),
    Case(
      name: "digits in a pattern",
      manifest: handler(
        "response_filters: [{ predicate: \"{{ response.message | regex_search('in (\\\\d+)') }}\", action: RETRY }]"),
      has: ["'in ([0-9]+)')"]),
    Case(
      name: "a part of a header by a look-ahead",
      manifest: handler("backoff_strategies: [{ type: WaitTimeFromHeader, header: X-Wait, regex: '(?=a)[0-9]+' }]"),
      lacks: ["for:"], losses: [.errors]),
    Case(
      name: "a wait in the response",
      manifest: handler(
        "response_filters: [{ http_codes: [403], action: RATE_LIMITED, error_message: \"left: {{ headers.get('X-Left', 0) }}\" }], backoff_strategies: [{ type: WaitTimeFromResponse, wait_time_in_seconds: \"{{ response.get('error', {}).get('retry_ms', 500) / 1000 }}\", max_waiting_time_in_seconds: 600 }]"
      ),
      has: [
        "when: status == 403", "for: float(coalesce(response.error.retry_ms, 500)) / 1000", "max_wait: 10m",
        "status == 429 || status >= 500", "message: \"left: {{ coalesce(headers['x-left'], '0') }}\"",
      ]),
    Case(
      name: "a wait in the response that nothing computes",
      manifest: handler(
        "backoff_strategies: [{ type: WaitTimeFromResponse, wait_time_in_seconds: \"{{ f(response) }}\" }]"),
      lacks: ["for:"], losses: [.errors]),
    Case(
      name: "several handlers",
      manifest: of(
        "error_handler: { type: CompositeErrorHandler, error_handlers: [{ type: DefaultErrorHandler, response_filters: [{ http_codes: [404], action: IGNORE }] }, { type: CustomErrorHandler, class_name: a.B }] }"
      ),
      has: ["status == 404"], losses: [.customCode]),
  ]

  // MARK: - Files

  static let whole = [
    Case(
      name: "anchors and merge keys",
      manifest: """
        streams:
          - type: DeclarativeStream
            name: a
            primary_key: id
            retriever: &retriever
              type: SimpleRetriever
              requester: &requester { type: HttpRequester, url_base: "https://api.example.com/", path: a, request_headers: { X-A: b } }
              record_selector: { extractor: { type: DpathExtractor, field_path: [data] } }
          - type: DeclarativeStream
            name: b
            primary_key: id
            retriever: { <<: *retriever, requester: { <<: *requester, path: b } }
        """,
      has: ["resource: /a", "resource: /b", "base_url: https://api.example.com", "headers: { X-A: b }"],
      lacks: ["<<"]),
    Case(
      name: "references, parameters and shared parts",
      manifest: """
        definitions:
          base: { type: DeclarativeStream, retriever: { $ref: "#/definitions/retriever" }, schema_loader: { type: InlineSchemaLoader, schema: { $ref: "#/schemas/item" } }, primary_key: id }
          retriever:
            type: SimpleRetriever
            requester: { type: HttpRequester, url_base: "https://api.example.com/", path: "{{ parameters['path'] }}/list", authenticator: { type: BearerAuthenticator, api_token: "{{ config['token'] }}" } }
            record_selector: { extractor: { type: DpathExtractor, field_path: ["{{ parameters.get('field', 'data') }}"] } }
        schemas: { item: { type: object, properties: { id: { type: integer } } } }
        streams:
          - { $ref: "#/definitions/base", $parameters: { name: a, path: /a } }
          - { $ref: "#/definitions/base", name: b, $parameters: { path: "/b/{{ config['x'] }}", field: rows } }
        """,
      has: [
        "schemas:", "schema: a", "resource: /a/list", "records: $.data", "records: $.rows",
        "resource: \"/b/{{ vars.x }}/list\"", "auth: { bearer: \"{{ secrets.TOKEN }}\" }",
      ]),
    Case(
      name: "a budget",
      manifest: Manifest.with(
        Manifest.stream(),
        more:
          "api_budget: { type: HTTPAPIBudget, policies: [{ type: FixedWindowCallRatePolicy, period: PT1M, call_limit: 60, matchers: [] }] }"
      ),
      has: ["rate: 60/m"]),
    Case(
      name: "a budget of several rates, of which some are for some requests",
      manifest: Manifest.with(
        Manifest.stream(),
        more: """
          api_budget:
            type: HTTPAPIBudget
            ratelimit_remaining_header: X-Left
            policies:
              - type: MovingWindowCallRatePolicy
                rates: [{ limit: 10, interval: PT1S }, { limit: 1000, interval: PT1H }]
                matchers: []
              - type: MovingWindowCallRatePolicy
                rates: [{ limit: 30, interval: PT1M }]
                matchers: [{ method: GET, url_path_pattern: "^/search/[^/]+$" }, { method: GET, url_path_pattern: /find }]
              - type: FixedWindowCallRatePolicy
                period: PT1M
                call_limit: 5
                matchers: [{ url_path_pattern: "/(a|b)" }]
          """),
      has: [
        "max: [10/s, 1000/h]", "path: [\"/search/*\", \"/find**\"]", "method: [GET]", "max: 30/m",
        "follow: { remaining: X-Left, reset: ratelimit-reset, format: epoch_s }",
        "path: [\"/a**\", \"/b**\"]", "max: 5/m",
      ]),
    Case(
      name: "a budget that the configuration gives",
      manifest: Manifest.with(
        Manifest.stream(),
        more: """
          api_budget:
            type: HTTPAPIBudget
            policies:
              - type: MovingWindowCallRatePolicy
                rates: [{ limit: "{{ config.get('limit', 20) }}", interval: PT10S }]
                matchers: []
          """),
      has: ["/10s\"", "vars.limit"]),
    Case(
      name: "a budget with a secret, and one with weights",
      manifest: Manifest.with(
        Manifest.stream(),
        more: """
          api_budget:
            type: HTTPAPIBudget
            policies:
              - type: MovingWindowCallRatePolicy
                rates: [{ limit: "{{ 25 if config['api_key'] == 't' else 100 }}", interval: PT1S }]
                matchers: []
              - type: FixedWindowCallRatePolicy
                period: PT1M
                call_limit: 60
                matchers: [{ url_path_pattern: /a, weight: 5 }]
          """),
      has: ["path: \"/a**\", max: 60/m"], lacks: ["secrets.API_KEY == "], losses: [.rate, .rate]),
    Case(
      name: "streams of a template",
      manifest: Manifest.with(
        Manifest.stream(),
        """
          - type: DynamicDeclarativeStream
            name: many
            stream_template: { type: DeclarativeStream, name: x, retriever: { type: SimpleRetriever, requester: { type: HttpRequester, url_base: https://api.example.com, path: x }, record_selector: { extractor: { field_path: [] } } } }
            components_resolver:
              type: ParametrizedComponentsResolver
              stream_parameters: { list_of_parameters_for_stream: [{ name: one, path: /1 }, { name: two, path: /2 }] }
              components_mapping:
                - { field_path: [name], value: "{{ stream_parameters['name'] }}" }
                - { field_path: [retriever, requester, path], value: "{{ stream_parameters['path'] }}" }
        """),
      has: ["one:", "two:", "resource: /1", "resource: /2"]),
    Case(
      name: "streams that cannot be flows",
      manifest: Manifest.with(
        Manifest.stream(),
        "  - { type: DeclarativeStream, name: c, retriever: { type: CustomRetriever, class_name: x.Y } }",
        "  - { type: DeclarativeStream, name: d, retriever: { type: AsyncRetriever } }",
        "  - { type: CustomStream, class_name: a.B }"),
      has: ["# not imported: stream 'c'", "# not imported: stream 'd'"], losses: [.customCode, .customCode, .request]),
    Case(
      name: "streams by a choice, and by their state",
      manifest: Manifest.with(
        """
          - { type: ConditionalStreams, condition: "{{ config['region'] == 'eu' }}", streams: [{ type: DeclarativeStream, name: e, retriever: { requester: { type: HttpRequester, url_base: https://a.example.com, path: e }, record_selector: { extractor: { field_path: [] } } } }] }
        """,
        """
          - { type: StateDelegatingStream, name: s, full_refresh_stream: { name: s, retriever: { requester: { type: HttpRequester, url_base: https://a.example.com, path: full } } }, incremental_stream: { name: s, retriever: { requester: { type: HttpRequester, url_base: https://a.example.com, path: part } } } }
        """),
      has: ["when: \"vars.region == 'eu'\"", "resource: /e", "resource: /part"], losses: [.retriever]),
  ]
}
