import FieldTypes

/// The keys of a field in a schema.
enum FieldKeys {
  static let construct = Construct(
    .field, noun: "a field", "One field of a record.",
    shortForm: .init(
      .choice(TypeKeys.names), "A type alone takes the member of the field's own name.",
      examples: ["integer", "string"]),
    fields: [
      from, value, type, TypeKeys.values, TypeKeys.of, TypeKeys.fields, TypeKeys.schema, TypeKeys.format, optional,
      defaultValue, coerce, description,
    ],
    requirements: TypeKeys.requirements + [
      Requirement.only(
        [defaultValue], with: optional, ["false"], code: .contradiction, help: "with a default the field is never null"
      ) { _, _ in "'default' and 'optional: true' exclude each other" },
      Requirement.excludes(
        [from], value, code: .contradiction, help: "read the field with 'from', or compute it with 'value'"
      ) { _, _ in "'from' and 'value' exclude each other" },
    ],
    frame: .init(
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

  static let from = Field(
    "from", .jsonPath, default: "`$.` and the field's name", "Where the value is in the record of the response.",
    details: """
      A singular path (names and indexes only) also encodes: the schema can build what it reads. A `list` takes all \
      values that a path with wildcards or filters selects; any other type takes the only one.
      """, edit: .asksAnew,
    examples: ["from: $.address.city", "from: $['first name']", "type: list\nof: string\nfrom: \"$.tags[*].name\""],
    mistakes: ["from: ↓address.city": .invalidPath, "↓form: $.city": .unknownKey])

  static let value = Field(
    "value", .computed, default: "none: the field is read", "Computes the field from the record's other fields.",
    details: """
      `record` is the record with its other fields, computed ones among them; `source` is the record as received; \
      with `each` the parent is known by its name, and with a cursor the requested range as `cursor.start` and \
      `cursor.end`, and what the last run reached as `cursor.position`. A value that is exactly one expression keeps its type, everything else is text. A declared `type` converts it \
      without loss or rejects the record.
      """, secrets: .refused, edit: .asksAnew,
    examples: ["value: \"{{ upper(record.name) }}\"", "value: \"{{ record.id * 2 }}\"\ntype: number"],
    mistakes: [
      "value: \"{{ record.↓nme }}\"": .expressionName, "value: \"{{ ↓record.nick }}\"": .expressionMissing,
      "value: \"{{ ↓record.id }}\"\ntype: string": .expressionType,
      "value: \"{{ record.name }}\"\n↓from: $.city": .contradiction,
      "value: \"{{ ↓secrets.SHOP_TOKEN }}\"": .templateSecretNotAllowed,
    ])

  static let type = Field(
    "type", .typeName, default: "what `value` gives", TypeKeys.type.summary,
    details: TypeKeys.type.details + " Only a field with `value` may leave it out.", edit: .asksAnew,
    examples: TypeKeys.type.examples, mistakes: .init(TypeKeys.type.mistakes))

  static let optional = Field(
    "optional", .boolean, default: "false", "Whether absent and null give null instead of a bad record.",
    details: """
      A field that no record has, while the first has a name that no field reads and that differs by a letter or by \
      its style (`createdAt`, `created_at`), gives a warning: its path may be misspelt.
      """, edit: .asksAnew, examples: ["optional: true"],
    mistakes: ["optional: ↓yes": .invalidBoolean, "optional: true\n↓default: a": .contradiction])

  static let defaultValue = Field(
    "default", .whole(.json), default: "none", "The value when the member is absent or null; must fit the type.",
    details: """
      Read by the declared type: `default: 0` is an integer for `integer` and the text 0 for `string`. Timestamps are \
      written in UTC, as results store them (`2024-01-31T12:00:00Z`), whatever `format` says.
      """, edit: .asksAnew,
    examples: ["default: \"\"", "type: integer\ndefault: 0", "type: list\nof: string\ndefault: []"],
    mistakes: [
      "type: integer\ndefault: ↓none": .invalidDefault,
      "type: enum\nvalues: [free, pro]\ndefault: ↓fre": .invalidDefault,
      "type: list\nof: integer\ndefault: [1, ↓two]": .invalidDefault,
    ])

  static let coerce = Field(
    "coerce", .boolean, default: "false", "Whether values of other types are converted, if nothing is lost.",
    details: """
      `string` takes numbers as written, `true` and `false`. `integer` takes `"42.0"`. `boolean` takes 1, 0 and the \
      texts 1, 0, yes, no, on, off, y, n, t, f, true and false in any case. For every type but `string` an empty text \
      counts as null. Other values are rejected as without it. Only for types of a single value.
      """, edit: .asksAnew,
    examples: ["coerce: true", "type: integer\noptional: true\ncoerce: true"],
    mistakes: ["coerce: ↓yes": .invalidBoolean, "type: json\n↓coerce: true": .misplacedOption])

  static let description = Field(
    "description", .freeText, "What the field means.", secrets: .refused, edit: .keepsResult,
    examples: ["description: ISO country code"], mistakes: ["description: ↓[code]": .wrongKind])
}

/// The keys that describe a type, in fields and in list elements.
enum TypeKeys {
  /// The names of the types, in the order of the reference page.
  static let names = FieldTypeName.allCases.map(\.rawValue)

  /// The keys that only one type allows, each with that type.
  static let options: [(field: any FieldSpec, type: FieldTypeName)] = [
    (values, .enumeration), (of, .list), (fields, .object), (schema, .object), (format, .timestamp),
  ]

  static let requirements = options.map { option, owner in
    Requirement.only(
      [option], with: type, [owner.rawValue], code: .misplacedOption,
      help: "leave it out, or declare 'type: \(owner.rawValue)'"
    ) { "'\($0)' belongs to type '\(owner.rawValue)', not '\($1)'" }
  }

  static let type = Field(
    "type", .typeName, default: .required, "The type of the value.",
    details: """
      \(FieldTypeName.sentence). Conversions lose nothing or are errors: `"42"` is an integer, `"42.5"` is not, `1` is not \
      a boolean.
      """, edit: .asksAnew, examples: ["type: integer"],
    mistakes: ["type: ↓strnig": .unknownType, "type: ↓enum": .incompleteType])

  static let values = Field(
    "values", .enumeration, default: "none", "The texts an `enum` may have.", edit: .asksAnew,
    examples: ["type: enum\nvalues: [free, pro]"],
    mistakes: [
      "type: string\n↓values: [free, pro]": .misplacedOption, "type: enum\nvalues: [free, ↓free]": .duplicateValue,
    ])

  static let of = Field(
    "of", .whole(.construct(.element)), default: "none", "The type of a `list`'s elements.", edit: .asksAnew,
    examples: ["type: list\nof: string", "type: list\nof: { type: object, fields: { zip: string } }"],
    mistakes: ["type: ↓list": .incompleteType, "type: list\nof: ↓strings": .unknownType])

  static let fields = Field(
    "fields", .fields, default: "none", "The fields of an `object`.", edit: .asksAnew,
    examples: ["type: object\nfields: { zip: string, city: string }"],
    mistakes: ["type: ↓object": .incompleteType, "type: object\n↓fields: {}": .noFields])

  static let schema = Field(
    "schema", .name(.schema), default: "none", "The schema whose fields an `object` has, by name.",
    details: "A schema cannot contain itself.", edit: .asksAnew, examples: ["type: object\nschema: point"],
    mistakes: [
      "type: object\nschema: ↓pont": .unknownSchema,
      "type: object\nschema: point\n↓fields: { x: number }": .contradiction,
    ])

  static let format = Field(
    "format", .timeFormats, default: "ISO 8601", "How a `timestamp` is written in the response.",
    details: """
      `epoch_s`, `epoch_ms`, `epoch_us` (seconds, milliseconds or microseconds since 1970), `iso8601_utc` (ISO 8601, and \
      a time without a zone is in UTC), or a strptime pattern such as `%d/%m/%Y %H:%M`. A list gives several formats, \
      also `iso8601`: the first one that a value matches is used. A request body has the first one.
      """, edit: .asksAnew,
    examples: [
      "type: timestamp\nformat: epoch_ms", "type: timestamp\nformat: \"%d/%m/%Y %H:%M\"",
      "type: timestamp\nformat: iso8601_utc", "type: timestamp\nformat: [iso8601, epoch_s, \"%d/%m/%Y\"]",
    ],
    mistakes: [
      "type: timestamp\nformat: [epoch_s, ↓epoch_ms]": .contradiction, "type: timestamp\nformat: ↓[]": .missingValue,
      "type: timestamp\nformat: [iso8601, ↓iso8601]": .duplicateItem,
      "type: timestamp\nformat: ↓epoch": .invalidFormat, "type: timestamp\nformat: \"%d/%m/↓%Q\"": .invalidFormat,
      "type: timestamp\nformat: ↓\"%H:%M\"": .invalidFormat, "type: string\n↓format: epoch_s": .misplacedOption,
    ])
}

/// The keys of the elements of a list.
enum ElementKeys {
  static let construct = Construct(
    .element, noun: "a list's element", "The elements of a list.",
    shortForm: .init(.choice(TypeKeys.names), "A type alone.", examples: ["string", "integer"]),
    fields: [TypeKeys.type, TypeKeys.values, TypeKeys.of, TypeKeys.fields, TypeKeys.schema, TypeKeys.format],
    requirements: TypeKeys.requirements,
    frame: .init(
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
