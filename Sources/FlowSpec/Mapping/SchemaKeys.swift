/// The keys of a schema file.
enum SchemaFileKeys {
  static let construct = Construct(
    .schemaFile, noun: "a schema file", "A file of schemas for the flow files in its parent folder and below.",
    details: "Every `.yaml` and `.yml` file directly in a `schemas` folder is one.",
    fields: [reactor, description, schemas],
    frame: .init("◆", supplies: ["reactor: 1", "schemas: { order: { fields: { id: integer } } }"], isSchemaFile: true))

  static let reactor = Field(
    "reactor", .whole(.integer(1...1)), default: .required, "The version of the format; this is version 1.",
    edit: .keepsResult, examples: ["reactor: 1"], mistakes: ["reactor: ↓one": .unsupportedVersion])

  static let description = Field(
    "description", .freeText, "What the file is for.", secrets: .refused, edit: .keepsResult,
    examples: ["description: The shop's records"], mistakes: ["description: ↓{ a: b }": .wrongKind])

  static let schemas = Field(
    "schemas", .whole(.map(.schema, .construct(.schema))), default: .required, "The schemas by name.", edit: .whereUsed,
    examples: ["schemas:\n  customer: { key: id, fields: { id: integer } }"],
    mistakes: [
      "schemas: { ↓1st: { fields: { id: integer } } }": .invalidName, "schemas: { customer: ↓integer }": .wrongKind,
    ])
}

/// The keys of a schema.
enum SchemaKeys {
  static let construct = Construct(
    .schema, noun: "a schema", "How a record of a response maps to a record of the result.",
    fields: [description, key, fields, described],
    frame: .init(
      """
      reactor: 1
      schemas:
        customer:
          ◆
      """, supplies: ["fields: { id: integer }"], isSchemaFile: true))

  static let description = Field(
    "description", .freeText, "What the records are.", secrets: .refused, edit: .keepsResult,
    examples: ["description: A person who ordered"], mistakes: ["↓descr: A person": .unknownKey])

  static let key = Field(
    "key", .whole(.oneOrMore(.name(.field))), default: "none", "The field, or fields, that identify a record.",
    edit: .asksAnew, examples: ["key: id", "fields: { shop: string, id: integer }\nkey: [shop, id]"],
    mistakes: ["key: ↓ident": .unknownField, "key: [id, ↓id]": .duplicateItem])

  static let fields = Field(
    "fields", .fields, default: .required, "The fields of a record, in their order.",
    details: "Other members of a record are dropped.", edit: .byItsKeys,
    examples: ["fields: { id: integer, city: { from: $.address.city, type: string } }"],
    mistakes: ["↓fields: {}": .noFields, "fields: { id: ↓int }": .unknownType])

  static let described = Field(
    "described", .whole(.construct(.described)), default: "none: `fields` has all",
    "More fields, which a file describes.",
    details: "In a file of the folder `schemas`, the file is beside that one.", edit: .byItsKeys,
    examples: ["fields: { id: integer }\ndescribed: { file: customer.json, types: { picklist: string } }"],
    mistakes: ["fields: { id: integer }\ndescribed: ↓customer.json": .wrongKind])
}
