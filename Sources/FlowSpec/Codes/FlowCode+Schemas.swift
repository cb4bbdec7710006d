import SourceDiagnostics

extension FlowCode {
  /// Codes about schemas.
  static let schemasEntries: [DiagnosticCatalogue.Entry] = [
    entry(
      .duplicateSchema, "schema defined twice", "All schema files of a folder share one set of names."),
    entry(
      .recursion, "schema contains itself",
      "A record would never end. Take the inner part as 'json', or name the levels that occur.",
      wrong: #"""
        reactor: 1
        schemas:
          category:
            fields:
              name: string
              parent: { type: object, schema: category }
        """#, right: .schema("fields:\n  name: string\n  parent: { type: json, optional: true }")),
    entry(
      .tooLarge, "schema too large",
      "With the schemas it refers to, a schema may hold 20,000 fields and nest 64 deep."),
    entry(
      .noFields, "no fields", "A schema or an object without fields would drop everything.",
      wrong: .schema("fields:\n  address: { type: object, fields: {} }"),
      right: .schema("fields:\n  address: { type: json }")),
    entry(
      .unknownField, "key names no field", "The key of a schema lists fields of the same schema.",
      wrong: .schema("key: ident\nfields: { id: integer }"), right: .schema("key: id\nfields: { id: integer }")),
    entry(
      .incompleteType, "incomplete type",
      "An enum needs 'values', a list needs 'of', an object needs 'fields' or 'schema'.",
      wrong: .schema("fields:\n  tags: list"), right: .schema("fields:\n  tags: { type: list, of: string }")),
    entry(
      .misplacedOption, "option of another type", "The option has no meaning for the declared type.",
      wrong: .schema("fields:\n  joined: { type: date, format: epoch_s }"),
      right: .schema("fields:\n  joined: { type: timestamp, format: epoch_s }")),
    entry(
      .contradiction, "keys that exclude each other", "Only one of the two keys can hold.",
      wrong: .schema(
        #"""
        fields:
          city: { type: string, optional: true, default: "" }
        """#),
      right: .schema(
        #"""
        fields:
          city: { type: string, default: "" }
        """#)),
    entry(
      .duplicateValue, "value listed twice", "The values of an enum are different from each other.",
      wrong: .schema("fields:\n  tier: { type: enum, values: [free, pro, free] }"),
      right: .schema("fields:\n  tier: { type: enum, values: [free, pro] }")),
    entry(
      .invalidFormat, "invalid time format",
      "A format is 'epoch_s', 'epoch_ms' or a strptime pattern with at least one conversion.",
      wrong: .schema("fields:\n  joined: { type: timestamp, format: unix }"),
      right: .schema("fields:\n  joined: { type: timestamp, format: epoch_s }")),
    entry(
      .invalidDefault, "default does not fit the field's type",
      "A default is read by the declared type, without guessing, and must be a value of it.",
      wrong: .schema("fields:\n  age: { type: integer, default: none }"),
      right: .schema("fields:\n  age: { type: integer, default: 0 }")),
  ]
}
