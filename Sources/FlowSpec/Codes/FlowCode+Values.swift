import SourceDiagnostics

extension FlowCode {
  /// Codes about values.
  static let valuesEntries: [DiagnosticCatalogue.Entry] = [
    entry(
      .invalidName, "invalid name",
      """
      Names of flows, variables, secrets, schemas and tags are used on the command line and in templates, so \
      they are limited to characters that need no quoting there.
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
      Booleans are 'true' and 'false' and nothing else; 'yes', 'on' and 'True' mean different things to \
      different readers of YAML.
      """,
      wrong: #"""
        reactor: 1
        http: { base_url: https://api.example.com }
        flows:
          customers:
            resource: /customers
            prune: yes
        """#,
      right: #"""
        reactor: 1
        http: { base_url: https://api.example.com }
        flows:
          customers:
            resource: /customers
            prune: true
        """#),
    entry(
      .invalidInteger, "not an integer",
      """
      Integers are decimal digits with an optional minus sign, without leading zeros or separators, and fit in \
      64 bits.
      """,
      wrong: #"""
        reactor: 1
        http: { base_url: https://api.example.com }
        flows:
          customers:
            resource: /customers
            expect: { min: 1_000 }
        """#,
      right: #"""
        reactor: 1
        http: { base_url: https://api.example.com }
        flows:
          customers:
            resource: /customers
            expect: { min: 1000 }
        """#),
    entry(
      .invalidDuration, "not a duration",
      """
      Durations have a unit (ms, s, m, h, d) or are written as in ISO 8601 (PT30S, P7D). Months and years have \
      no fixed length and are refused.
      """,
      wrong: #"""
        reactor: 1
        http: { base_url: https://api.example.com }
        flows:
          customers:
            resource: /customers
            http: { timeout: 30 }
        """#,
      right: #"""
        reactor: 1
        http: { base_url: https://api.example.com }
        flows:
          customers:
            resource: /customers
            http: { timeout: 30s }
        """#),
    entry(
      .invalidSize, "not a size",
      "Sizes are bytes, or a whole number with one of the units B, kB, MB, GB, KiB, MiB and GiB.",
      wrong: #"""
        reactor: 1
        http: { base_url: https://api.example.com }
        flows:
          customers:
            resource: /customers
            http: { max_bytes: 32mb }
        """#,
      right: #"""
        reactor: 1
        http: { base_url: https://api.example.com }
        flows:
          customers:
            resource: /customers
            http: { max_bytes: 32MB }
        """#),
    entry(
      .invalidRate, "not a rate",
      "Rates are a number of requests, a slash and a time: 10/s, 600/m, 1/5s.",
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
      .outOfRange, "value out of range",
      "The value is of the right kind but beyond its bounds.",
      wrong: #"""
        reactor: 1
        http: { base_url: https://api.example.com }
        flows:
          customers:
            resource: /customers
            expect: { min: -1 }
        """#,
      right: #"""
        reactor: 1
        http: { base_url: https://api.example.com }
        flows:
          customers:
            resource: /customers
            expect: { min: 0 }
        """#),
    entry(
      .unknownValue, "unknown value",
      "The key takes one of a few words, exactly as written in the reference.",
      wrong: #"""
        reactor: 1
        http: { base_url: https://api.example.com }
        flows:
          customers:
            resource: { method: get, path: /customers }
        """#,
      right: #"""
        reactor: 1
        http: { base_url: https://api.example.com }
        flows:
          customers:
            resource: { method: GET, path: /customers }
        """#),
    entry(
      .unknownType, "unknown type",
      "The type is not one of the language. 'reactor explain type' lists them.",
      wrong: #"""
        reactor: 1
        schemas:
          customer:
            fields:
              id: int
        """#,
      right: #"""
        reactor: 1
        schemas:
          customer:
            fields:
              id: integer
        """#),
    entry(
      .invalidPath, "invalid JSONPath",
      "Paths into answers are RFC 9535 JSONPath: they start with '$'.",
      wrong: #"""
        reactor: 1
        http: { base_url: https://api.example.com }
        flows:
          customers:
            resource: /customers
            records: data[*]
        """#,
      right: #"""
        reactor: 1
        http: { base_url: https://api.example.com }
        flows:
          customers:
            resource: /customers
            records: $.data[*]
        """#),
    entry(
      .controlCharacter, "control character",
      "A line break or another control character stands where it would change the meaning of a request or a path.",
      wrong: #"""
        reactor: 1
        http: { base_url: https://api.example.com }
        flows:
          customers:
            resource: { path: /customers, headers: { X-Key: "a\nX-Admin: 1" } }
        """#,
      right: #"""
        reactor: 1
        http: { base_url: https://api.example.com }
        flows:
          customers:
            resource: { path: /customers, headers: { X-Key: a } }
        """#),
    entry(
      .duplicateItem, "named twice",
      "Naming a thing twice in one list, or one header in two ways of writing, is a mistake or has no effect.",
      wrong: #"""
        reactor: 1
        http: { base_url: https://api.example.com }
        flows:
          customers:
            resource: /customers
            tags: [daily, shop, daily]
        """#,
      right: #"""
        reactor: 1
        http: { base_url: https://api.example.com }
        flows:
          customers:
            resource: /customers
            tags: [daily, shop]
        """#),
    entry(
      .variableDefault, "default does not fit the variable's type",
      "A variable's default is checked like any value given to it.",
      wrong: #"""
        reactor: 1
        vars: { since: { type: date, default: yesterday } }
        http: { base_url: https://api.example.com }
        flows:
          customers:
            resource: /customers
        """#,
      right: #"""
        reactor: 1
        vars: { since: { type: date, default: 2024-01-01 } }
        http: { base_url: https://api.example.com }
        flows:
          customers:
            resource: /customers
        """#),
  ]
}
