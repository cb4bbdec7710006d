import Importing
import Testing

/// Rules by which a manifest changes its configuration.
@Suite(.timeLimit(.minutes(1))) struct ConfigurationImportTests {
  /// A stream whose parameter `q` is an expression, with rules for the configuration.
  private static func with(_ rules: String, q: String = "{{ config['state'] }}", more: String = "") -> String {
    Manifest.with(
      Manifest.stream(requester: "path: /items, request_parameters: { q: \"\(q)\", ok: 1\(more) }"),
      spec: "  config_normalization_rules: { \(rules) }")
  }
  private static func transformed(_ steps: String, q: String = "{{ config['state'] }}") -> String {
    with("transformations: [\(steps)]", q: q)
  }
  private static func migrated(_ steps: String) -> String {
    with("config_migrations: [{ type: ConfigMigration, transformations: [\(steps)] }]")
  }
  private static func validated(_ path: String, _ schema: String) -> String {
    with(
      "validations: [{ type: DpathValidator, field_path: [\(path)], validation_strategy: { type: ValidateAdheresToSchema, base_schema: { \(schema) } } }]"
    )
  }

  @Test(arguments: transformations + migrations + validations)
  func `rules for the configuration are carried over`(_ test: ImportCase) throws {
    test.verify(try Imported(test.source))
  }

  static let transformations = [
    ImportCase(
      "a value by a map",
      transformed("{ type: ConfigRemapField, field_path: [state], map: { open: '1', \"it's\": b } }"),
      has: [
        "value: \"{{ coalesce({'open': '1', 'it\\\\'s': 'b'}[vars.state], vars.state) }}\"",
        "state: \"\"", "q: \"{{ optional(vars.normalized_state) }}\"",
      ]),
    ImportCase(
      "a secret by a map",
      transformed(
        "{ type: ConfigRemapField, field_path: [api_key], map: { none: '' } }", q: "{{ config['api_key'] }}"),
      has: ["q: \"{{ coalesce({'none': ''}[secrets.API_KEY], secrets.API_KEY) }}\""], lacks: ["normalized"]),
    ImportCase(
      "a new value from others",
      transformed(
        "{ type: ConfigAddFields, fields: [{ path: [host], value: \"{{ config['region'] }}.example.com\" }, { path: [page], value: \"{{ config['size'] * 2 }}\" }] }",
        q: "{{ config['host'] }}-{{ config['page'] }}"),
      has: [
        "host: { value: \"{{ vars.region + '.example.com' }}\" }",
        "page: { type: integer, value: \"{{ vars.size * 2 }}\" }",
        "q: \"{{ vars.host }}-{{ vars.page }}\"",
      ]),
    ImportCase(
      "a default",
      transformed(
        "{ type: ConfigAddFields, fields: [{ path: [state], value: \"{{ config.get('state', 'open') }}\" }] }"),
      has: ["state: open", "q: \"{{ vars.state }}\""], lacks: ["normalized"]),
    ImportCase(
      "a value on a condition",
      transformed(
        "{ type: ConfigAddFields, condition: \"{{ config['region'] == 'us' }}\", fields: [{ path: [state], value: all }] }"
      ),
      has: ["normalized_state: { value: \"{{ vars.region == 'us' ? 'all' : vars.state }}\" }"]),
    ImportCase(
      "a literal", transformed("{ type: ConfigAddFields, fields: [{ path: [state], value: all }] }"), has: ["q: all"]),
    ImportCase(
      "a step after another",
      transformed(
        "{ type: ConfigRemapField, field_path: [state], map: { a: b } }, { type: ConfigAddFields, fields: [{ path: [word], value: \"{{ config['state'] | upper }}\" }] }",
        q: "{{ config.word }}"),
      has: ["word: { value: \"{{ upper(vars.normalized_state) }}\" }"]),
    ImportCase(
      "a removed value", transformed("{ type: ConfigRemoveFields, field_pointers: [[state]] }"), has: ["ok: 1"],
      lacks: ["q:"]),
    ImportCase(
      "a value removed on a condition",
      transformed("{ type: ConfigRemoveFields, condition: \"{{ config.size }}\", field_pointers: [[state]] }"),
      losses: [.configuration]),
    ImportCase(
      "an object", transformed("{ type: ConfigRemoveFields, field_pointers: [[credentials]] }"),
      losses: [.configuration]),
    ImportCase(
      "a map of numbers", transformed("{ type: ConfigRemapField, field_path: [size], map: { 1: 2 } }"),
      losses: [.configuration]),
    ImportCase(
      "code", transformed("{ type: CustomConfigTransformation, class_name: x.Y }"), losses: [.customCode]),
  ]

  static let migrations = [
    ImportCase(
      "values of an older version",
      migrated(
        "{ type: ConfigAddFields, condition: \"{{ 'old' in config and config.size }}\", fields: [{ path: [state], value: \"{{ config['old'] }}\" }] }, { type: ConfigRemoveFields, field_pointers: [[old]] }"
      ),
      has: ["# config_migrations: ConfigAddFields: not needed: reactor has no older configurations to migrate"],
      lacks: ["normalized", "  old:"]),
    ImportCase(
      "a step for every configuration",
      migrated("{ type: ConfigRemapField, field_path: [state], map: { a: b } }"), has: ["vars.normalized_state"]),
  ]

  static let validations = [
    ImportCase("what the type says", validated("size", "type: integer"), lacks: ["where:"]),
    ImportCase("a time", validated("start_date", "type: string, format: date-time"), lacks: ["where:"]),
    ImportCase("a bound", validated("size", "type: integer, minimum: 5"), has: ["where: value >= 5"]),
    ImportCase("another type", validated("size", "type: string"), losses: [.configuration]),
    ImportCase(
      "a pattern", validated("state", "type: string, pattern: '^a'"),
      has: ["where: \"matches(value, '^a')\""]),
    ImportCase(
      "a pattern without a counterpart", validated("state", "type: string, pattern: '^(?!a)'"), losses: [.configuration]
    ),
    ImportCase(
      "elements of a list",
      validated("names", "type: array, minItems: 1, uniqueItems: true, items: { type: string, pattern: '^[a-z]+$' }"),
      has: [
        "length(value) >= 1 && length(value.unique(x, x)) == length(value) && value.all(x, matches(x, '^[a-z]+$'))"
      ]),
    ImportCase("a secret", validated("api_key", "type: string, minLength: 10"), has: ["it is a secret"]),
    ImportCase("nothing", validated("unknown", "type: string"), losses: [.configuration]),
    ImportCase("a default that it does not allow", validated("size", "type: integer, maximum: 50"), losses: [.check]),
  ]

  private static func declared(_ property: String, q: String = "{{ config['p'] }}") -> String {
    Manifest.with(
      Manifest.stream(requester: "path: /items, request_parameters: { q: \"\(q)\", ok: 1 }"),
      properties: "p: { \(property) }")
  }

  static let specifications = [
    ImportCase(
      "a value of several", declared("type: string, enum: [eu, \"it's\"], default: eu"),
      has: ["where: \"value in ['eu', 'it\\\\'s']\""]),
    ImportCase(
      "a number between bounds", declared("type: integer, minimum: 1, exclusiveMaximum: 200, default: 10"),
      has: ["where: value >= 1 && value < 200"]),
    ImportCase(
      "a number that need not be given", declared("type: integer, minimum: 1", q: "{{ config['p'] + 1 }}"),
      has: ["where: value == 0 || value >= 1"]),
    ImportCase("one value", declared("type: string, enum: [oauth]"), lacks: ["where:"]),
    ImportCase(
      "a pattern of times", declared("type: string, pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$'"), lacks: ["where:"]),
    ImportCase(
      "objects in a list",
      declared(
        "type: array, maxItems: 3, items: { type: object, required: [id], additionalProperties: false, properties: { id: { type: string, minLength: 2 }, n: { type: [integer, 'null'], minimum: 1 } } }",
        q: "{{ config['p'][0]['id'] }}"),
      has: [
        "length(json(value)) <= 3", "type(json(value)) == 'list'", "has(x.id)", "keys(x).all(y, y in ['id', 'n'])",
        "!has(x.id) || type(x.id) == 'string' && length(x.id) >= 2", "type(x.n) in ['int', 'null'] && x.n >= 1",
      ]),
    ImportCase(
      "a choice that declares a value twice",
      declared(
        "type: object, oneOf: [{ properties: { k: { type: string, enum: [a, b] } } }, { properties: { k: { type: string, enum: [c, d] } } }]",
        q: "{{ config['p']['k'] }}"), has: ["it differs between the choices"], lacks: ["where:"]),
    ImportCase(
      "a keyword without a counterpart", declared("type: string, name: p, not: { const: a }"), losses: [.configuration]),
    ImportCase("a secret", declared("type: string, airbyte_secret: true, minLength: 5"), has: ["it is a secret"]),
  ]

  @Test(arguments: specifications)
  func `what a specification asks of a value is its condition`(_ test: ImportCase) throws {
    test.verify(try Imported(test.source))
  }
}
