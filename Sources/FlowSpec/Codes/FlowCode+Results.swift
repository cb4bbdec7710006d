import SourceDiagnostics

extension FlowCode {
  /// Codes about results.
  static let resultsEntries: [DiagnosticCatalogue.Entry] = [
    entry(
      .invalidOutput, "invalid output path",
      "Results are written below the output root, in a format that the extension names: .json, .jsonl or .csv.",
      wrong: .flow("persistence: out/customers.jsnol"), right: .flow("persistence: out/customers.jsonl")),
    entry(
      .invalidStatus, "invalid status", "A status is three digits (404), a class (2xx) or a range (200-299).",
      wrong: .flow("expect: { status: ok }"), right: .flow("expect: { status: 200 }")),
    entry(
      .impossibleExpectation, "expectation that nothing satisfies",
      "The least number of records is greater than the greatest.", wrong: .flow("expect: { min: 10, max: 5 }"),
      right: .flow("expect: { min: 5, max: 10 }")),
    entry(
      .mergeWithoutKey, "merge without a key",
      """
      'persistence.mode: merge' tells by the schema's key which records of a pull replace which old ones. Every record \
      must have one.
      """, wrong: .flow("schema: { fields: { id: integer } }\npersistence: { path: out/customers.jsonl, mode: merge }"),
      right: .flow(
        #"""
        schema: { key: id, fields: { id: integer } }
        persistence: { path: out/customers.jsonl, mode: merge }
        """#)),
    entry(
      .unknownSchema, "unknown schema",
      "Schemas are looked up in the file itself, then in the nearest folder 'schemas' upwards from the flow file.",
      wrong: .flow("schema: custmer"), right: .flow("schema: { fields: { id: integer } }")),
    entry(
      .duplicateFlow, "flow defined twice",
      """
      A flow's id is the file's name and the flow's name. Two files of one name in different folders cannot define the \
      same flow.
      """),
    entry(
      .duplicateOutput, "two flows write one file", "The second would replace the result of the first.",
      wrong: #"""
        reactor: 1
        http: { base_url: https://api.example.com }
        flows:
          customers: { resource: /customers, persistence: out/a.json }
          orders: { resource: /orders, persistence: ./out/a.json }
        """#,
      right: #"""
        reactor: 1
        http: { base_url: https://api.example.com }
        flows:
          customers: { resource: /customers, persistence: out/a.json }
          orders: { resource: /orders, persistence: out/b.json }
        """#),
    entry(
      .unreadableFile, "file cannot be read", "The file or folder exists but could not be read."),
    entry(
      .overrideUnknown, "unknown variable on the command line",
      "--var names a variable that none of the files declares."),
    entry(
      .overrideValue, "value from outside does not fit",
      "A value given with --var or REACTOR_VAR_NAME is checked against the variable's type."),
  ]
}
