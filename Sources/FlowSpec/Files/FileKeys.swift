import FlowModel

enum FileKeys {
  static let construct = Construct(
    .file, noun: "a flow file", "A file of flows: YAML, one document, UTF-8.",
    details: """
      A flow's id is the file's name without `.yaml`, `.yml` and `.flow`, a dot and the flow's name: `customers` in \
      `flows/shop.yaml` is `shop.customers`. `http` and `defaults` apply to all flows of the file; a flow's own key \
      wins. Every flow of the file can use what `vars`, `secrets`, `stores` and `schemas` declare.

      `defaults` takes only some keys of a flow. For the others, such as `pages`, several flows can share a block with \
      a YAML anchor under a key that begins with `x-`, which is otherwise ignored: \
      `x-paged: &paged { pages: …, errors: … }`, and `<<: *paged` in a flow.
      """, fields: [reactor, description, vars, secrets, stores, http, defaults, notify, flows, schemas],
    later: [
      .init(
        "tests", "expectations next to the flows",
        instead: "record responses and compare: 'reactor record', 'reactor test', key 'fixture'")
    ],
    frame: .init(
      "◆",
      supplies: [
        "reactor: 1", "http: { base_url: https://api.example.com }", "flows: { orders: { resource: /orders } }",
      ]))

  static let reactor = Field(
    "reactor", .whole(.integer(1...1)), default: .required, "The version of the format; this is version 1.",
    edit: .keepsResult, examples: ["reactor: 1"],
    mistakes: ["reactor: ↓2": .unsupportedVersion, "↓reactr: 1\nreactor: 1": .unknownKey])

  static let description = Field(
    "description", .freeText, "What the file is for.", secrets: .refused, edit: .keepsResult,
    examples: ["description: Customers and orders of the shop"], mistakes: ["description: ↓[shop]": .wrongKind])

  static let vars = Field(
    "vars", .whole(.map(.variable, .construct(.variable))), default: "none",
    "Typed values that templates use as `{{ vars.NAME }}`.",
    details: """
      `--var NAME=VALUE`, or else the environment variable `REACTOR_VAR_NAME`, replaces the value for a run; the new \
      value is checked against the type.
      """, edit: .whereUsed,
    examples: ["vars: { since: { type: date, default: 2024-01-01 } }", "vars:\n  region: eu-west"],
    mistakes: ["vars: { ↓page-size: 10 }": .invalidName, "vars: ↓[since]": .wrongKind])

  static let secrets = Field(
    "secrets", .secrets, default: "none",
    "Names of secrets that templates use as `{{ secrets.NAME }}`, or a mapping of names to their sources.",
    details: """
      Their values come from environment variables of these names, from `--secret-file`, from credentials of systemd or \
      from their sources, never from this file. An empty environment variable is ignored. Secrets are masked in all \
      output and are never sent to another origin.
      """, edit: .keepsResult,
    examples: [
      "secrets: [SHOP_TOKEN, PROXY_PASSWORD]",
      "secrets:\n  SHOP_TOKEN: { file: /run/secrets/shop_token }\n  PROXY_PASSWORD:",
    ],
    mistakes: [
      "secrets: { SHOP_TOKEN: ↓abc }": .wrongKind, "secrets: [A, ↓A]": .duplicateItem,
      "secrets: [↓SHOP TOKEN]": .invalidName, "secrets: ↓SHOP_TOKEN": .wrongKind,
    ])

  static let stores = Field(
    "stores", .whole(.map(.variable, .construct(.store))), default: "none",
    "Databases by name, into which flows load their results.",
    details: "A flow names its store and table in `persistence`.", edit: .byItsKeys,
    examples: ["stores: { shop: { sqlite: out/shop.db } }"],
    mistakes: ["stores: { ↓my-shop: { sqlite: out/shop.db } }": .invalidName, "stores: { ↓shop: {} }": .missingKey])

  static let http = Field(
    "http", .whole(.construct(.http)), default: "none", "How servers are reached, for every flow of the file.",
    edit: .byItsKeys, examples: ["http: { base_url: https://api.example.com/v2 }"],
    mistakes: ["http: ↓https://api.example.com": .wrongKind])

  static let defaults = Field(
    "defaults", .whole(.construct(.defaults)), default: "none", "Flow keys that apply to every flow of the file.",
    edit: .byItsKeys, examples: ["defaults: { prune: false }"],
    mistakes: ["defaults: { ↓resource: /customers }": .unknownKey])

  static let notify = Field(
    "notify", .whole(.map(.receiver, .construct(.notify))), default: "none: nobody is told",
    "Receivers by name, who are told when flows of the file fail, recover, or have no new data.",
    edit: .keepsResult,
    examples: [
      "notify: { night: { command: [logger, -t, reactor, \"{{ notice.title }}\"] } }",
      """
      secrets: [CHAT_URL]
      notify:
        operations:
          webhook: "{{ secrets.CHAT_URL }}"
          body: { text: "{{ notice.text }}" }
      """,
    ],
    mistakes: [
      "notify: { night: ↓{} }": .missingKey, "notify: { ↓'2nd': { command: [page] } }": .invalidName,
      "notify: ↓operations@example.com": .wrongKind,
    ])

