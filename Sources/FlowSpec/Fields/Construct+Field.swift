extension Construct {
  /// The words for types, in the order of the reference.
  static let typeNames = [
    "string", "integer", "number", "decimal", "boolean", "timestamp", "date", "duration", "uuid", "url", "bytes",
    "enum",
    "list", "object", "json",
  ]

  /// Keys that fields and the elements of lists have in common.
  enum Typed {
    static let type = FieldSpec(
      "type", .choice(typeNames), required: true, "The type of the value.",
      details: """
        `string`; `integer` (64 bits, exact); `number` (double); `decimal` (exact, kept as text); `boolean`; \
        `timestamp`; `date`; `duration`; `uuid`; `url`; `bytes` (base64); `enum` with `values`; `list` with `of`; \
        `object` with `fields` or `schema`; `json` (anything). Conversions lose nothing or are errors: \
        `"42"` is an integer, `"42.5"` is not, `1` is not a boolean.
        """,
      examples: ["type: integer"],
      mistakes: [.init("type: ↓strnig", .unknownType), .init("type: ↓enum", .incompleteType)])
    static let values = FieldSpec(
      "values", .list(.text), default: "none", "The texts an `enum` may have.",
      examples: ["type: enum\nvalues: [free, pro]"],
      mistakes: [
        .init("type: string\n↓values: [free, pro]", .misplacedOption),
        .init("type: enum\nvalues: [free, ↓free]", .duplicateValue),
      ])
    static let of = FieldSpec(
      "of", .construct(.element), default: "none", "The type of a `list`'s elements.",
      examples: ["type: list\nof: string", "type: list\nof: { type: object, fields: { zip: string } }"],
      mistakes: [.init("type: ↓list", .incompleteType), .init("type: list\nof: ↓strings", .unknownType)])
    static let fields = FieldSpec(
      "fields", .map(.field, .construct(.field)), default: "none", "The fields of an `object`.",
      examples: ["type: object\nfields: { zip: string, city: string }"],
      mistakes: [.init("type: ↓object", .incompleteType), .init("type: object\n↓fields: {}", .noFields)])
    static let schema = FieldSpec(
      "schema", .name(.schema), default: "none", "The schema whose fields an `object` has, by name.",
      details: "A schema cannot contain itself.",
      examples: ["type: object\nschema: point"],
      mistakes: [
        .init("type: object\nschema: ↓pont", .unknownSchema),
        .init("type: object\nschema: point\n↓fields: { x: number }", .contradiction),
      ])
    static let format = FieldSpec(
      "format", .text, default: "ISO 8601", "How a `timestamp` is written in the answer.",
      details: "`epoch_s`, `epoch_ms`, or a strptime pattern such as `%d/%m/%Y %H:%M`.",
      examples: ["type: timestamp\nformat: epoch_ms", "type: timestamp\nformat: \"%d/%m/%Y %H:%M\""],
      mistakes: [
        .init("type: timestamp\nformat: ↓epoch", .invalidFormat),
        .init("type: timestamp\nformat: \"%d/%m/↓%Q\"", .invalidFormat),
        .init("type: timestamp\nformat: ↓\"%H:%M\"", .invalidFormat),
        .init("type: string\n↓format: epoch_s", .misplacedOption),
      ])
  }

  static let field = Construct(
    .field, noun: "a field", "One field of a record.",
    shortForm: ShortForm(
      for: "type", .choice(typeNames), "A type alone takes the member of the field's own name.",
      examples: ["integer", "string"]),
    fields: [
      FieldSpec(
        "from", .jsonPath, default: "`$.` and the field's name", "Where the value is in the record of the answer.",
        details: """
          A singular path (names and indexes only) also encodes: the schema can build what it reads. A `list` takes all \
          values that a path with wildcards or filters selects; any other type takes the only one.
          """,
        examples: [
          "from: $.address.city", "from: $['first name']", "type: list\nof: string\nfrom: \"$.tags[*].name\"",
        ],
        mistakes: [.init("from: ↓address.city", .invalidPath), .init("↓form: $.city", .unknownKey)]),
      FieldSpec(
        "value", .text, default: "none: the field is read", "Computes the field from the record's other fields.",
        details: """
          `record` is the record with its other fields, computed ones among them; `source` is the record as it came. A \
          value that is nothing but one expression keeps its type, everything else is text. A declared `type` converts it \
          without loss or rejects the record.
          """, templated: true, secrets: .refused, row: 8,
        examples: ["value: \"{{ upper(record.name) }}\"", "value: \"{{ record.id * 2 }}\"\ntype: number"],
        mistakes: [
          .init("value: \"{{ record.↓nme }}\"", .expressionName),
          .init("value: \"{{ ↓record.nick }}\"", .expressionMissing),
          .init("value: \"{{ ↓record.id }}\"\ntype: string", .expressionType),
          .init("value: \"{{ record.name }}\"\n↓from: $.city", .contradiction),
          .init("value: \"{{ ↓secrets.SHOP_TOKEN }}\"", .templateSecretNotAllowed),
        ]),
      FieldSpec(
        "type", .choice(typeNames), default: "what `value` gives", Typed.type.summary,
        details: Typed.type.details + " Only a field with `value` may leave it out.", examples: Typed.type.examples,
        mistakes: Typed.type.mistakes),
      Typed.values, Typed.of, Typed.fields, Typed.schema, Typed.format,
      FieldSpec(
        "optional", .boolean, default: "false", "Whether absent and null give null instead of a bad record.",
        details: """
          A field that no record has, while the first has a name that no field reads and that differs by a letter or by \
          its style (`createdAt`, `created_at`), is told by a warning: its path may be misspelt.
          """,
        examples: ["optional: true"],
        mistakes: [
          .init("optional: ↓yes", .invalidBoolean), .init("optional: true\n↓default: a", .contradiction),
        ]),
      FieldSpec(
        "default", .json, default: "none", "The value when the member is absent or null; must fit the type.",
        details: """
          Read by the declared type: `default: 0` is an integer for `integer` and the text 0 for `string`. Timestamps \
          are written in UTC, as results keep them (`2024-01-31T12:00:00Z`), whatever `format` says.
          """,
        examples: ["default: \"\"", "type: integer\ndefault: 0", "type: list\nof: string\ndefault: []"],
        mistakes: [
          .init("type: integer\ndefault: ↓none", .invalidDefault),
          .init("type: enum\nvalues: [free, pro]\ndefault: ↓fre", .invalidDefault),
          .init("type: list\nof: integer\ndefault: [1, ↓two]", .invalidDefault),
        ]),
      FieldSpec(
        "description", .text, "What the field means.", secrets: .refused, examples: ["description: ISO country code"],
        mistakes: [.init("description: ↓[code]", .wrongKind)]),
    ],
    frame: Frame(
      """
      reactor: 1
      schemas:
        point: { fields: { x: number, y: number } }
        customer:
          fields:
            id: integer
            name: string
            nick: { type: string, optional: true }
            city:
              ◆
      """, supplies: ["type: string"], isSchemaFile: true))

  static let element = Construct(
    .element, noun: "a list's element", "What a list holds.",
    shortForm: ShortForm(for: "type", .choice(typeNames), "A type alone.", examples: ["string", "integer"]),
    fields: [Typed.type, Typed.values, Typed.of, Typed.fields, Typed.schema, Typed.format],
    frame: Frame(
      """
      reactor: 1
      schemas:
        point: { fields: { x: number, y: number } }
        customer:
          fields:
            cities:
              type: list
              of:
                ◆
      """, supplies: ["type: string"], isSchemaFile: true))
}
