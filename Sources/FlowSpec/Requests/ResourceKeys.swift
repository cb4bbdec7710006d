enum ResourceKeys {
  static let construct = Construct(
    .resource, noun: "a resource", "The request to the server.",
    shortForm: .init(.requestPath, "A path alone is a GET request.", examples: ["/customers"]),
    fields: [method, path, url, params, query, unescaped, headers, body, idempotency],
    requirements: [
      .oneOf(
        [path, url], code: .missingKey, "'path' is missing in a resource",
        help: "add it, for example 'path: /customers', or a 'url' that a record contains"),
      .excludes(
        [url], path, code: .misplacedKey, help: "leave out one of them; the server of a path is 'http.base_url'"
      ) { _, _ in "'url' replaces 'path', so only one of them is allowed" },
    ],
    frame: .flow("resource:\n  ◆", supplies: ["path: /customers"], alternatives: ["path": "url"]))

  static let stored: [Stored<RequestDeclaration>] = [
    .init(query) { $0.query = $1 }, .init(headers) { $0.headers = $1 }, .init(body) { $0.body = $1 },
  ]

  /// The methods that a request may have.
  static let methods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]

  static let method = Field(
    "method", .choice(methods), default: "GET",
    "The request method, in capitals.", edit: .asksAnew, examples: ["method: POST"],
    mistakes: ["method: ↓get": .unknownValue, "method: ↓PSOT": .unknownValue])

  static let path = Field(
    "path", .requestPath, default: "none: a path or a URL is required", "The path, joined to the base URL.",
    details: """
      No query and no fragment; a missing leading slash is added. Braces are a URI template (RFC 6570) over `params`: \
      `{id}` escapes everything special, `{+name}` keeps slashes, `{?page,size}` adds a query.
      """, secrets: .warned, edit: .asksAnew,
    examples: ["path: /customers", "path: \"/regions/{{ vars.region }}/customers\""],
    mistakes: [
      "path: /customers↓?limit=10": .invalidRequestPath,
      "path: ↓https://api.example.com/customers": .invalidRequestPath,
      "path: \"/regions/↓{{ vars.region\"": .templateUnclosed, "path: ↓\"/regions/{region}\"": .unknownParameter,
      "path: \"/regions/↓{region\"": .invalidRequestPath,
    ])

  static let url = Field(
    "url", .filledLine, default: "none: `path`", "The whole URL, for URLs that records contain.",
    details: """
      It replaces base URL and path; `query` is added to it. A relative URL starts at the base URL. A request to \
      another origin has no credentials and no headers with secrets. `http.allow` limits which servers records can \
      name.
      """, secrets: .refused, edit: .asksAnew,
    examples: ["url: \"https://{{ vars.region }}.example.com/customers\"", "url: \"/regions/{{ vars.region }}\""],
    mistakes: [
      "url: ↓https://api.example.com/customers": .invalidURL,
      "path: /customers\n↓url: \"/{{ vars.region }}\"": .misplacedKey,
      "url: \"{{ ↓region.url }}\"": .templateUnknownRoot,
      "url: \"↓{{ secrets.SHOP_TOKEN }}\"": .templateSecretNotAllowed,
    ])

  static let params = Field(
    "params", .templates(.parameter, .oneOrMore(.text)), default: "none",
    "Values for the braces in `path`, by name; a list gives several.", secrets: .warned, edit: .asksAnew,
    examples: ["path: \"/repositories/{+name}/tags\"\nparams: { name: \"tools/{{ vars.region }}\" }"],
    mistakes: ["path: \"/a/{id}\"\nparams: { id: 1, ↓di: 2 }": .unknownParameter])

  static let query = Field(
    "query", .templates(.parameter, .oneOrMore(.text)), default: "none",
    "Query parameters by name, in order; a list repeats the parameter, an empty list leaves it out.",
    details: """
      Write names and values as plain text: they are percent-encoded in the URL. `{{ optional(…) }}` leaves the \
      parameter out while its value is missing, null or empty. In a flow with a schema, `{{ join(schema.fields, ',') \
      }}` lists the names of its fields that are read from records; this works anywhere in the request.
      """, secrets: .warned,
    edit: .asksAnew,
    examples: [
      "query: { updated_since: \"{{ vars.since }}\", limit: 100 }", "query: { status: [open, waiting] }",
      "query: { id: \"{{ [1, 2] }}\" }", "query: { region: \"{{ optional(vars.region) }}\" }",
    ],
    mistakes: [
      "query: { since: \"{{ vars.↓sinse }}\" }": .templateUnknownVariable,
      "query: { key: \"↓{{ secrets.SHOP_TOKEN }}\" }": .templateSecretInURL, "query: { filter: ↓{ a: 1 } }": .wrongKind,
      "query: { since: \"since {{ ↓optional(vars.since) }}\" }": .expressionMissing,
      "query: { ↓limit: }": .missingValue,
    ])

  static let unescaped = Field(
    "unescaped", .names(.parameter), default: "none", "The parameters in `query` whose values are sent as written.",
    details: """
      For servers that do not decode `,`, `:` or `/` in a query. Characters that a query may contain (RFC 3986), among \
      them `&`, `=` and `+`, and escapes such as `%2C` are sent as they are; others are percent-encoded. A value with \
      a space or a control character is an error. So a value can add further parameters: do not use this key for \
      values that other people choose.
      """, edit: .asksAnew, examples: ["query: { fields: \"id,name\", limit: 10 }\nunescaped: [fields]"],
    mistakes: [
      "query: { fields: id }\nunescaped: [↓field]": .unknownParameter,
      "query: { fields: ↓\"id, name\" }\nunescaped: [fields]": .invalidRequestPath,
    ])

  static let headers = Field(
    "headers", .headers, default: "none", "Request headers of this flow alone.",
    details: "They replace headers of `http` with the same name, and follow the same rules.", edit: .asksAnew,
    examples: ["headers: { Accept: text/json }"], mistakes: ["headers: { X-A: a, ↓x-a: b }": .duplicateItem])

  static let body = Field(
    "body", .construct(.body) { $0.body($1) }, default: "none", "The request's body.",
    details: """
      Not allowed with HEAD. With GET it must be deliberate: most servers ignore or reject the body of a GET request, \
      so `method: GET` must be written.
      """, edit: .byItsKeys,
    examples: [
      "method: POST\nbody: { json: { region: eu } }", "method: GET\nbody: { json: { query: { match_all: {} } } }",
    ],
    mistakes: ["↓body: { text: hello }": .bodyNotAllowed, "method: POST\nbody: ↓hello": .wrongKind])

  static let idempotency = Field(
    "idempotency", .whole(.construct(.idempotency)), default: "none",
    "A header by which the server recognizes a repeated request.",
    details: """
      With it a POST or PATCH can be sent again by `retry`, and in later runs, without a second effect. The server \
      must support the header.
      """, edit: .keepsResult,
    examples: [
      "method: POST\nidempotency: Idempotency-Key",
      "method: POST\nidempotency: { header: X-Request-Id, key: \"import-{{ vars.region }}\" }",
    ],
    mistakes: [
      "↓idempotency: Idempotency-Key": .idempotencyKey, "method: POST\nidempotency: ↓Idempotency Key": .invalidHeader,
      "method: POST\nidempotency: Idempotency-Key\nheaders: { ↓idempotency-key: a }": .duplicateItem,
    ])
}
