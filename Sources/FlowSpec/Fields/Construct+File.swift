extension Construct {
  static let file = Construct(
    .file, noun: "a flow file", "A file of flows: YAML, one document, UTF-8.",
    details: """
      A flow's id is the file's name without `.yaml`, `.yml` and `.flow`, a dot and the flow's name: `customers` in \
      `flows/shop.yaml` is `shop.customers`. Everything outside `flows` holds for all flows of the file; a flow's own \
      key wins.
      """,
    fields: [
      FieldSpec(
        "reactor", .integer(1...1), required: true, "The version of the format; this is version 1.",
        examples: ["reactor: 1"],
        mistakes: [
          .init("reactor: ↓2", .unsupportedVersion), .init("↓reactr: 1\nreactor: 1", .unknownKey),
        ]),
      FieldSpec(
        "description", .text, "What the file is for.", secrets: .refused,
        examples: ["description: Customers and orders of the shop"],
        mistakes: [.init("description: ↓[shop]", .wrongKind)]),
      FieldSpec(
        "vars", .map(.variable, .construct(.variable)), default: "none",
        "Typed values that templates use as `{{ vars.NAME }}`.",
        details: """
          `--var NAME=VALUE` and, after it, the environment variable `REACTOR_VAR_NAME` replace the value for a run; \
          what they give is checked against the type.
          """,
        examples: ["vars: { since: { type: date, default: 2024-01-01 } }", "vars:\n  region: eu-west"],
        mistakes: [.init("vars: { ↓page-size: 10 }", .invalidName), .init("vars: ↓[since]", .wrongKind)]),
      FieldSpec(
        "secrets", .list(.name(.secret)), default: "none",
        "Names of secrets that templates use as `{{ secrets.NAME }}`.",
        details: """
          Their values come from environment variables of these names or from `--secret-file`, never from this file; an \
          empty environment variable counts as none. They are masked wherever they would be shown and are never sent to another origin.
          """,
        examples: ["secrets: [SHOP_TOKEN, PROXY_PASSWORD]"],
        mistakes: [
          .init("secrets: ↓{ SHOP_TOKEN: abc }", .wrongKind),
          .init("secrets: [A, ↓A]", .duplicateItem), .init("secrets: [↓SHOP TOKEN]", .invalidName),
        ]),
      FieldSpec(
        "http", .construct(.http), default: "none", "How servers are reached, for every flow of the file.",
        examples: ["http: { base_url: https://api.example.com/v2 }"],
        mistakes: [.init("http: ↓https://api.example.com", .wrongKind)]),
      FieldSpec(
        "defaults", .construct(.defaults), default: "none", "Flow keys that hold for every flow of the file.",
        examples: ["defaults: { prune: false }"],
        mistakes: [.init("defaults: { ↓resource: /customers }", .unknownKey)]),
      FieldSpec(
        "flows", .map(.flow, .construct(.flow)), default: "none", "The flows by name, in the order they are run.",
        details: "A file must hold flows or schemas.",
        examples: ["flows:\n  customers: { resource: /customers }"],
        mistakes: [
          .init("flows: { ↓2nd: { resource: /customers } }", .invalidName), .init("flows: ↓[customers]", .wrongKind),
          .init("↓flows:", .missingValue),
        ]),
      FieldSpec(
        "schemas", .map(.schema, .construct(.schema)), default: "none",
        "Schemas by name, for the flows of this file only.",
        details: """
          Schemas that several files use stand in files of their own in the folder `schemas`: the nearest one upwards \
          from the flow file's folder. A name is looked up in the file first.
          """,
        examples: ["schemas:\n  customer: { key: id, fields: { id: integer, name: string } }"],
        mistakes: [.init("schemas: { customer: { ↓id: integer, fields: { id: integer } } }", .unknownKey)]),
    ],
    later: [
      LaterKey(
        "tests", row: 6, "expectations beside the flows",
        instead: "record answers and compare: 'reactor record', 'reactor test', key 'fixture'")
    ],
    frame: Frame(
      "◆",
      supplies: [
        "reactor: 1", "http: { base_url: https://api.example.com }", "flows: { orders: { resource: /orders } }",
      ]))

  static let variable = Construct(
    .variable, noun: "a variable", "One variable: `vars.NAME` in templates.",
    shortForm: ShortForm(
      for: "default", .text, "A value alone is the default of a variable of type `string`.",
      examples: ["eu-west", "100"]),
    fields: [
      FieldSpec(
        "type", .choice(VariableType.allCases.map(\.rawValue)), default: "string", "How the value is read and checked.",
        details: """
          Where a string of a JSON body is nothing but one variable, an `integer`, `number` or `boolean` becomes a \
          JSON number or boolean. Dates are `YYYY-MM-DD`; timestamps have an offset (`2024-01-31T12:00:00Z`). A \
          `list` holds texts; from outside they come with commas between them: `--var regions=eu,us`.
          """,
        examples: ["type: integer", "type: list\ndefault: [eu, us]"],
        mistakes: [.init("type: ↓int", .unknownType), .init("type: ↓datetime", .unknownType)]),
      FieldSpec(
        "default", .oneOrMore(.text), default: "none: the variable must be given when a flow uses it",
        "The value when nothing replaces it; must fit the type.",
        examples: ["type: date\ndefault: 2024-01-01", "default: ''"],
        mistakes: [
          .init("type: integer\ndefault: ↓ten", .variableDefault),
          .init("type: date\ndefault: ↓2024-02-30", .variableDefault),
          .init("type: boolean\ndefault: ↓yes", .variableDefault),
          .init("type: integer\ndefault: ↓[1]", .wrongKind),
          .init("type: list\ndefault: [eu, ↓'a,b']", .variableDefault),
        ]),
      FieldSpec(
        "description", .text, "What it is for.", secrets: .refused, examples: ["description: First day to ask for"],
        mistakes: [.init("↓descripton: First day", .unknownKey)]),
    ],
    frame: Frame(
      """
      reactor: 1
      vars:
        since:
          ◆
      http: { base_url: https://api.example.com }
      flows: { orders: { resource: /orders } }
      """, supplies: ["type: string"]))
}
