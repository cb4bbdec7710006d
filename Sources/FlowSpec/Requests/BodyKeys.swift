enum BodyKeys {
  static let construct = Construct(
    .body, noun: "a body", "A request's body in exactly one of its forms.", fields: forms,
    frame: .flow(
      "each: { file: out/customers.jsonl }\nresource:\n  method: POST\n  path: /search\n  body:\n    ◆"))

  /// The formats of a body. Each key of `body` is one format.
  static let forms = [json, form, text, graphql, records]

  static let json = Field(
    "json", .converted(.templatedJSON) { BodyDeclaration.json($0) }, "A JSON document, written as YAML.",
    details: """
      Unquoted `true`, `false`, `null` and numbers in the form of JSON become JSON values; everything else is text \
      (`no`, `012`), and so is everything in quotes. A string that is exactly `{{ vars.NAME }}` keeps the variable's \
      type; a member that is exactly `{{ optional(…) }}` is left out while its value is missing, null or empty. Sent \
      as `application/json` unless a header says otherwise.
      """, edit: .asksAnew,
    examples: ["json: { region: \"{{ vars.region }}\", active: true, limits: [1, 2.5], code: '012' }"],
    mistakes: [
      "json: { region: \"{{ ↓config.region }}\" }": .templateUnknownRoot,
      "json: { \"↓{{ vars.region }}\": 1 }": .templateNotAllowed,
    ])

  static let form = Field(
    "form", .converted(.form) { BodyDeclaration.form($0) }, "Pairs sent as `application/x-www-form-urlencoded`.",
    edit: .asksAnew, examples: ["form: { grant: \"{{ secrets.SHOP_TOKEN }}\", scope: [read, write] }"],
    mistakes: ["form: ↓a=b": .wrongKind])

  static let text = Field(
    "text", .converted(.template) { BodyDeclaration.text($0) }, "Plain text, line breaks included.",
    details: "Sent as `text/plain; charset=utf-8` unless a header says otherwise.", edit: .asksAnew,
    examples: ["text: |\n  select * from customers\n  where region = '{{ vars.region }}'"],
    mistakes: [
      "text: a\n↓json: {}": .bodyForm, "text: |\n  first\n  second {{ vars.↓regon }}": .templateUnknownVariable,
    ])

  static let graphql = Field(
    "graphql", .construct(.graphql) { $0.graphql($1) }, "A GraphQL query, sent as JSON.",
    details: "A response with `errors` fails the flow, whatever its status is.", edit: .byItsKeys,
    examples: ["graphql: \"query { customers { id } }\""], mistakes: ["graphql: ↓[customers]": .wrongKind])

  static let records = Field(
    "records", .construct(.sentRecords) { $0.sentRecords($1) },
    "The records of the flow's `each`, encoded with a schema.",
    details: """
      Needs an `each` over the records of one flow or one file. A request has one record, or several with \
      `each.batch`. Sent as `application/json`, or `application/x-ndjson` with `format: jsonl`, unless a header says \
      otherwise.
      """, edit: .byItsKeys, examples: ["records: customer", "records: { schema: customer, path: $.data }"],
    mistakes: ["records: ↓custmer": .unknownSchema, "records: ↓[customer]": .wrongKind])
}

enum GraphQLKeys {
  static let construct = Construct(
    .graphql, noun: "a GraphQL query", "A GraphQL query with its variables.",
    shortForm: .init(.text, "A text alone is a query without variables.", examples: ["\"query { customers { id } }\""]),
    fields: [query, variables, operation],
    frame: .flow("resource:\n  method: POST\n  path: /graphql\n  body:\n    graphql:\n      ◆"))

  static let query = Field(
    "query", .template, default: .required, "The GraphQL document.", edit: .asksAnew,
    examples: ["query: \"query Customers($after: String) { customers(after: $after) { nodes { id } } }\""],
    mistakes: ["query: \"query { {{ vars.↓regon }} }\"": .templateUnknownVariable])

  static let variables = Field(
    "variables", .jsonMapping(example: "{ region: eu }"), default: "none",
    "Values for the document's variables, as in `body.json`.", edit: .asksAnew,
    examples: ["query: \"query ($r: String) { a(r: $r) }\"\nvariables: { r: \"{{ vars.region }}\" }"],
    mistakes: ["query: a\nvariables: ↓[a]": .wrongKind])

  static let operation = Field(
    "name", .text, default: "the only one", "The operation to run, if the document has several.", edit: .asksAnew,
    examples: ["query: \"query A { a } query B { b }\"\nname: B"],
    mistakes: ["query: a\n↓operationName: B": .unknownKey])
}
