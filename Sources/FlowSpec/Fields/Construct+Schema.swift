extension Construct {
  static let schemaFile = Construct(
    .schemaFile, noun: "a schema file", "A file of schemas that the flow files beside and below it share.",
    details: "Every `.yaml` and `.yml` file directly in a `schemas` folder is one.",
    fields: [
      FieldSpec(
        "reactor", .integer(1...1), required: true, "The version of the format; this is version 1.",
        examples: ["reactor: 1"], mistakes: [.init("reactor: ↓one", .unsupportedVersion)]),
      FieldSpec(
        "description", .text, "What the file is for.", secrets: .refused, examples: ["description: The shop's records"],
        mistakes: [.init("description: ↓{ a: b }", .wrongKind)]),
      FieldSpec(
        "schemas", .map(.schema, .construct(.schema)), required: true, "The schemas by name.",
        examples: ["schemas:\n  customer: { key: id, fields: { id: integer } }"],
        mistakes: [
          .init("schemas: { ↓1st: { fields: { id: integer } } }", .invalidName),
          .init("schemas: { customer: ↓integer }", .wrongKind),
        ]),
    ],
    frame: Frame("◆", supplies: ["reactor: 1", "schemas: { order: { fields: { id: integer } } }"], isSchemaFile: true))

  static let schema = Construct(
    .schema, noun: "a schema", "How a record of an answer maps to a record of the result.",
    fields: [
      FieldSpec(
        "description", .text, "What the records are.", secrets: .refused,
        examples: ["description: A person who ordered"],
        mistakes: [.init("↓descr: A person", .unknownKey)]),
      FieldSpec(
        "key", .oneOrMore(.name(.field)), default: "none", "The field, or fields, that identify a record.",
        examples: ["key: id", "fields: { shop: string, id: integer }\nkey: [shop, id]"],
        mistakes: [.init("key: ↓ident", .unknownField), .init("key: [id, ↓id]", .duplicateItem)]),
      FieldSpec(
        "fields", .map(.field, .construct(.field)), required: true, "The fields of a record, in their order.",
        details: "What an answer holds beyond them is dropped.",
        examples: ["fields: { id: integer, city: { from: $.address.city, type: string } }"],
        mistakes: [.init("↓fields: {}", .noFields), .init("fields: { id: ↓int }", .unknownType)]),
    ],
    frame: Frame(
      """
      reactor: 1
      schemas:
        customer:
          ◆
      """, supplies: ["fields: { id: integer }"], isSchemaFile: true))
}
