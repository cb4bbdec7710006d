import Importing
import Testing

/// Templates with names of their own, and templates where the flow language has none.
@Suite(.timeLimit(.minutes(1))) struct TemplateImportTests {
  /// A stream whose request has one parameter.
  private static func parameter(_ template: String) -> String {
    Manifest.with(Manifest.stream(requester: "path: /items, request_parameters: { q: \(quoted(template)), ok: 1 }"))
  }

  private static func request(_ requester: String, retriever: String = "") -> String {
    Manifest.with(Manifest.stream(requester: requester, retriever: retriever))
  }

  private static func quoted(_ text: String) -> String {
    "\"\(text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n"))\""
  }

  /// A stream whose cursor has this start.
  private static func start(_ datetime: String, more: String = "") -> String {
    Manifest.with(
      Manifest.stream(
        stream:
          "incremental_sync: { type: DatetimeBasedCursor, cursor_field: updated_at, datetime_format: '%Y-%m-%dT%H:%M:%SZ', start_datetime: { type: MinMaxDatetime, datetime: \(quoted(datetime)), datetime_format: '%Y-%m-%dT%H:%M:%SZ' }, start_time_option: { type: RequestOption, inject_into: request_parameter, field_name: since }\(more) }"
      ), spec: "      since: { type: string }")
  }

  @Test(arguments: sets + loops + bodies + names + headers + paths + instants) func `a part is carried over`(
    _ test: ImportCase
  ) throws {
    test.verify(try Imported(test.source))
  }

  // MARK: - Names that a template sets

  static let sets = [
    ImportCase(
      "a name is set and read",
      parameter("{% set a = config['region'] %}{{ a }}-{{ a | upper }}"),
      has: ["q: \"{{ vars.region }}-{{ upper(vars.region) }}\""]),
    ImportCase(
      "an operator binds as it did before", parameter("{%- set a = config.size + 1 -%}\n{{ a * 2 }}"),
      has: ["q: \"{{ (vars.size + 1) * 2 }}\""]),
    ImportCase(
      "a name is set from an earlier one, and set again",
      parameter("{% set a = config.region %}{% set a = a ~ '-x' %}{% set b = a | upper %}{{ b }}{{ a }}"),
      has: ["q: \"{{ upper(vars.region + '-x') }}{{ vars.region + '-x' }}\""]),
    ImportCase(
      "a name in a condition",
      parameter("{% set a = config.region %}{% if a == 'eu' %}1{% elif a == 'us' %}2{% else %}3{% endif %}"),
      has: ["q: \"{{ vars.region == 'eu' ? '1' : vars.region == 'us' ? '2' : '3' }}\""]),
    ImportCase(
      "an element of a mapping",
      parameter("{%- set MAP = {\"NA\": \"one\", \"EU\": \"two\"} -%}\n{{ MAP[config['region']] }}"),
      has: ["q: \"{{ optional({'NA': 'one', 'EU': 'two'}[vars.region]) }}\""]),
    ImportCase(
      "an element that is known", parameter("{% set MAP = {'a': 'one', 'b': [4, 5]} %}{{ MAP.a }}{{ MAP['b'][1] }}"),
      has: ["q: one5"]),
    ImportCase(
      "the server by a mapping",
      Manifest.with(
        Manifest.stream().replacing(
          "url_base: https://api.example.com/v1",
          with:
            "url_base: '{%- set MAP = {\"us\": \"https://us.example.com/\", \"eu\": \"https://eu.example.com/\"} -%} {{ MAP[config.region] }}'"
        )),
      has: [
        "base_url: \"{{ coalesce({'us': 'https://us.example.com/', 'eu': 'https://eu.example.com/'}[vars.region], '') }}\""
      ]),
    ImportCase(
      "parts of a written server",
      Manifest.with(
        Manifest.stream().replacing(
          "url_base: https://api.example.com/v1",
          with:
            "url_base: \"{% set parts = config.get('region', 'eu').split('://') %} https://{{ parts[0] }}.example.com/api\""
        )),
      has: ["https://{{ coalesce(split(vars.region, '://')[0], '') }}.example.com/api"]),
    ImportCase(
      "a name inside of a branch",
      parameter("{% if config.size %}{% set a = 1 %}{% endif %}{{ a }}"),
      has: ["q: \"{{ optional(vars.size != 0 ? 1 : null) }}\""]),
    ImportCase(
      "a sum that needs what came before",
      parameter(
        "{% set t = namespace(v=1) %}{% for n in config['names'] %}{% set t.v = t.v * 2 %}{% endfor %}{{ t.v }}"),
      has: ["ok: 1", "only if each pass adds something"], losses: [.expression]),
    ImportCase(
      "a name that is read before it is set", parameter("{{ a }}{% set a = 1 %}"), has: ["ok: 1"],
      losses: [.expression]),
    ImportCase(
      "a value that is text", parameter("{% set a %}x{% endset %}{{ a }}"),
      has: ["whose value is the text up to"], losses: [.expression]),
    ImportCase("several names", parameter("{% set a, b = 1, 2 %}{{ a }}"), losses: [.expression]),
    ImportCase("a member", parameter("{% set n.a = 1 %}{{ n.a }}"), losses: [.expression]),
    ImportCase(
      "names that multiply",
      parameter(
        "{% set a = config.size %}{% set b = a*a*a*a*a*a*a*a*a*a %}{% set c = b*b*b*b*b*b*b*b*b %}{{ c*c*c*c }}"),
      has: ["the expressions of names that are set are too large"], losses: [.expression]),
    ImportCase(
      "names that are nested",
      parameter(
        "{% set a0 = config.size %}" + (1..<400).map { "{% set a\($0) = -(a\($0 - 1)) %}" }.joined() + "{{ a399 }}"),
      losses: [.expression]),
  ]

  // MARK: - Loops

  static let loops = [
    ImportCase(
      "a pattern without a group finds nothing", parameter("{{ config.region | regex_search('a') }}"), has: ["ok: 1"],
      lacks: ["q:"]),
    ImportCase(
      "texts with a separator",
      parameter("{% for n in config.names %}'{{ n }}'{% if not loop.last %}, {% endif %}{% endfor %}"),
      has: ["join(vars.names.map(n, '\\\\'' + n + '\\\\''), ', ')"]),
    ImportCase(
      "a separator at the beginning, in an expression",
      parameter("{% for n in config.names %}{{ ',' if not loop.first }}{{ n }}{% endfor %}"),
      has: ["q: \"{{ optional(join(vars.names, ',')) }}\""]),
    ImportCase(
      "a separator in the other branch",
      parameter("{% for n in config['names'] %}{{ n | upper }}{% if loop.last %}{% else %};{% endif %}{% endfor %}"),
      has: ["join(vars.names.map(n, upper(n)), ';')"]),
    ImportCase(
      "members", parameter("{% for k, v in config.map.items() %}{{ k }}={{ v }};{% endfor %}"),
      has: [
        "join(keys(coalesce(json(vars.map), {})).map(k, k + '=' + string(coalesce(json(vars.map), {})[k]) + ';'))"
      ]),
    ImportCase(
      "some of the elements, inside of a text",
      parameter("<a>{% for n in config.names if n != 'b' %}<b>{{ n }}</b>{% endfor %}</a>"),
      has: ["q: \"<a>{{ join(vars.names.filter(n, n != 'b').map(n, '<b>' + n + '</b>')) }}</a>\""]),
    ImportCase(
      "a loop in a loop, with a word of the language",
      parameter("{% for x in config.names %}{% for y in config.names %}{{ x }}{{ y }}{% endfor %}{% endfor %}"),
      has: ["vars.names.map(x_item, join(vars.names.map(y, x_item + y)))"]),
  ]

  // MARK: - Bodies

  static let bodies = [
    ImportCase(
      "a body that differs from page to page",
      Manifest.with(
        Manifest.stream(
          requester:
            "path: /items, http_method: POST, request_body_json: \"{{ {'cursor': next_page_token['next_page_token']} if next_page_token else {'path': config['region'], 'all': True} }}\"",
          retriever:
            "paginator: { type: DefaultPaginator, pagination_strategy: { type: CursorPagination, cursor_value: \"{{ response.get('cursor') }}\" } }"
        )),
      has: [
        "to_json({'cursor': coalesce(page.token, null)}) : to_json({'path': vars.region, 'all': true}) }}",
        "Content-Type: application/json",
      ]),
    ImportCase(
      "numbers of a body",
      Manifest.with(
        Manifest.stream(
          requester:
            "path: /items, http_method: POST, request_body_json: { day: \"{{ now_utc().strftime('%Y%m%d') }}\", text: \"{{ now_utc().strftime('%d%m%Y') }}\", none: '' }",
          retriever:
            "paginator: { type: DefaultPaginator, pagination_strategy: { type: PageIncrement, page_size: 100 }, page_size_option: { type: RequestOption, inject_into: body_json, field_name: size }, page_token_option: { type: RequestOption, inject_into: body_json, field_name: page } }"
        )),
      has: [
        "day: \"{{ int(format(now(), '%Y%m%d')) }}\"", "text: \"{{ format(now(), '%d%m%Y') }}\"", "size: 100",
        "page: \"{{ page.number }}\"",
      ], lacks: ["none:"]),
    ImportCase(
      "a token that is an object",
      request(
        "path: /items, http_method: POST, request_body_json: { query: q }",
        retriever:
          "paginator: { type: DefaultPaginator, pagination_strategy: { type: CursorPagination, cursor_value: \"{{ '{\\\"after\\\": \\\"' + response.page.end + '\\\"}' if response.page.end else '' }}\" }, page_token_option: { type: RequestOption, inject_into: body_json, field_name: variables } }"
      ),
      has: ["json('{", "+ '\\\"}') : null", "variables: \"{{ optional(page.token) }}\""]),
    ImportCase(
      "a listed value with a slash",
      request(
        "path: 'repos/{{ stream_partition.repository }}/issues'",
        retriever: "partition_router: { type: ListPartitionRouter, values: [a/b, c], cursor_field: repository }"),
      has: ["path: \"/repos/{+repository}/issues\"", "params: { repository: \"{{ repository }}\" }"]),
    ImportCase(
      "a listed id",
      request(
        "path: 'p/{{ stream_partition.team_id }}'",
        retriever: "partition_router: { type: ListPartitionRouter, values: [a, c], cursor_field: team_id }"),
      has: ["/p/{{ team_id }}"], lacks: ["params:"]),
    ImportCase(
      "a path behind a URL",
      request("path: /items").replacing(
        "url_base: https://api.example.com/v1", with: "url: 'https://api.example.com/v1/'"),
      has: ["base_url: https://api.example.com/v1", "resource: /items"]),
    ImportCase(
      "an empty parameter", request("path: /items, request_parameters: { none: '', ok: 1 }"), has: ["ok: 1"],
      lacks: ["none:"]),
  ]

  // MARK: - Names that are templates

  static let names = [
    ImportCase(
      "a name without a variable", request("path: /items, request_parameters: { \"{{ 'a' ~ 'b' }}\": 1 }"),
      has: ["ab: "]),
    ImportCase(
      "names of a parameter, a header and members",
      request(
        "path: /items, http_method: POST, request_parameters: { \"{{ config['region'] }}\": 1, ok: 2 }, request_headers: { \"X-{{ config['region'] }}\": a }, request_body_json: { \"{{ config['region'] }}\": 1, in: { \"{% if config.size %}a{% endif %}\": 5, b: 6 } }"
      ),
      has: ["ok: 2", "in: { b: 6 }", "a name that is known before a run"], lacks: ["names cannot contain templates"],
      losses: [.request, .request, .request, .request]),
    ImportCase(
      "a name of a form",
      request("path: /items, http_method: POST, request_body_data: { \"{{ config['region'] }}\": 1, b: 2 }"),
      has: ["form: { b: "], losses: [.request]),
    ImportCase(
      "a pair in an expression", request("path: \"/items?{{ 'size=' ~ config['size'] }}&b=2\""),
      has: ["size: \"{{ vars.size }}\"", "b: "], lacks: ["size="]),
    ImportCase(
      "a pair in a condition",
      request("path: \"/items?{{ ('region=x-' ~ config['region']) if config['region'] == 'eu' else '' }}\""),
      has: ["region: \"{{ optional(vars.region == 'eu' ? 'x-' + vars.region : null) }}\""]),
    ImportCase(
      "several pairs in an expression", request("path: \"/items?{{ 'a=' ~ config['size'] ~ '&b=1' }}&c=3\""),
      has: ["c: ", "# not imported: query: the name"], losses: [.request]),
    ImportCase(
      "a pair in a variable", request("path: \"/items?{{ config['region'] }}\""), losses: [.request]),
  ]

  // MARK: - Headers of the authorization

  static let headers = [
    ImportCase(
      "a header that the authenticator sets too",
      request(
        "path: /items, request_headers: { apikey: old, X-Other: b }, authenticator: { type: ApiKeyAuthenticator, header: ApiKey, api_token: \"{{ config['api_key'] }}\" }"
      ),
      has: ["header: ApiKey", "X-Other: b", "# request_headers.apikey: the authenticator sets this header"],
      lacks: ["old"]),
    ImportCase(
      "an own header of a bearer token",
      request(
        "path: /items, request_headers: { Authorization: old }, authenticator: { type: BearerAuthenticator, api_token: \"{{ config['api_key'] }}\" }"
      ),
      has: ["bearer:", "# request_headers.Authorization"], lacks: ["old"]),
    ImportCase(
      "a case of a choice whose key the header has",
      request(
        "path: /items, request_headers: { apikey: \"{{ config['api_key'] }}\" }, authenticator: { type: SelectiveAuthenticator, authenticator_selection_path: [credentials, kind], authenticators: { oauth: { type: BearerAuthenticator, api_token: \"{{ config['credentials']['token'] }}\" }, token: { type: ApiKeyAuthenticator, header: apikey, api_token: \"{{ config['api_key'] }}\" } } }"
      ),
      has: [
        "apikey: \"{{ secrets.API_KEY }}\"", "token: none",
        "# the case 'token' of the authenticator: the header apikey",
      ],
      lacks: ["api_key:"]),
    ImportCase(
      "a case whose key may be empty",
      request(
        "path: /items, request_headers: { apikey: \"{{ config['state'] }}\" }, authenticator: { type: SelectiveAuthenticator, authenticator_selection_path: [credentials, kind], authenticators: { oauth: { type: BearerAuthenticator, api_token: \"{{ config['credentials']['token'] }}\" }, token: { type: ApiKeyAuthenticator, header: apikey, api_token: \"{{ config['state'] }}\" } } }"
      ),
      has: ["token: none", "apikey: \"{{"], lacks: ["api_key:"]),
    ImportCase(
      "a key elsewhere",
      request(
        "path: /items, request_headers: { Authorization: own }, authenticator: { type: ApiKeyAuthenticator, api_token: \"{{ config['api_key'] }}\", inject_into: { type: RequestOption, inject_into: request_parameter, field_name: key } }"
      ),
      has: ["Authorization: own", "query: key"]),
  ]

  // MARK: - Paths

  static let paths = [
    ImportCase(
      "a name with quotes and a line break",
      Manifest.with(
        Manifest.stream().replacing(
          "field_path: [data]", with: "field_path: [\"\\\"a\\\", \\\"b\\\"\\nc\", \"it's\\t\\u0001\"]")),
      has: [#"records: "$['\"a\", \"b\"\\nc']['it\\'s\\t\\u0001']""#])
  ]

  // MARK: - Instants beside texts

  static let instants = [
    ImportCase(
      "a text or else an instant",
      start(
        "{{ format_datetime(config.since if config.since else now_utc() - duration('P1D'), '%Y-%m-%dT%H:%M:%SZ') }}"),
      has: ["vars.since != '' ? timestamp(vars.since) : now() - duration('P1D')", "field: updated_at"]),
    ImportCase(
      "with 'or', cut",
      start("{{ format_datetime(config.since or now_utc(), '%Y-%m-%dT%H:%M:%S.%fZ')[:23] + 'Z' }}"),
      has: ["vars.since != '' ? timestamp(vars.since) : now()", "field: updated_at"]),
    ImportCase(
      "with a method", start("{{ (config.since if config.since else now_utc()).strftime('%Y-%m-%dT%H:%M:%SZ') }}"),
      has: ["vars.since != '' ? timestamp(vars.since) : now()"]),
    ImportCase(
      "a form of its own",
      parameter("{{ format_datetime(config.state or now_utc(), '%Y-%m-%d', '%d/%m/%Y') }}"),
      has: ["format(vars.state != '' ? timestamp(vars.state, '%d/%m/%Y') : now(), '%Y-%m-%d')"]),
    ImportCase(
      "the larger of the two", start("{{ max(config.since or day_delta(-9), now_utc() - duration('P9D')) }}"),
      has: ["max(timestamp("]),
    ImportCase(
      "a text beside an instant is a text", parameter("{{ config.state if config.state else now_utc() }}"),
      has: ["vars.state != '' ? vars.state : string(now())"]),
  ]
}
