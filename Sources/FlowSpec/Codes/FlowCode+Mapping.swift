import SourceDiagnostics

extension FlowCode {
  /// Codes about what is done with records.
  static let mappingEntries: [DiagnosticCatalogue.Entry] = [
    entry(
      .invalidProgram, "program that cannot be read",
      "A program of `reshape` is written in the subset of jq that docs/reference/reshape.md describes.",
      wrong: .flow(#"reshape: ".groups[] | .members[""#), right: .flow(#"reshape: ".groups[] | .members[]""#)),
    entry(
      .computedCycle, "fields that compute each other",
      "A computed field may use other computed fields, but not one that needs the field itself.",
      wrong: #"""
        reactor: 1
        schemas:
          order:
            fields:
              net: { value: "{{ record.gross - 1 }}", type: integer }
              gross: { value: "{{ record.net + 1 }}", type: integer }
        """#,
      right: #"""
        reactor: 1
        schemas:
          order:
            fields:
              net: integer
              gross: { value: "{{ record.net + 1 }}" }
        """#),
    entry(
      .nestedValue, "computed field inside another field",
      "Fields are computed for a record as a whole, not for the objects inside of it.",
      wrong: #"""
        reactor: 1
        schemas:
          order:
            fields:
              id: integer
              buyer: { type: object, fields: { name: string, shout: { value: "{{ upper(record.name) }}" } } }
        """#,
      right: #"""
        reactor: 1
        schemas:
          order:
            fields:
              id: integer
              buyer: { type: object, fields: { name: string } }
              shout: { value: "{{ upper(record.buyer.name) }}" }
        """#),
  ]
}