  static let flows = Field(
    "flows", .whole(.map(.flow, .construct(.flow))), default: "none", "The flows by name, in the order they are run.",
    details: "A file must have flows or schemas.", edit: .byItsKeys,
    examples: ["flows:\n  customers: { resource: /customers }"],
    mistakes: [
      "flows: { ↓2nd: { resource: /customers } }": .invalidName, "flows: ↓[customers]": .wrongKind,
      "↓flows:": .missingValue,
    ])

  static let schemas = Field(
    "schemas", .whole(.map(.schema, .construct(.schema))), default: "none",
    "Schemas by name, for the flows of this file only.",
    details: """
      Schemas for several files are in files of their own, in the nearest folder `schemas`, from the flow file's \
      folder upwards. A name is looked up in the file first.
      """, edit: .whereUsed, examples: ["schemas:\n  customer: { key: id, fields: { id: integer, name: string } }"],
    mistakes: ["schemas: { customer: { ↓id: integer, fields: { id: integer } } }": .unknownKey])
}

enum VariableKeys {
  static let construct = Construct(
    .variable, noun: "a variable", "One variable: `vars.NAME` in templates.",
    shortForm: .init(
      .text, "A value alone is the default of a variable of type `string`.",
      examples: ["eu-west", "100"]), fields: [type, defaultValue, value, condition, description],
    requirements: [
      .excludes(
        [value], defaultValue, code: .contradiction,
        help: "leave out 'default': 'value' computes the variable, and '--var' can replace it"
      ) { _, _ in "'default' and 'value' cannot be used together" }
    ],
    frame: .init(
      """
      reactor: 1
      vars:
        region: eu
        since:
          ◆
      http: { base_url: https://api.example.com }
      flows: { orders: { resource: /orders } }
      """, supplies: ["type: string"]))

  static let type = Field(
    "type", .variableType, default: "string", "How the value is read and checked.",
    details: """
      If a string of a JSON body is exactly one variable, an `integer`, `number` or `boolean` becomes a JSON number or \
      boolean. Dates are `YYYY-MM-DD`; timestamps have an offset (`2024-01-31T12:00:00Z`). A `list` has texts; on the \
      command line they are separated by commas: `--var regions=eu,us`.
      """, edit: .whereUsed, examples: ["type: integer", "type: list\ndefault: [eu, us]"],
    mistakes: ["type: ↓int": .unknownType, "type: ↓datetime": .unknownType])

  static let defaultValue = Field(
    "default", .whole(.oneOrMore(.text)), default: "none: the variable must be given when a flow uses it",
    "The value if nothing replaces it; must fit the type.", edit: .whereUsed,
    examples: ["type: date\ndefault: 2024-01-01", "default: ''"],
    mistakes: [
      "type: integer\ndefault: ↓ten": .variableDefault, "type: date\ndefault: ↓2024-02-30": .variableDefault,
      "type: boolean\ndefault: ↓yes": .variableDefault, "type: integer\ndefault: ↓[1]": .wrongKind,
      "type: list\ndefault: [eu, ↓'a,b']": .variableDefault,
    ])

  static let value = Field(
    "value", .variableValue, default: "none: the value is not computed",
    "Computes the value from the variables before it.",
    details: """
      Templates may use variables that are written before this one, `env` and `now()`. `--var` and `REACTOR_VAR_NAME` \
      still replace it. If one of these variables has no value, the computed variable has no value either.
      """, secrets: .refused, edit: .whereUsed,
    examples: [
      "value: \"https://{{ vars.region }}.example.com\"",
      "type: date\nvalue: \"{{ format(add(now(), -30, 'day'), '%Y-%m-%d') }}\"",
    ],
    mistakes: [
      "value: \"{{ vars.↓since }}\"": .templateUnknownVariable, "default: a\n↓value: b": .contradiction,
      "value: \"↓{{ secrets.TOKEN }}\"": .templateSecretNotAllowed,
    ])

  static let condition = Field(
    "where", .condition, default: "any value of the type", "A condition on the value: an expression with `value`.",
    details: """
      A value that does not satisfy it is an error before the first request, wherever the value comes from: the \
      command line, the environment, `default` or the key `value`. In the condition, `value` has the variable's type; \
      other names and `now()` are not allowed. A variable without a value is not checked. `matches` searches a text, \
      so a pattern for the whole text begins with `^` and ends with `$`.
      """, secrets: .refused, edit: .keepsResult,
    examples: [
      "type: integer\nwhere: value >= 1 && value <= 200", "where: value in ['eu', 'us']",
      "type: list\nwhere: length(value) > 0 && value.all(code, matches(code, '^[A-Z]{2}$'))",
    ],
    mistakes: [
      "type: integer\nwhere: value ↓> '1'": .expressionType, "where: ↓region == 'eu'": .templateUnknownRoot,
      "type: timestamp\nwhere: ↓value <= now()": .expressionName,
      "type: integer\ndefault: ↓0\nwhere: value > 0": .variableDefault,
    ])

