import FieldTypes

/// The keys of `described`.
enum DescribedKeys {
  static let construct = Construct(
    .described, noun: "'described'", "More fields of a schema, which a file describes: one item for each field.",
    details: """
      The file is beside the flow file, or below its folder; a flow can write it, for example from a response that \
      describes an object. Commit it, so that every machine has the same schema. A run uses the file as it is at the \
      start, and reports at its end which fields came or went. Described fields are optional. A field that `fields` \
      names is taken from there. Without the file, a flow of this schema does not run, and a warning is reported.
      """,
    fields: [file, name, type, types, otherwise, inside],
    frame: .flow(
      "resource: /customers\nschema:\n  fields: { id: integer }\n  described:\n    ◆", supplies: ["file: fields.json"]))

  static let file = Field(
    "file", .filledLine, default: .required, "The file with the descriptions: a JSON array, or JSON Lines.",
    details: "Variables can be part of the path, also those of `for`.", secrets: .refused, edit: .whereUsed,
    examples: ["file: fields.jsonl", "file: \"fields/{{ vars.region }}.json\""],
    mistakes: [
      "file: ↓fields.yaml": .generatedFlow, "file: ↓../fields.json": .generatedFlow, "file: ↓\"\"": .missingValue,
    ])

  static let name = Field(
    "name", .jsonPath, default: "$.name", "The path of a field's name in its description.", edit: .whereUsed,
    examples: ["name: $.apiName"], mistakes: ["name: ↓apiName": .invalidPath])

  static let type = Field(
    "type", .jsonPath, default: "$.type", "The path of the name of a field's type in its description.",
    edit: .whereUsed, examples: ["type: $.dataType"], mistakes: ["type: ↓dataType": .invalidPath])

  static let types = Field(
    "types", .whole(.map(.choice, .choice(plain))), default: "names of this language, and usual names such as `int`",
    "The server's names of types, each with a type of this language.", edit: .whereUsed,
    examples: ["types: { picklist: string, currency: decimal }"],
    mistakes: [
      "types: { picklist: ↓txt }": .unknownType, "types: { a: ↓list }": .unknownType, "types: ↓[a]": .wrongKind,
    ])

  static let otherwise = Field(
    "else", .choice(plain), default: "an error that lists the unknown types", "The type for all other names of types.",
    edit: .whereUsed, examples: ["else: json"], mistakes: ["else: ↓any": .unknownValue])

  static let inside = Field(
    "in", .memberPath(example: "$.properties"), default: "the record itself",
    "The object of a record that has the described fields as its members.", edit: .whereUsed,
    examples: ["in: $.properties"], mistakes: ["in: ↓properties": .invalidPath, "in: ↓$.properties[0]": .invalidPath])

  /// The types that need no options.
  static let plain = FieldTypeName.allCases.filter(\.isComplete).map(\.rawValue)
}
