import SourceDiagnostics

extension FlowCode {
  /// Codes about schemas.
  static let schemasEntries: [DiagnosticCatalogue.Entry] = [
    entry(
      .duplicateSchema, "schema defined twice",
      "All schema files of a folder share one set of names.",
      wrong: nil,
      right: nil),
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
        """#,
      right: #"""
        reactor: 1
        schemas:
          customer:
            fields:
              name: string
              parent: { type: json, optional: true }
        """#),
    entry(
      .tooLarge, "schema too large",
      "With the schemas it refers to, a schema may hold 20,000 fields and nest 64 deep.",
      wrong: nil,
      right: nil),
    entry(
      .noFields, "no fields",
      "A schema or an object without fields would drop everything.",
      wrong: #"""
        reactor: 1
        schemas:
          customer:
            fields:
              address: { type: object, fields: {} }
        """#,
      right: #"""
        reactor: 1
        schemas:
          customer:
            fields:
              address: { type: json }
        """#),
    entry(
      .unknownField, "key names no field",
      "The key of a schema lists fields of the same schema.",
      wrong: #"""
        reactor: 1
        schemas:
          customer:
            key: ident
            fields: { id: integer }
        """#,
      right: #"""
        reactor: 1
        schemas:
          customer:
            key: id
            fields: { id: integer }
        """#),
    entry(
      .incompleteType, "incomplete type",
      "An enum needs 'values', a list needs 'of', an object needs 'fields' or 'schema'.",
      wrong: #"""
        reactor: 1
        schemas:
          customer:
            fields:
              tags: list
        """#,
      right: #"""
        reactor: 1
        schemas:
          customer:
            fields:
              tags: { type: list, of: string }
        """#),
    entry(
      .misplacedOption, "option of another type",
      "The option has no meaning for the declared type.",
      wrong: #"""
        reactor: 1
        schemas:
          customer:
            fields:
              joined: { type: date, format: epoch_s }
        """#,
      right: #"""
        reactor: 1
        schemas:
          customer:
            fields:
              joined: { type: timestamp, format: epoch_s }
        """#),
    entry(
      .contradiction, "keys that exclude each other",
      "Only one of the two keys can hold.",
      wrong: #"""
        reactor: 1
        schemas:
          customer:
            fields:
              city: { type: string, optional: true, default: "" }
        """#,
      right: #"""
        reactor: 1
        schemas:
          customer:
            fields:
              city: { type: string, default: "" }
        """#),
    entry(
      .duplicateValue, "value listed twice",
      "The values of an enum are different from each other.",
      wrong: #"""
        reactor: 1
        schemas:
          customer:
            fields:
              tier: { type: enum, values: [free, pro, free] }
        """#,
      right: #"""
        reactor: 1
        schemas:
          customer:
            fields:
              tier: { type: enum, values: [free, pro] }
        """#),
    entry(
      .invalidFormat, "invalid time format",
      "A format is 'epoch_s', 'epoch_ms' or a strptime pattern with at least one conversion.",
      wrong: #"""
        reactor: 1
        schemas:
          customer:
            fields:
              joined: { type: timestamp, format: unix }
        """#,
      right: #"""
        reactor: 1
        schemas:
          customer:
            fields:
              joined: { type: timestamp, format: epoch_s }
        """#),
    entry(
      .invalidDefault, "default does not fit the field's type",
      "A default is read by the declared type, without guessing, and must be a value of it.",
      wrong: #"""
        reactor: 1
        schemas:
          customer:
            fields:
              age: { type: integer, default: none }
        """#,
      right: #"""
        reactor: 1
        schemas:
          customer:
            fields:
              age: { type: integer, default: 0 }
        """#),
  ]
}
