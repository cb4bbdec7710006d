extension Construct {
  static let resource = Construct(
    .resource, noun: "a resource", "What is asked of the server.",
    shortForm: ShortForm(for: "path", .requestPath, "A path alone is asked for with GET.", examples: ["/customers"]),
    fields: [
      FieldSpec(
        "method", .choice(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]), default: "GET",
        "The request method, in capitals.",
        examples: ["method: POST"],
        mistakes: [.init("method: ↓get", .unknownValue), .init("method: ↓PSOT", .unknownValue)]),
      FieldSpec(
        "path", .requestPath, required: true, "The path, joined to the base URL.",
        details: """
          No query and no fragment; a missing leading slash is added. Braces are a URI template (RFC 6570) over `params`: \
          `{id}` escapes everything special, `{+name}` keeps slashes, `{?page,size}` adds a query.
          """, templated: true, secrets: .warned,
        examples: ["path: /customers", "path: \"/regions/{{ vars.region }}/customers\""],
        mistakes: [
          .init("path: /customers↓?limit=10", .invalidRequestPath),
          .init("path: ↓https://api.example.com/customers", .invalidRequestPath),
          .init("path: \"/regions/↓{{ vars.region\"", .templateUnclosed),
          .init("path: ↓\"/regions/{region}\"", .unknownParameter),
          .init("path: \"/regions/↓{region\"", .invalidRequestPath),
        ]),
      FieldSpec(
        "params", .map(.parameter, .oneOrMore(.text)), default: "none",
        "Values for the braces in `path`, by name; a list gives several.", templated: true, secrets: .warned, row: 14,
        examples: ["path: \"/repositories/{+name}/tags\"\nparams: { name: \"tools/{{ vars.region }}\" }"],
        mistakes: [.init("path: \"/a/{id}\"\nparams: { id: 1, ↓di: 2 }", .unknownParameter)]),
      FieldSpec(
        "query", .map(.parameter, .oneOrMore(.text)), default: "none",
        "Query parameters by name, in order; a list repeats the parameter, an empty one leaves it out.",
        details: "Names and values are written plainly and percent-encoded when the URL is built.", templated: true,
        secrets: .warned,
        examples: [
          "query: { updated_since: \"{{ vars.since }}\", limit: 100 }", "query: { status: [open, waiting] }",
          "query: { id: \"{{ [1, 2] }}\" }",
        ],
        mistakes: [
          .init("query: { since: \"{{ vars.↓sinse }}\" }", .templateUnknownVariable),
          .init("query: { key: \"↓{{ secrets.SHOP_TOKEN }}\" }", .templateSecretInURL),
          .init("query: { filter: ↓{ a: 1 } }", .wrongKind), .init("query: { ↓limit: }", .missingValue),
        ]),
      FieldSpec(
        "headers", .map(.header, .text), default: "none", "Request headers of this flow alone.",
        details: "They go before those of `http`; the same rules hold.", templated: true,
        examples: ["headers: { Accept: text/json }"],
        mistakes: [.init("headers: { X-A: a, ↓x-a: b }", .duplicateItem)]),
      FieldSpec(
        "body", .construct(.body), default: "none", "The request's body.",
        details: "Refused with GET and HEAD, whose bodies servers ignore or reject.",
        examples: ["method: POST\nbody: { json: { region: eu } }"],
        mistakes: [
          .init("↓body: { text: hello }", .bodyNotAllowed),
          .init("method: POST\nbody: ↓hello", .wrongKind),
        ]),
      Sending.idempotency,
    ],
    frame: Frame(
      """
      reactor: 1
      vars: { since: { type: date, default: 2024-01-01 }, region: eu }
      secrets: [SHOP_TOKEN]
      http: { base_url: https://api.example.com }
      flows:
        customers:
          resource:
            ◆
      """, supplies: ["path: /customers"]))

  static let body = Construct(
    .body, noun: "a body", "A request's body in exactly one of its forms.",
    fields: [
      FieldSpec(
        "json", .json, "A JSON document, written as YAML.",
        details: """
          Unquoted `true`, `false`, `null` and numbers as JSON writes them become JSON's; all else is text (`no`, \
          `012`), and so is everything in quotes. A string that is nothing but `{{ vars.NAME }}` keeps the \
          variable's type. Sent as `application/json` unless a header says otherwise.
          """, templated: true,
        examples: ["json: { region: \"{{ vars.region }}\", active: true, limits: [1, 2.5], code: '012' }"],
        mistakes: [
          .init("json: { region: \"{{ ↓config.region }}\" }", .templateUnknownRoot),
          .init("json: { \"↓{{ vars.region }}\": 1 }", .templateNotAllowed),
        ]),
      FieldSpec(
        "form", .map(.parameter, .oneOrMore(.text)), "Pairs sent as `application/x-www-form-urlencoded`.",
        templated: true,
        examples: ["form: { grant: \"{{ secrets.SHOP_TOKEN }}\", scope: [read, write] }"],
        mistakes: [.init("form: ↓a=b", .wrongKind)]),
      FieldSpec(
        "text", .text, "Text as it is, line breaks included.",
        details: "Sent as `text/plain; charset=utf-8` unless a header says otherwise.", templated: true,
        examples: ["text: |\n  select * from customers\n  where region = '{{ vars.region }}'"],
        mistakes: [
          .init("text: a\n↓json: {}", .bodyForm),
          .init("text: |\n  first\n  second {{ vars.↓regon }}", .templateUnknownVariable),
        ]),
      FieldSpec(
        "graphql", .construct(.graphql), "A GraphQL query, sent as JSON.",
        details: "An answer with `errors` fails the flow, whatever its status.", row: 13,
        examples: ["graphql: \"query { customers { id } }\""],
        mistakes: [.init("graphql: ↓[customers]", .wrongKind)]),
      Sending.records,
    ],
    frame: Frame(
      """
      reactor: 1
      vars: { region: eu }
      secrets: [SHOP_TOKEN]
      http: { base_url: https://api.example.com }
      schemas: { customer: { fields: { id: integer } } }
      flows:
        customers:
          each: { file: out/customers.jsonl }
          resource:
            method: POST
            path: /search
            body:
              ◆
      """))

  static let graphql = Construct(
    .graphql, noun: "a GraphQL query", "A GraphQL query with its variables.",
    shortForm: ShortForm(
      for: "query", .text, "A text alone is a query without variables.", examples: ["\"query { customers { id } }\""]),
    fields: [
      FieldSpec(
        "query", .text, required: true, "The document.", templated: true, row: 13,
        examples: ["query: \"query Customers($after: String) { customers(after: $after) { nodes { id } } }\""],
        mistakes: [.init("query: \"query { {{ vars.↓regon }} }\"", .templateUnknownVariable)]),
      FieldSpec(
        "variables", .json, default: "none", "Values for the document's variables, as in `body.json`.", templated: true,
        row: 13,
        examples: ["query: \"query ($r: String) { a(r: $r) }\"\nvariables: { r: \"{{ vars.region }}\" }"],
        mistakes: [.init("query: a\nvariables: ↓[a]", .wrongKind)]),
      FieldSpec(
        "operation", .text, default: "the only one", "Which of the document's operations is meant.", row: 13,
        examples: ["query: \"query A { a } query B { b }\"\noperation: B"],
        mistakes: [.init("query: a\n↓operationName: B", .unknownKey)]),
    ],
    frame: Frame(
      """
      reactor: 1
      vars: { region: eu }
      http: { base_url: https://api.example.com }
      flows:
        customers:
          resource:
            method: POST
            path: /graphql
            body:
              graphql:
                ◆
      """))
}