  static let description = Field(
    "description", .freeText, "What the variable is for.", secrets: .refused, edit: .keepsResult,
    examples: ["description: First day to ask for"], mistakes: ["↓descripton: First day": .unknownKey])
}

enum DefaultsKeys {
  static let construct = Construct(
    .defaults, noun: "'defaults'", "Keys of flows that apply to every flow of the file.",
    details: """
      A flow's own key wins, also for the single keys of `persistence` and `expect`. Other keys of a flow, such as `pages`, are not \
      allowed here: share them as a block under a key that begins with `x-`.
      """,
    fields: [
      FlowKeys.tags, FlowKeys.schedule, FlowKeys.prune, FlowKeys.reachability, FlowKeys.wait, FlowKeys.retry,
      FlowKeys.errors, persistence, expect, state,
    ],
    frame: .init(
      """
      reactor: 1
      secrets: [STATE_URL]
      http: { base_url: https://api.example.com }
      defaults:
        ◆
      flows: { orders: { resource: /orders } }
      """))

  static let stored: [Stored<FlowDefaults>] = [
    .init(state) { $0.state = $1 },
    .init(FlowKeys.tags) { $0.tags = $1.map(\.value) }, .init(FlowKeys.prune) { $0.prune = $1 },
    .init(FlowKeys.reachability) { $0.reachability = $1 }, .init(FlowKeys.wait) { $0.wait = $1 },
    .init(FlowKeys.retry) { $0.retry = $1 }, .init(FlowKeys.errors) { $0.errors = $1 },
    .init(FlowKeys.schedule) { $0.schedule = $1 },
  ]

  static let state = Field(
    "state", .databaseURL, default: "none: the state is in the folder of the results",
    "The PostgreSQL database with the state that processes on several machines share.",
    details: """
      `--state` and `REACTOR_STATE` replace it; `--state none` runs without shared state. It is that of the whole run, \
      so all files that declare it declare the same. `reactor status`, `report --run` and `history` read no flow files: \
      they need the option or the variable.
      """, edit: .keepsResult,
    examples: ["state: \"{{ secrets.STATE_URL }}\"", "state: postgresql://state.example.com/reactor"],
    mistakes: [
      "state: ↓postgresql://run:tea@db.example.com/reactor": .plainCredential, "state: ↓mysql://db": .invalidURL,
    ])

  static let expect = Field(
    "expect", .whole(.construct(.defaultExpect)), default: "none", "The expected age of the results of all flows.",
    edit: .keepsResult, examples: ["expect: { freshness: 26h }"],
    mistakes: ["expect: { ↓min: 1 }": .unknownKey])

  static let persistence = Field(
    "persistence", .whole(.construct(.defaultPersistence)), default: "none",
    "How the results of all flows are persisted.",
    details: "Only flows that name a file or a table in `persistence` are persisted.", edit: .keepsResult,
    examples: ["persistence: { expires_after: 1h }"],
    mistakes: ["persistence: { ↓path: out/all.jsonl }": .misplacedKey, "persistence: ↓out/all.jsonl": .misplacedKey])
}

enum DefaultPersistenceKeys {
  static let construct = Construct(
    .defaultPersistence, noun: "'defaults.persistence'",
    "How results are persisted, for every persisted flow of the file.",
    fields: [PersistenceKeys.expiresAfter, PersistenceKeys.failOnSaveError],
    frame: .init(
      """
      reactor: 1
      http: { base_url: https://api.example.com }
      defaults:
        persistence:
          ◆
      flows: { orders: { resource: /orders } }
      """))

  static let stored: [Stored<FlowDefaults>] = [
    .init(PersistenceKeys.expiresAfter) { $0.expiresAfter = $1 },
    .init(PersistenceKeys.failOnSaveError) { $0.failOnSaveError = $1 },
  ]
}

enum DefaultExpectKeys {
  static let construct = Construct(
    .defaultExpect, noun: "'defaults.expect'", "What is expected of the results of every flow of the file.",
    fields: [ExpectKeys.freshness],
    frame: .init(
      """
      reactor: 1
      http: { base_url: https://api.example.com }
      defaults:
        expect:
          ◆
      flows: { orders: { resource: /orders } }
      """))

  static let stored: [Stored<FlowDefaults>] = [.init(ExpectKeys.freshness) { $0.freshness = $1.value }]
}

/// The values of a `defaults` mapping. A property is nil if its key is absent.
struct FlowDefaults {
  var state: Located<Template>?
  var tags: [String]?
  var schedule: Located<Schedule>?
  var prune: Bool?
  var reachability: Bool?
  var wait: Bool?
  var retry: Retry?
  var errors: [ErrorRule]?
  var expiresAfter: Lifetime?
  var failOnSaveError: Bool?
  var freshness: Double?
}
