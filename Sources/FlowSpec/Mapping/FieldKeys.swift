internal import FieldTypes
internal import FlowModel
internal import JSONSyntax
internal import SourceDiagnostics
internal import YAMLSyntax

/// The keys of a field in a schema.
enum FieldKeys {
  static let construct = Construct(
    .field, noun: "a field", "One field of a record.",
    shortForm: .init(
      .type, "A type alone reads the member that has the field's name.",
      examples: ["integer", "string?", "[string]"]),
    fields: [
      from, value, type, TypeKeys.values, TypeKeys.of, TypeKeys.fields, TypeKeys.schema, TypeKeys.format, optional,
      defaultValue, coerce, description,
    ],
    requirements: TypeKeys.requirements + [
      Requirement.only(
        [defaultValue], with: optional, ["false"], code: .contradiction, help: "with a default the field is never null"
      ) { _, _ in "'default' and 'optional: true' cannot be used together" },
      Requirement.excludes(
        [from], value, code: .contradiction, help: "read the field with 'from', or compute it with 'value'"
      ) { _, _ in "'from' and 'value' cannot be used together" },
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
      With a singular path (names and indexes only), a schema can also write the field into a request body. A `list` \
      takes all values that a path with wildcards or filters selects; for any other type the path must select one \
      value.
      """, edit: .asksAnew,
    examples: ["from: $.address.city", "from: $['first name']", "type: list\nof: string\nfrom: \"$.tags[*].name\""],
    mistakes: ["from: ↓address.city": .invalidPath, "↓form: $.city": .unknownKey])

  static let value = Field(
    "value", .computed, default: "none: the field is read from the record",
    "Computes the field from the record's other fields.",
    details: """
      `record` is the record with its other fields, including computed ones; `source` is the record as received. With \
      `each`, the parent's name can be used. With a cursor, `cursor.start` and `cursor.end` are the bounds of the \
      requested range, and `cursor.position` is what the last run reached. A value that is exactly one expression \
      keeps its type, everything else is text. If `type` is declared, the value is converted to it without loss, or \
      the record is rejected.
      """, secrets: .refused, edit: .asksAnew,
    examples: ["value: \"{{ upper(record.name) }}\"", "value: \"{{ record.id * 2 }}\"\ntype: number"],
    mistakes: [
      "value: \"{{ record.↓nme }}\"": .expressionName, "value: \"{{ ↓record.nick }}\"": .expressionMissing,
      "value: \"{{ ↓record.id }}\"\ntype: string": .expressionType,
      "value: \"{{ record.name }}\"\n↓from: $.city": .contradiction,
      "value: \"{{ ↓secrets.SHOP_TOKEN }}\"": .templateSecretNotAllowed,
    ])

  static let type = Field(
    "type", .type, default: "inferred from `value`", TypeKeys.type.summary,
    details: TypeKeys.type.details + " Only a field with `value` may leave it out.", edit: .asksAnew,
    examples: TypeKeys.type.examples + ["type: string?"], mistakes: .init(TypeKeys.type.mistakes))

  static let optional = Field(
    "optional", .boolean, default: "false", "Whether an absent member or null gives null instead of a rejected record.",
    details: """
      A warning is reported if no record has the field, but the first record has an unused member with almost the same \
      name (a different letter, or `createdAt` for `created_at`): the path may be misspelt.
      """, edit: .asksAnew, examples: ["optional: true"],
    mistakes: [
      "optional: ↓yes": .invalidBoolean, "optional: true\n↓default: a": .contradiction,
      "type: string?\n↓optional: true": .contradiction, "type: string?\n↓default: a": .contradiction,
    ])

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
      texts 1, 0, yes, no, on, off, y, n, t, f, true and false, ignoring case. For every type but `string` an empty \
      text counts as null. Other values are rejected, as they are without `coerce`. Only for types of a single value.
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
    "type", .type, default: .required, "The type of the value.",
    details: """
      \(FieldTypeName.sentence). Conversions lose nothing or are errors: `"42"` is an integer, `"42.5"` is not, `1` is not \
      a boolean.

      `string?` is `string` with `optional: true`: the field may be absent or null. `[string]` is a `list` whose elements are \
      texts; in the brackets is a type, or a mapping with the keys of `of`.
      """, edit: .asksAnew, examples: ["type: integer", "type: [string]"],
    mistakes: [
      "type: ↓strnig": .unknownType, "type: ↓enum": .incompleteType, "type: ↓[]": .wrongKind,
      "type: [↓strnig]": .unknownType,
      "type: [↓string?]": .misplacedOption, "type: [string]\n↓of: string": .contradiction,
    ])

  static let values = Field(
    "values", .enumeration, default: "none", "The texts that an `enum` allows.", edit: .asksAnew,
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
    "schema", .name(.schema), default: "none", "The name of the schema whose fields an `object` has.",
    details: "A schema cannot contain itself.", edit: .asksAnew, examples: ["type: object\nschema: point"],
    mistakes: [
      "type: object\nschema: ↓pont": .unknownSchema,
      "type: object\nschema: point\n↓fields: { x: number }": .contradiction,
    ])

  static let format = Field(
    "format", .timeFormats, default: "ISO 8601", "How a `timestamp` is written in the response.",
    details: """
      `epoch_s`, `epoch_ms`, `epoch_us` (seconds, milliseconds or microseconds since 1970), `iso8601_utc` (ISO 8601; a \
      time without a zone means UTC), or a strptime pattern such as `%d/%m/%Y %H:%M`. A list has several formats, and \
      `iso8601` can be one of them: the first one that a value matches is used. A request body is written in the first \
      one.
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
    shortForm: .init(.type, "A type alone.", examples: ["string", "[integer]"]),
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

extension FlowReader {
  /// Reads the default of a field by the same rules as a value in a response.
  mutating func defaultValue(_ node: YAMLNode, of type: TypeDeclaration, in value: FieldValue) -> JSONValue? {
    switch type {
    case .plain(.json):
      return JSONReading.value(of: node)
    case .list(let element):
      guard case .sequence(let nodes) = node.content else { return refuse(node, "a list") }
      let values = nodes.map { defaultValue($0, of: element, in: value) }
      let whole = values.compactMap { $0 }
      return whole.count == values.count ? .array(whole) : nil
    case .object(let fields):
      guard case .mapping(let mapping) = node.content else { return refuse(node, "an object") }
      return defaultObject(mapping, fields, at: node, in: value)
    default:
      break
    }
    guard case .scalar(let scalar) = node.content else { return refuse(node, type.typeName.expected) }
    guard !scalar.isNull else { return refuse(node, type.typeName.expected, help: "for null write 'optional: true'") }
    guard let text = text(value.part(node)) else { return nil }
    do throws(ValueError) {
      return try Self.defaultScalar(text, of: type)
    } catch {
      let detail = error.detail.map { ": \($0)" } ?? ""
      report(
        .invalidDefault, "'\(printable(text))' is not \(error.expected)\(detail)", at: node.range,
        suggestion: error.suggestion, help: "the default must be a value of type '\(type.name)'")
      return nil
    }
  }

  private mutating func refuse(_ node: YAMLNode, _ expected: String, help: String? = nil) -> JSONValue? {
    report(.invalidDefault, "the default is not \(expected) but \(node.kindWords)", at: node.range, help: help)
    return nil
  }

  /// Reads the default of an object. Its members have the names of the object's fields.
  private mutating func defaultObject(
    _ mapping: YAMLMapping, _ fields: [FieldDeclaration], at node: YAMLNode, in value: FieldValue
  ) -> JSONValue? {
    var byName: [String: FieldDeclaration] = [:]
    for field in fields { byName[field.name] = field }
    var members: [JSONObject.Member] = []
    var isWhole = true
    for entry in mapping.entries {
      guard let field = byName[entry.name] else {
        report(
          .invalidDefault, "the object has no field '\(entry.name)'", at: entry.key.range,
          suggestion: nearest(to: entry.name, in: fields.map(\.name)))
        isWhole = false
        continue
      }
      if case .optional = field.missing, entry.value.isNull {
        members.append(JSONObject.Member(name: entry.name, value: .null))
      } else if let member = defaultValue(entry.value, of: field.type, in: value) {
        members.append(JSONObject.Member(name: entry.name, value: member))
      } else {
        isWhole = false
      }
    }
    let given = Set(mapping.entries.map(\.name))
    for field in fields where !given.contains(field.name) {
      switch field.missing {
      case .required:
        report(.invalidDefault, "the default has no '\(field.name)', which is required", at: node.range)
        isWhole = false
      case .optional: members.append(JSONObject.Member(name: field.name, value: .null))
      case .default(let value): members.append(JSONObject.Member(name: field.name, value: value.value))
      }
    }
    return isWhole ? .object(JSONObject(members)) : nil
  }

  private static func defaultScalar(_ text: String, of type: TypeDeclaration) throws(ValueError) -> JSONValue {
    switch type.typeName {
    case .integer: return .integer(Int64(try IntegerText.value(of: text)))
    case .number:
      try NumberText.check(text)
      return .number(JSONNumber(validated: text))
    case .boolean: return .bool(try BooleanText.value(of: text))
    case .date: try CalendarText.checkDate(text)
    case .timestamp: try CalendarText.checkInstant(text)
    case .enumeration:
      guard case .enumeration(let values) = type, !values.contains(text) else { break }
      throw ValueError(
        expected: "one of the values \(listed(values, joining: "or"))",
        suggestion: NearMiss.suggestion(for: text, in: values))
    default:
      guard type.typeName.admits(text) else {
        throw ValueError(expected: type.typeName.expected, detail: "write it as \(type.typeName.documentation.example)")
      }
    }
    return .string(text)
  }
}
