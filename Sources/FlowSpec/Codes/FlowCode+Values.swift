import SourceDiagnostics

extension FlowCode {
  /// Codes about values.
  static let valuesEntries: [DiagnosticCatalogue.Entry] = [
    entry(
      .invalidName, "invalid name",
      """
      Names of flows, variables, secrets, schemas and tags are used on the command line and in templates, so they are \
      limited to characters that need no quoting there.
      """,
      wrong: #"""
        reactor: 1
        http: { base_url: https://api.example.com }
        flows:
          our customers: { resource: /customers }
        """#,
      right: #"""
        reactor: 1
        http: { base_url: https://api.example.com }
        flows:
          our-customers: { resource: /customers }
        """#),
    entry(
      .invalidBoolean, "not a boolean",
      """
      Booleans are 'true' and 'false' and nothing else; 'yes', 'on' and 'True' mean different things to different \
      readers of YAML.
      """, wrong: .flow("prune: yes"), right: .flow("prune: true")),
    entry(
      .invalidInteger, "not an integer",
      """
      Integers are decimal digits with an optional minus sign, without leading zeros or separators, and fit in 64 \
      bits.
      """, wrong: .flow("expect: { min: 1_000 }"), right: .flow("expect: { min: 1000 }")),
    entry(
      .invalidDuration, "not a duration",
      """
      Durations have a unit (ms, s, m, h, d) or are written as in ISO 8601 (PT30S, P7D). Months and years have no \
      fixed length and are refused.
      """, wrong: .flow("http: { timeout: 30 }"), right: .flow("http: { timeout: 30s }")),
    entry(
      .invalidSize, "not a size",
      "Sizes are bytes, or a whole number with one of the units B, kB, MB, GB, KiB, MiB and GiB.",
      wrong: .flow("http: { max_bytes: 32mb }"), right: .flow("http: { max_bytes: 32MB }")),
    entry(
      .invalidRate, "not a rate", "Rates are a number of requests, a slash and a time: 10/s, 600/m, 1/5s.",
      wrong: #"""
        reactor: 1
        http: { base_url: https://api.example.com, rate: 10 }
        flows:
          customers:
            resource: /customers
        """#,
      right: #"""
        reactor: 1
        http: { base_url: https://api.example.com, rate: 10/s }
        flows:
          customers:
            resource: /customers
        """#),
    entry(
      .outOfRange, "value out of range", "The value is of the right kind but beyond its bounds.",
      wrong: .flow("expect: { min: -1 }"), right: .flow("expect: { min: 0 }")),
    entry(
      .unknownValue, "unknown value", "The key takes one of a few words, exactly as written in the reference.",
      wrong: .flow("resource: { method: get, path: /customers }"),
      right: .flow("resource: { method: GET, path: /customers }")),
    entry(
      .unknownType, "unknown type", "The type is not one of the language. 'reactor explain type' lists them.",
      wrong: .schema("fields:\n  id: int"), right: .schema("fields:\n  id: integer")),
    entry(
      .invalidPath, "invalid JSONPath", "Paths into responses are RFC 9535 JSONPath: they start with '$'.",
      wrong: .flow("records: data[*]"), right: .flow("records: $.data[*]")),
    entry(
      .controlCharacter, "control character",
      "A line break or another control character stands where it would change the meaning of a request or a path.",
      wrong: .flow(#"resource: { path: /customers, headers: { X-Key: "a\nX-Admin: 1" } }"#),
      right: .flow("resource: { path: /customers, headers: { X-Key: a } }")),
    entry(
      .duplicateItem, "named twice",
      "Naming a thing twice in one list, or one header in two ways of writing, is a mistake or has no effect.",
      wrong: .flow("tags: [daily, shop, daily]"), right: .flow("tags: [daily, shop]")),
    entry(
      .variableDefault, "default does not fit the variable's type",
      "A variable's default is checked like any value given to it.",
      wrong: .flow(vars: "since: { type: date, default: yesterday }", "resource: /customers"),
      right: .flow(vars: "since: { type: date, default: 2024-01-01 }", "resource: /customers")),
  ]
}
