import Importing
import SourceDiagnostics
import TestSupport
import Testing

/// Configurations of dlt's REST API source, and what they become.
@Suite(.timeLimit(.minutes(1))) struct DltTests {
  /// A configuration with resources, each YAML in braces without them.
  private static func with(
    _ resources: String..., client: String = "base_url: https://a.example.com/v1/, paginator: single_page",
    defaults: String = ""
  ) -> String {
    """
    client: { \(client) }
    \(defaults.isEmpty ? "" : "resource_defaults: { \(defaults) }")
    resources:
    \(resources.map { "  - { \($0) }" }.joined(separator: "\n"))
    """
  }

  private static func endpoint(_ text: String, _ resource: String = "write_disposition: replace") -> String {
    with("name: posts, \(resource), endpoint: { path: posts, data_selector: items, \(text) }")
  }

  private static func paged(_ text: String) -> String { endpoint("paginator: { \(text) }") }

  private static func cursor(_ text: String, _ resource: String = "primary_key: id, write_disposition: merge") -> String
  {
    endpoint(
      "incremental: { cursor_path: updated_at, initial_value: '2024-01-01T00:00:00Z', start_param: since, \(text) }",
      resource)
  }

  @Test(arguments: requests + authorizations + pages + parents + cursors + others)
  func `a part becomes its counterpart`(_ test: ImportCase) throws {
    test.verify(try Imported(dlt: test.source))
  }

  static let requests = [
    ImportCase(
      "a resource that is a text", "client: { base_url: 'https://a.example.com/v1/' }\nresources: [posts]",
      has: ["base_url: https://a.example.com/v1", "resource: /posts"], losses: [.records, .pages]),
    ImportCase(
      "parameters, headers and the joined defaults",
      with(
        "name: a, write_disposition: replace, endpoint: { params: { b: 2, c: true, d: null, e: [x, z] }, headers: { X-A: '1' } }",
        client: "base_url: https://a.example.com, headers: { x-a: '0', X-B: '2' }, paginator: single_page",
        defaults: "endpoint: { data_selector: data, params: { a: 1, b: 1 } }"),
      has: [
        "path: /a", "query: { a: 1, b: 2, c: \"True\", e: [x, z] }", "X-A: \"1\"", "X-B: \"2\"", "records: $.data",
        "pages: none",
      ], lacks: ["x-a"]),
    ImportCase(
      "a JSON body", endpoint("method: POST, json: { a: 1, q: 'query {{ b }}', c: [true, x] }"),
      has: ["method: POST", "json: { a: 1, q: \"query { b }\", c: [true, x] }"]),
    ImportCase("a form", endpoint("method: POST, data: { a: 1, b: x }"), has: ["form: { a: 1, b: x }"]),
    ImportCase(
      "a whole URL as the path",
      with("name: a, write_disposition: replace, endpoint: { path: 'https://b.example.com/c?d=1', data_selector: e }"),
      has: ["base_url: https://b.example.com", "path: /c", "d: \"1\""]),
    ImportCase(
      "a value of the path",
      with("name: a, write_disposition: replace, endpoint: { path: 'a/{b}/c', params: { b: 7 }, data_selector: e }"),
      has: ["resource: /a/7/c"], lacks: ["query"]),
    ImportCase("a path that is not known", with("name: a, endpoint: { path: 'a/{b}' }"), losses: [.expression]),
    ImportCase(
      "the query of a path, joined with the parameters",
      with(
        "name: a, write_disposition: replace, endpoint: { path: 'a?b=x%20y&b=2&c=3', params: { c: 4 }, data_selector: e }"
      ), has: ["query: { b: [\"x y\", \"2\"], c: [\"3\", 4] }"]),
    ImportCase(
      "headers of an endpoint replace those of all endpoints",
      with(
        "name: a, write_disposition: replace, endpoint: { data_selector: b, headers: { X-A: '1' } }",
        client: "base_url: https://a.example.com, headers: { X-C: '{{x}}{y}' }, paginator: single_page",
        defaults: "endpoint: { headers: { X-B: '2' } }"),
      has: ["X-A: \"1\"", "X-C: \"{{ \\\"{{\\\" }}x}}{y}\""], lacks: ["X-B"]),
    ImportCase(
      "a path that is not known, with a token in its query",
      "client: { base_url: 'https://a.example.com' }\nresources: ['c/{d}?token=leaked-1', { name: a, endpoint: { path: 'http://me:leaked-2@b.example.com/a/{b}?token=leaked-3' } }]",
      lacks: ["leaked", "LEAKED"], losses: [.expression, .expression]),
    ImportCase("a response without a body", endpoint("method: head"), losses: [.request]),
    ImportCase(
      "forms and JSON that are texts",
      with(
        "name: a, write_disposition: replace, endpoint: { data_selector: e, method: POST, data: 'client_id=me&client_secret=leaked%201&x=' }",
        "name: b, write_disposition: replace, endpoint: { data_selector: e, method: POST, data: '{{\"user\": \"ada\", \"password\": \"leaked-2\"}}' }"
      ),
      has: [
        "text: \"client_id=me&client_secret={{ url_encode(secrets.CLIENT_SECRET) }}&x=\"",
        "\\\"password\\\": {{ to_json(secrets.PASSWORD) }}}",
      ], lacks: ["leaked"]),
    ImportCase(
      "one list among several values",
      with("name: a, write_disposition: replace, endpoint: { data_selector: 'b.*' }"), losses: [.records]),
    ImportCase(
      "elements of a list",
      with("name: a, write_disposition: replace, endpoint: { data_selector: 'b[*]' }"), has: ["records: \"$.b[*]\""]),
    ImportCase("no server", "client: {}\nresources: [a]", losses: [.request]),
    ImportCase(
      "a dlt.yml",
      "sources:\n  shop: { type: rest_api, client: { base_url: 'https://a.example.com', paginator: single_page }, resources: [{ name: a, write_disposition: replace, endpoint: { data_selector: b } }] }\n  db: { type: sql_database }",
      has: ["a:"]),
  ]

  static let authorizations = [
    ImportCase(
      "a token",
      with(
        "name: a, write_disposition: replace, endpoint: { data_selector: b }",
        client: "base_url: https://a.example.com, paginator: single_page, auth: { token: abcdefgh }"),
      has: ["bearer: \"{{ secrets.API_TOKEN }}\""], lacks: ["abcdefgh"]),
    ImportCase(
      "a name of the environment",
      with(
        "name: a, write_disposition: replace, endpoint: { data_selector: b }",
        client:
          "base_url: https://a.example.com, paginator: single_page, auth: { type: bearer, token: '${SHOP_TOKEN}' }"),
      has: ["bearer: \"{{ secrets.SHOP_TOKEN }}\""]),
    ImportCase(
      "a key", endpoint("auth: { type: api_key, name: k, api_key: abcdefgh, location: query }"),
      has: ["api_key: { query: k, value: \"{{ secrets.API_KEY }}\" }"], lacks: ["abcdefgh"]),
    ImportCase(
      "basic", endpoint("auth: { type: http_basic, username: ada, password: abcdefgh }"),
      has: ["basic: { username: \"{{ secrets.API_USERNAME }}\", password: \"{{ secrets.API_PASSWORD }}\" }"],
      lacks: ["ada", "abcdefgh"]),
    ImportCase(
      "client credentials",
      endpoint(
        "auth: { type: oauth2_client_credentials, access_token_url: 'https://l.example.com/t', client_id: me1234, client_secret: abcdefgh, access_token_request_data: { scope: a b, x: z } }"
      ), has: ["url: https://l.example.com/t", "scopes: [a, b]", "params: { x: z }", "send: body"],
      lacks: ["abcdefgh"]),
    ImportCase(
      "a cookie", endpoint("auth: { type: api_key, name: sid, api_key: abcdefgh, location: cookie }"),
      has: ["Cookie: \"sid={{ secrets.API_KEY }}\""]),
    ImportCase("an object of Python", endpoint("auth: '<shop.Auth object at 0x7f>'"), losses: [.customCode]),
    ImportCase("an unknown kind", endpoint("auth: leaked"), lacks: ["leaked"], losses: [.authentication]),
    ImportCase(
      "a user name and a password in the path",
      with(
        "name: a, write_disposition: replace, endpoint: { path: 'https://ada:leaked%21@b.example.com/c?token=leaked-2', data_selector: d }"
      ),
      has: [
        "base_url: https://b.example.com", "path: /c", "token: \"{{ secrets.TOKEN }}\"",
        "basic: { username: \"{{ secrets.API_USERNAME }}\", password: \"{{ secrets.API_PASSWORD }}\" }",
      ], lacks: ["leaked", "ada"]),
    ImportCase(
      "the authorization goes before those in the server",
      with(
        "name: a, write_disposition: replace, endpoint: { data_selector: b }",
        client: "base_url: 'https://ada:leaked@a.example.com', paginator: single_page, auth: { token: abcdefgh }"),
      has: ["base_url: https://a.example.com", "bearer:"], lacks: ["leaked", "basic"]),
    ImportCase(
      "another grant is a loss",
      endpoint(
        "auth: { type: oauth2_client_credentials, access_token_url: 'https://l.example.com/t', client_id: me1234, client_secret: abcdefgh, access_token_request_data: { grant_type: account_credentials } }"
      ), lacks: ["oauth2"], losses: [.authentication]),
    ImportCase(
      "credentials of a token request",
      endpoint(
        "auth: { type: oauth2_client_credentials, access_token_url: 'https://l.example.com/t?api_key=leaked-1', client_id: me1234, client_secret: abcdefgh, access_token_request_data: { password: leaked-2 } }"
      ),
      has: [
        "url: \"https://l.example.com/t?api_key={{ secrets.API_KEY }}\"",
        "params: { password: \"{{ secrets.PASSWORD }}\" }",
      ], lacks: ["leaked"]),
  ]

  static let pages = [
    ImportCase(
      "a URL in the response", paged("type: json_link, next_url_path: paging.next"),
      has: ["pages: { by: next_url, from: $.paging.next, missing: end }"]),
    ImportCase("the Link header", paged("type: header_link"), has: ["pages: link"]),
    ImportCase("another relation", paged("type: header_link, links_next_key: following"), has: ["from: following"]),
    ImportCase(
      "a header with a token", paged("type: header_cursor, cursor_key: X-Next, cursor_param: c"),
      has: ["by: cursor, from: headers.X-Next, query: c"]),
    ImportCase(
      "a token", paged("type: cursor, cursor_path: meta.next, cursor_param: c, has_more_path: meta.more"),
      has: ["by: cursor", "from: $.meta.next", "query: c", "more: $.meta.more"]),
    ImportCase(
      "a token in the body",
      endpoint(
        "method: POST, json: { a: 1 }, paginator: { type: cursor, cursor_path: next, cursor_body_path: page.after }"),
      has: ["body: $.page.after"]),
    ImportCase(
      "numbers", paged("type: page_number, base_page: 1, page_param: p, total_path: pages, maximum_page: 5"),
      has: ["by: page", "query: p", "count: $.pages", "stop: page.number >= 4"]),
    ImportCase(
      "numbers from 0 without a total", paged("type: page_number, total_path: null"), has: ["start: 0"],
      lacks: ["count"]),
    ImportCase(
      "offsets", paged("type: offset, limit: 50, total_path: total, maximum_offset: 120"),
      has: [
        "by: offset", "size: 50", "size_query: limit",
        "stop: page.number * 50 >= int(response.total) || page.number >= 3",
      ], lacks: ["expect"]),
    ImportCase(
      "all records that the total counts", paged("type: offset, limit: 50"), has: ["expect: { total: $.total }"],
      lacks: ["stop"]),
    ImportCase(
      "offsets behind the first records", paged("type: offset, limit: 50, offset: 5"),
      has: ["start: 5", "stop: page.number * 50 + 5 >= int(response.total)"], lacks: ["expect"]),
    ImportCase(
      "numbers behind the first page", paged("type: page_number, base_page: 1, page: 2, total_path: meta.pages"),
      has: ["start: 2", "stop: page.number + 1 >= int(response.meta.pages)"], lacks: ["count"]),
    ImportCase(
      "the token in the last record", paged("type: cursor, cursor_path: 'items[-1].id', cursor_param: c"),
      has: ["from_last: $.id", "query: c"], lacks: ["from: $.items"]),
    ImportCase(
      "another record cannot be read", paged("type: cursor, cursor_path: 'items[0].id'"), lacks: ["pages:"],
      losses: [.pages]),
    ImportCase(
      "a URL in a record cannot be read", paged("type: json_link, next_url_path: 'items[-1].next'"), lacks: ["pages:"],
      losses: [.pages]),
    ImportCase("the usual parameter of a token", paged("type: cursor"), has: ["query: cursor"]),
    ImportCase(
      "a name with a dash", paged("type: json_link, next_url_path: paging.next-page"),
      has: ["from: \"$.paging['next-page']\""]),
    ImportCase(
      "an offset in the body",
      endpoint(
        "method: POST, json: { q: a }, paginator: { type: offset, limit: 50, offset_body_path: page.offset, limit_body_path: page.limit, total_path: null }"
      ), has: ["body: $.page.offset", "limit: 50"]),
    ImportCase("one page", paged("type: single_page"), has: ["pages: none"]),
    ImportCase("the automatic kind is a loss", paged("type: auto"), lacks: ["pages:"], losses: [.pages]),
    ImportCase("an object of Python", endpoint("paginator: '<dlt.x.Paginator object at 0x1>'"), losses: [.customCode]),
    ImportCase("an unknown kind", paged("type: magic"), losses: [.pages]),
    ImportCase(
      "empty pages", paged("type: page_number, total_path: null, stop_after_empty_page: false"), losses: [.pages]),
  ]

  private static let posts =
    "name: posts, write_disposition: merge, primary_key: id, endpoint: { data_selector: items }"

  static let parents = [
    ImportCase(
      "placeholders",
      with(
        posts,
        "name: comments, write_disposition: replace, include_from_parent: [title], endpoint: { path: 'posts/{resources.posts.id}/comments', params: { n: 'x{resources.posts.number}' }, data_selector: $ }"
      ),
      has: [
        "each: { flow: posts, add: { _posts_title: \"{{ parent.title }}\" } }",
        "path: \"/posts/{+id}/comments\"", "params: { id: \"{{ parent.id }}\" }", "\"n\": \"x{{ parent.number }}\"",
        "key: id", "number: json",
        "title: json", "record: { from: $, type: json }", "mode: merge",
      ]),
    ImportCase(
      "the older form",
      with(
        posts,
        "name: comments, write_disposition: replace, endpoint: { path: 'posts/{p}/comments', params: { p: { type: resolve, resource: posts, field: author.id } }, data_selector: $ }"
      ),
      has: [
        "path: \"/posts/{+p}/comments\", params: { p: \"{{ parent.author_id }}\" }",
        "author_id: { from: $.author.id, type: json }",
      ]),
    ImportCase(
      "one record",
      with(
        "name: a, write_disposition: replace, endpoint: { data_selector: items }",
        "name: b, write_disposition: replace, endpoint: 'a/{resources.a.id}'"),
      has: ["path: \"/a/{+id}\"", "params: { id: \"{{ parent.id }}\" }", "pages: none"]),
    ImportCase(
      "elements of a list and several fields",
      with(
        "name: a, write_disposition: replace, endpoint: { data_selector: items }",
        "name: b, write_disposition: replace, endpoint: { path: 'a/{resources.a.tags[0]}/{resources.a.id}/{resources.a.owner.id}', data_selector: j }"
      ),
      has: [
        "path: \"/a/{+tags}/{+id}/{+id_2}\"",
        "tags: \"{{ parent.tags[0] }}\"", "id: \"{{ parent.id }}\"", "id_2: \"{{ parent.owner.id }}\"",
      ]),
    ImportCase(
      "a field with a whole URL",
      with(
        "name: a, write_disposition: replace, endpoint: { data_selector: items }",
        "name: b, write_disposition: replace, endpoint: { path: '{resources.a.html_url}', data_selector: j }"),
      has: ["resource: { url: \"{{ parent.html_url }}\" }"], lacks: ["params"]),
    ImportCase(
      "a format of a value is a loss",
      with(
        "name: a, write_disposition: replace, endpoint: { data_selector: items }",
        "name: b, endpoint: 'a/{resources.a.id:05d}'"), losses: [.expression]),
    ImportCase(
      "several values are a loss",
      with(
        "name: a, write_disposition: replace, endpoint: { data_selector: items }",
        "name: b, write_disposition: replace, endpoint: { path: b, data_selector: j, params: { c: { type: resolve, resource: a, field: 'tags[*]' } } }"
      ), lacks: ["query"], losses: [.expression]),
    ImportCase(
      "values of a parent where credentials stand",
      with(
        "name: a, write_disposition: replace, endpoint: { data_selector: items }",
        "name: b, write_disposition: replace, endpoint: { path: b, method: POST, data_selector: j, headers: { X-Auth-Token: 'Bearer {resources.a.key}' }, params: { access_token: 'leaked-{resources.a.id}' }, json: { token: '{resources.a.key}', pin: 1, password: 123456789 } }"
      ),
      has: [
        "X-Auth-Token: \"Bearer {{ parent.key }}\"", "access_token: \"{{ secrets.ACCESS_TOKEN }}{{ parent.id }}\"",
        "token: \"{{ parent.key }}\"", "pin: 1", "password: \"{{ secrets.PASSWORD }}\"",
      ], lacks: ["leaked", "123456789"], losses: [.request]),
    ImportCase("a parent that is not there", with("name: b, endpoint: 'a/{resources.a.id}'"), losses: [.partitions]),
    ImportCase(
      "two parents",
      with(
        "name: a, endpoint: { data_selector: i }, write_disposition: replace",
        "name: b, endpoint: { data_selector: i }, write_disposition: replace",
        "name: c, endpoint: 'a/{resources.a.id}/{resources.b.id}'"), losses: [.partitions]),
    ImportCase(
      "parents of each other",
      with("name: a, endpoint: 'a/{resources.b.id}'", "name: b, endpoint: 'b/{resources.a.id}'"),
      losses: [.partitions, .partitions]),
    ImportCase(
      "a body of a parent",
      with(
        "name: a, write_disposition: replace, endpoint: { data_selector: i }",
        "name: b, write_disposition: replace, endpoint: { path: search, method: POST, data_selector: j, json: { f: { id: '{resources.a.id}' } } }"
      ), has: ["json: { f: { id: \"{{ parent.id }}\" } }"]),
  ]

  static let cursors = [
    ImportCase(
      "a cursor", cursor("end_param: until, end_value: '2025-01-01T00:00:00Z', lag: 60, range_end: closed"),
      has: [
        "key: id", "updated_at: timestamp", "record: { from: $, type: json }", "query:", "start: since", "end: until",
        "start: 2024-01-01T00:00:00Z".replacing("2024", with: "\"2024") + "\"", "lookback: 60s", "bounds: \"[]\"",
        "mode: merge",
      ]),
    ImportCase(
      "a parameter as a cursor",
      endpoint(
        "params: { since: { type: incremental, cursor_path: id, initial_value: 5 }, a: 1 }",
        "primary_key: id, write_disposition: merge"),
      has: ["cursor: { field: id, start: \"5\", query: since, filter: true }", "id: integer", "query: { a: 1 }"]),
    ImportCase(
      "a day",
      endpoint(
        "incremental: { cursor_path: day, initial_value: '2024-01-01', start_param: d, lag: 2 }",
        "primary_key: id, write_disposition: merge"), has: ["day: date", "format: date", "lookback: 2d"]),
    ImportCase(
      "placeholders of the cursor",
      endpoint(
        "method: POST, json: { from: '{incremental.start_value}' }, incremental: { cursor_path: updated_at, initial_value: '2024-01-01T00:00:00Z' }",
        "primary_key: id, write_disposition: merge"),
      has: ["from: \"{{ cursor.start }}\"", "filter: true"]),
    ImportCase(
      "times with a fraction and a zone",
      endpoint(
        "incremental: { cursor_path: updated_at, initial_value: '2024-01-01T00:00:00.000+00:00', start_param: since }",
        "primary_key: id, write_disposition: merge"), has: ["format: \"%Y-%m-%dT%H:%M:%S.000+00:00\""]),
    ImportCase(
      "several values have no cursor",
      endpoint(
        "incremental: { cursor_path: 'a[*].b', initial_value: 1, start_param: since }",
        "primary_key: id, write_disposition: merge"), lacks: ["cursor:"], losses: [.incremental]),
    ImportCase(
      "no parameter",
      endpoint(
        "incremental: { cursor_path: updated_at, initial_value: '2024-01-01T00:00:00Z' }",
        "primary_key: id, write_disposition: merge"), has: ["filter: true"]),
    ImportCase(
      "without a key the record is its own", cursor("", "write_disposition: append"),
      has: [
        "key: digest", "digest: { value: \"{{ sha256(to_json(source)) }}\", type: string }", "mode: merge",
        "# no primary key",
      ]),
    ImportCase(
      "appended with a key", cursor("", "primary_key: id, write_disposition: append"), has: ["mode: merge"],
      losses: [.incremental]),
    ImportCase(
      "records without the field", cursor("on_cursor_value_missing: include"),
      has: ["optional: true", "updated_at: timestamp?"]),
    ImportCase(
      "records without the field are left out", cursor("on_cursor_value_missing: exclude"),
      has: ["where: has(source.updated_at)"]),
    ImportCase(
      "a function is a loss", cursor("convert: '<function f at 0x1>'"), lacks: ["cursor:"], losses: [.customCode]),
    ImportCase(
      "no first value is a loss", endpoint("incremental: { cursor_path: a, start_param: b }"), losses: [.incremental]),
    ImportCase(
      "replaced results have no cursor", cursor("", "primary_key: id, write_disposition: replace"), lacks: ["cursor:"],
      losses: [.incremental]),
    ImportCase("the least value is a loss", cursor("last_value_func: min"), losses: [.incremental]),
  ]

  static let others = [
    ImportCase(
      "responses",
      endpoint(
        "response_actions: [{ status_code: 404, action: ignore }, { status_code: 200, content: 'none', action: raise }, '<function f at 0x1>']"
      ), has: ["{ when: status == 404, do: skip }", "contains(to_json(response), 'none')"], losses: [.customCode]),
    ImportCase(
      "steps in Python are losses",
      endpoint(
        "method: GET",
        "write_disposition: replace, processing_steps: [{ filter: '<function f at 0x1>' }, { map: '<function g at 0x2>' }]"
      ), losses: [.customCode, .customCode]),
    ImportCase(
      "what describes tables is not needed",
      endpoint("method: GET", "write_disposition: replace, table_name: p, max_table_nesting: 1, selected: false"),
      has: ["tags: [unselected]"]),
    ImportCase(
      "texts of a response",
      endpoint(
        "response_actions: [{ content: '\"error\": \"Not found\"', action: ignore }, { content: 'found\", \"code\": 5', action: ignore }, { content: 'a: b', action: ignore }, { content: 'a \"b\" c', action: ignore }]"
      ),
      has: [
        "contains(to_json(response), '\\\"error\\\":\\\"Not found\\\"')",
        "contains(to_json(response), 'found\\\",\\\"code\\\":5')",
      ], losses: [.errors]),
    ImportCase(
      "types of other columns are a loss",
      endpoint("method: GET", "write_disposition: replace, columns: { price: { data_type: decimal, precision: 9 } }"),
      losses: [.schema]),
    ImportCase(
      "columns give types",
      endpoint("method: GET", "primary_key: id, write_disposition: merge, columns: { id: { data_type: bigint } }"),
      has: ["id: integer"]),
    ImportCase("appended", endpoint("method: GET", "write_disposition: append"), has: ["mode: append"]),
    ImportCase(
      "merged without a key is a loss", endpoint("method: GET", "write_disposition: merge"), losses: [.incremental]),
    ImportCase(
      "groups are a loss", endpoint("method: GET", "write_disposition: merge, primary_key: id, merge_key: day"),
      losses: [.incremental]),
    ImportCase("an unknown setting is a loss", endpoint("method: GET, magic: 1"), losses: [.unknown]),
    ImportCase(
      "a session is a loss",
      with(
        "name: a, write_disposition: replace, endpoint: { data_selector: b }",
        client: "base_url: https://a.example.com, paginator: single_page, session: '<x object at 0x1>'"),
      losses: [.configuration]),
    ImportCase(
      "a resource of Python is a loss", "client: { base_url: 'https://a.example.com' }\nresources: ['<DltResource a>']",
      losses: [.customCode]),
    ImportCase("skipped", with("name: a, write_disposition: skip")),
  ]

  @Test func `Python is not run, and the error says how to write it out`() {
    do {
      _ = try DltImport(SourceFile(path: "shop.py", text: "config = {}")).result()
      Issue.record("no error")
    } catch {
      #expect(error.message.contains("Python code") && error.help?.contains("json.dumps") == true)
    }
  }

  @Test(arguments: ["", "a", "[]", "{", "resources: 5", "sources: {}", "sources: { a: { type: x } }", "client: {}"])
  func `what is no configuration is an error`(_ text: String) {
    #expect(throws: ImportError.self) { try DltImport(SourceFile(path: "c.yaml", text: text)).result() }
  }

  @Test(arguments: [
    "null", "5", "a", "[]", "{}", "[null, 1, a, [], {}]", "{ a: { b: [] } }", "'{'", "'}'", "'{}'", "'{resources.}'",
    "'{resources.posts}'", "true",
  ])
  func `wrong values are losses, never a crash`(_ value: String) throws {
    for key in [
      "path", "method", "params", "json", "data", "headers", "auth", "paginator", "data_selector", "response_actions",
      "incremental",
    ] {
      _ = try Imported(dlt: Self.with("name: posts, endpoint: { \(key): \(value) }"))
    }
    for key in [
      "name", "endpoint", "write_disposition", "primary_key", "include_from_parent", "processing_steps", "columns",
      "selected",
    ] {
      _ = try Imported(dlt: Self.with(key == "name" ? "name: \(value)" : "name: posts, \(key): \(value)"))
    }
    for key in ["type", "next_url_path", "cursor_path", "limit", "offset", "base_page", "maximum_page", "total_path"] {
      for kind in ["json_link", "cursor", "offset", "page_number"] {
        _ = try Imported(dlt: Self.paged(key == "type" ? "type: \(value)" : "type: \(kind), \(key): \(value)"))
      }
    }
    for key in ["cursor_path", "initial_value", "lag", "end_value", "start_param", "row_order", "range_start"] {
      _ = try Imported(
        dlt: Self.endpoint(
          "incremental: { cursor_path: b, initial_value: 1, start_param: s }, x: 1".replacing("\(key): ", with: "z: ")
            .replacing("incremental: {", with: "incremental: { \(key): \(value),"),
          "primary_key: id, write_disposition: merge"))
    }
  }

  @Test func `damaged configurations do not crash`() throws {
    let seeds = (Self.requests + Self.authorizations + Self.pages + Self.parents + Self.cursors + Self.others).map {
      Array($0.source.utf8)
    }
    var generator = SeededGenerator(3)
    for _ in 0..<1_000 {
      var damaged = seeds.randomElement(using: &generator) ?? []
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        let index = Int.random(in: 0..<damaged.count, using: &generator)
        switch Int.random(in: 0..<3, using: &generator) {
        case 0: damaged[index] = UInt8.random(in: 0x20...0x7E, using: &generator)
        case 1: damaged.remove(at: index)
        default: damaged.insert("{}[]:'\"#&*!|>%@`$\n -".utf8.randomElement(using: &generator) ?? 0, at: index)
        }
      }
      guard let text = String(validating: damaged, as: UTF8.self) else { continue }
      do { _ = try Imported(dlt: text) } catch is ImportError {}
    }
  }
}
