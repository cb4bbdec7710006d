internal import FlowModel

enum EachUnionKeys {
  static let construct = Construct(
    .eachUnion, noun: "a part of a union", "One of the sources whose records are used one after the other.",
    shortForm: .init(
      .flowReference, "A flow's name alone means its records.", examples: ["customers", "shop.customers"]),
    fields: sources + [schema],
    frame: EachKeys.frame("key: id\nunion:\n  - { file: out/old-customers.jsonl }\n  -\n    ◆"))

  /// The keys for the source of a part. A part has exactly one of them.
  static let sources: [any FieldSpec] = [flow, values, file]

  static let flow = Field(
    "flow", .flowReference, default: "none", "A flow whose records are used: a name of this file, or `file.flow`.",
    secrets: .refused, edit: .asksAnew, examples: ["flow: customers", "flow: shop.customers"],
    mistakes: ["flow: ↓custmers": .unknownFlow, "flow: customers\n↓values: [1]": .eachSource])

  static let values = Field(
    "values", .eachValues, default: "none",
    "Texts and integers, without duplicates. Each one is a record whose only field is the `key` of the `each`.",
    details: "One expression can give the list, such as a variable of type `list`. The list may be empty then.",
    secrets: .refused, edit: .asksAnew,
    examples: ["values: [7, 9]", "values: \"{{ split(vars.region, ',') }}\""],
    mistakes: ["values: ↓[]": .missingValue, "values: \"↓{{ vars.region }}\"": .expressionType])

  static let file = Field(
    "file", .outputPath, default: "none", "A persisted file below the output root whose records are used.",
    details: "It is read when the flow starts; a missing file fails the flow.", secrets: .refused, edit: .asksAnew,
    examples: ["file: out/customers.jsonl"], mistakes: ["file: ↓../customers.json": .invalidOutput])

  static let schema = Field(
    "schema", .schemaReference(named: "file"), default: "none: records as they are in the file",
    "The schema that the file's records were written with.", edit: .asksAnew,
    examples: ["schema: customer\nfile: out/customers.csv"],
    mistakes: ["flow: customers\n↓schema: customer": .eachSource])
}
