/// A key that other programs use, and what to write instead of it here.
enum ForeignKey {
  /// The key of the same construct that has this purpose.
  case key(String)
  /// The help that says what to write instead, if no single key has this purpose.
  case help(String)

  /// The counterpart of a key in a construct; nil for an unknown word.
  static func named(_ name: String, in construct: ConstructName) -> ForeignKey? {
    byConstruct[construct]?[name.lowercased()]
  }

  private static let byConstruct: [ConstructName: [String: ForeignKey]] = [
    .file: byWord([
      "reactor": ["version", "reactor_version"], "vars": ["variables", "config", "parameters", "params", "env"],
      "flows": ["streams", "resources", "sources", "pipelines", "endpoints", "tasks", "jobs", "flow"],
      "secrets": ["credentials", "passwords"], "stores": ["databases", "destinations"],
      "http": ["api", "client", "server", "connection"],
    ]),
    .http: byWord(
      [
        "base_url": ["url", "host", "server", "endpoint"], "auth": ["authentication", "authorization", "credentials"],
      ],
      [
        "set retries with the key 'retry' of a flow or of 'defaults'": ["retries", "max_retries"],
        "credentials belong in 'auth', for example 'auth: { bearer: \"{{ secrets.TOKEN }}\" }'": ["token", "api_key"],
        "use 'query' in the 'resource' of a flow": ["params", "query"],
      ]),
    .flow: byWord(
      [
        "pages": ["pagination", "paginator", "paging", "paginate"],
        "persistence": ["output", "destination", "sink", "target", "save", "file", "out"],
        "cursor": ["incremental", "cursor_field", "replication_key"],
        "each": ["foreach", "for_each", "loop", "parent"], "schedule": ["cron", "interval", "trigger"],
        "reshape": ["transform", "transformations"], "retry": ["retries", "max_retries"],
        "records": ["data_path", "record_path", "record_selector", "data_selector", "selector", "items"],
        "expect": ["assert", "validate", "checks"], "where": ["filter", "record_filter"],
      ],
      [
        "a request is declared as 'resource: /orders' or 'resource: { path: /orders, query: { … } }'":
          ["url", "uri", "endpoint", "request"],
        "use 'query' in 'resource'": ["params", "parameters", "query_params"],
        "fields are declared in a schema: 'schema: { key: id, fields: { id: integer } }'":
          ["fields", "columns", "properties", "primary_key", "key", "mapping"],
        "credentials belong in 'http', for example 'http: { auth: { bearer: \"{{ secrets.TOKEN }}\" } }'":
          ["token", "bearer", "api_key", "password", "credentials", "authentication", "authorization"],
        "the name of a flow is its key under 'flows'": ["name", "id"],
      ]),
    .resource: byWord(
      [
        "path": ["endpoint", "uri"], "query": ["parameters", "query_params", "querystring", "request_parameters"],
        "body": ["data", "payload", "json", "request_body"], "method": ["verb", "http_method"],
      ],
      ["credentials belong in 'http.auth'": ["token", "api_key", "authenticator"]]),
    .schema: byWord([
      "key": ["primary_key", "primary_keys", "unique_key", "keys"], "fields": ["columns", "properties", "attributes"],
    ]),
    .field: byWord(
      [
        "from": ["path", "source", "json_path", "jsonpath", "selector"], "value": ["expression", "expr", "formula"],
        "values": ["enum", "choices"], "of": ["items"], "type": ["dtype", "datatype", "data_type"],
      ],
      ["write 'optional: true' for a field that may be absent or null": ["nullable", "required", "null", "mandatory"]]
    ),
    .pages: byWord([
      "by": ["type", "strategy", "kind"], "size": ["page_size", "limit", "per_page"], "start": ["start_page"],
      "from": ["next_page", "next_path", "cursor_path", "token_path"], "query": ["param", "parameter", "page_param"],
      "max": ["max_pages", "maximum_page"], "stop": ["stop_condition", "until"],
    ]),
    .persistence: byWord(
      [
        "path": ["file", "filename", "output"], "expires_after": ["ttl", "max_age", "expires"],
        "mode": ["write_disposition", "if_exists"],
      ],
      ["the extension of 'path' decides the format: .jsonl, .json or .csv": ["format", "type"]]),
    .schedule: byWord([
      "cron": ["expression", "cron_expression", "at"], "every": ["interval", "period"],
      "zone": ["time_zone", "timezone", "tz"], "jitter": ["random_delay", "splay"],
    ]),
    .retry: byWord(["max": ["attempts", "max_attempts", "retries", "count", "max_retries"], "wait": ["delay"]]),
  ]

  private static func byWord(
    _ keys: [String: [String]], _ helps: [String: [String]] = [:]
  ) -> [String: ForeignKey] {
    var words: [String: ForeignKey] = [:]
    for (key, others) in keys { for other in others { words[other] = .key(key) } }
    for (help, others) in helps { for other in others { words[other] = .help(help) } }
    return words
  }
}
