import SourceDiagnostics

extension FlowCode {
  /// Codes about keys.
  static let keysEntries: [DiagnosticCatalogue.Entry] = [
    entry(
      .unknownKey, "unknown key",
      """
      Keys are checked strictly, so that a misspelt one is never silently ignored. The message names the nearest \
      known key; 'reactor explain KEY' describes each.
      """,
      wrong: #"""
        reactor: 1
        http: { base_url: https://api.example.com }
        flows:
          customers:
            resource: /customers
            persistance: out/customers.jsonl
        """#,
      right: #"""
        reactor: 1
        http: { base_url: https://api.example.com }
        flows:
          customers:
            resource: /customers
            persistence: out/customers.jsonl
        """#),
    entry(
      .unsupportedKey, "key of a later version",
      """
      The key belongs to the format, but this version does not understand it. Ignoring it would give wrong \
      results.
      """,
      wrong: #"""
        reactor: 1
        http: { base_url: https://api.example.com }
        flows:
          customers:
            resource: /customers
            decode: csv
        """#,
      right: #"""
        reactor: 1
        http: { base_url: https://api.example.com }
        flows:
          customers:
            resource: { path: /customers, headers: { Accept: application/json } }
        """#),
    entry(
      .misplacedKey, "key in the wrong place",
      "The key is known, but not here: what it says can hold for one flow only.",
      wrong: #"""
        reactor: 1
        http: { base_url: https://api.example.com }
        defaults:
          persistence: { path: out/all.jsonl }
        flows:
          customers: { resource: /customers }
        """#,
      right: #"""
        reactor: 1
        http: { base_url: https://api.example.com }
        flows:
          customers:
            resource: /customers
            persistence: out/customers.jsonl
        """#),
    entry(
      .missingKey, "missing key",
      "The construct is incomplete without the key.",
      wrong: #"""
        http: { base_url: https://api.example.com }
        flows:
          customers: { resource: /customers }
        """#,
      right: #"""
        reactor: 1
        http: { base_url: https://api.example.com }
        flows:
          customers:
            resource: /customers
        """#),
    entry(
      .missingValue, "missing value",
      "A key without a value says nothing. Leave the key out, or write '' for an empty text.",
      wrong: #"""
        reactor: 1
        http: { base_url: https://api.example.com }
        flows:
          customers:
            resource: /customers
            expect:
        """#,
      right: #"""
        reactor: 1
        http: { base_url: https://api.example.com }
        flows:
          customers:
            resource: /customers
            expect: { min: 1 }
        """#),
    entry(
      .wrongKind, "wrong kind of value",
      "A mapping, a list or a single value stands where another kind is expected.",
      wrong: #"""
        reactor: 1
        http: { base_url: https://api.example.com }
        flows:
          customers:
            resource: /customers
            tags: daily
        """#,
      right: #"""
        reactor: 1
        http: { base_url: https://api.example.com }
        flows:
          customers:
            resource: /customers
            tags: [daily]
        """#),
    entry(
      .unsupportedVersion, "unsupported version of the format",
      "The first key of a file says which version of the format it is written in. This program reads version 1.",
      wrong: #"""
        reactor: 2
        flows: {}
        """#,
      right: #"""
        reactor: 1
        http: { base_url: https://api.example.com }
        flows:
          customers:
            resource: /customers
        """#),
  ]
}
