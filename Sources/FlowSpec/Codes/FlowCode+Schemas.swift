import SourceDiagnostics

/// Codes for problems with schemas.
extension FlowCode {
  package static let duplicateSchema = FlowCode(
    "schema.duplicate-name", "schema defined twice", "All schema files of a folder share one set of names.")
  package static let recursion = FlowCode(
    "schema.recursion", "schema contains itself",
    "A record would contain itself without end. Use 'json' for the inner part, or declare each level that occurs.",
    """
    reactor: 1
    schemas:
      category:
        fields:
          name: string
          parent: { type: ‹object, schema: category→json, optional: true› }
    """)
  package static let tooLarge = FlowCode(
    "schema.too-large", "schema too large",
    "A schema with the schemas it refers to may have at most 20,000 fields and 64 levels.")
  package static let noFields = FlowCode(
    "schema.no-fields", "no fields", "A schema or an object without fields would drop all data.",
    .schema("fields:\n  address: { type: ‹object, fields: {}→json› }"))
  package static let notInferred = FlowCode(
    "schema.not-inferred", "fields that are not known yet",
    """
    A flow's schema without `fields` gets them from a lock file beside the flow file, and that file has none for this flow. \
    'reactor run' asks the server once more than usual, infers the fields from the records and writes them there. Review \
    the file and commit it.
    """, .flow("schema: { key: id‹→, fields: { id: integer }› }"), severity: .warning)
  package static let unknownField = FlowCode(
    "schema.unknown-field", "unknown field in a key", "The key of a schema lists fields of the same schema.",
    .schema("key: ‹ident→id›\nfields: { id: integer }"))
  package static let incompleteType = FlowCode(
    "schema.incomplete-type", "incomplete type",
    "An enum needs 'values', a list needs the type of its elements, an object needs 'fields' or 'schema'.",
    .schema("fields:\n  tags: ‹list→[string]›"))
  package static let misplacedOption = FlowCode(
    "schema.misplaced-option", "option of another type", "The option has no meaning for the declared type.",
    .schema("fields:\n  joined: { type: ‹date→timestamp›, format: epoch_s }"))
  package static let contradiction = FlowCode(
    "schema.contradiction", "keys that cannot be used together", "Only one of the two keys can be used.",
    .schema("fields:\n  city: { type: string, ‹optional: true, default→default›: \"\" }"))
  package static let duplicateValue = FlowCode(
    "schema.duplicate-value", "value listed twice", "The values of an enum must differ.",
    .schema("fields:\n  tier: { type: enum, values: [free, ‹pro, free→pro›] }"))
  package static let invalidFormat = FlowCode(
    "schema.invalid-format", "invalid time format",
    "A format is 'epoch_s', 'epoch_ms' or a strptime pattern with at least one conversion.",
    .schema("fields:\n  joined: { type: timestamp, format: ‹unix→epoch_s› }"))
  package static let invalidDefault = FlowCode(
    "schema.invalid-default", "default does not fit the field's type",
    "A default must be a value of the declared type.",
    .schema("fields:\n  age: { type: integer, default: ‹none→0› }"))
}

/// Codes for problems with operations on records, such as `reshape`.
extension FlowCode {
  package static let invalidProgram = FlowCode(
    "reshape.syntax", "program with a syntax error",
    "A program of `reshape` is written in the subset of jq that docs/reference/reshape.md describes.",
    .flow(#"reshape: ".groups[] | .members[‹→]›""#))
  package static let computedCycle = FlowCode(
    "schema.computed-cycle", "fields that compute each other",
    "A computed field may use other computed fields, but not one that needs the field itself.",
    #"""
    reactor: 1
    schemas:
      order:
        fields:
          net: ‹{ value: "{{ record.gross - 1 }}", type: integer }→integer›
          gross: { value: "{{ record.net + 1 }}"‹, type: integer→› }
    """#)
  package static let nestedValue = FlowCode(
    "schema.nested-value", "computed field inside another field",
    "Fields are computed for the whole record, not for objects inside it.",
    #"""
    reactor: 1
    schemas:
      order:
        fields:
          id: integer
          buyer: { type: object, fields: { name: string‹, shout: { value: "{{ upper(record.name) }}" }→› } }‹→
          shout: { value: "{{ upper(record.buyer.name) }}" }›
    """#)
}
