import SourceDiagnostics

extension FlowCode {
  /// Codes about keys.
  static let keysEntries: [DiagnosticCatalogue.Entry] = [
    entry(
      .unknownKey, "unknown key",
      """
      Keys are checked strictly, so that a misspelt one is never silently ignored. The message names the nearest known \
      key; 'reactor explain KEY' describes each.
      """, wrong: .flow("persistance: out/customers.jsonl"), right: .flow("persistence: out/customers.jsonl")),
    entry(
      .unsupportedKey, "key of a later version",
      "The key belongs to the format, but this version does not understand it. Ignoring it would give wrong results.",
      wrong: .flow("decode: csv"),
      right: .flow("resource: { path: /customers, headers: { Accept: application/json } }")),
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
        """#, right: .flow("persistence: out/customers.jsonl")),
    entry(
      .missingKey, "missing key", "The construct is incomplete without the key.",
      wrong: "http: { base_url: https://api.example.com }\nflows:\n  customers: { resource: /customers }",
      right: .flow("resource: /customers")),
    entry(
      .missingValue, "missing value",
      "A key without a value says nothing. Leave the key out, or write '' for an empty text.", wrong: .flow("expect:"),
      right: .flow("expect: { min: 1 }")),
    entry(
      .wrongKind, "wrong kind of value", "A mapping, a list or a single value stands where another kind is expected.",
      wrong: .flow("tags: daily"), right: .flow("tags: [daily]")),
    entry(
      .unsupportedVersion, "unsupported version of the format",
      "The first key of a file says which version of the format it is written in. This program reads version 1.",
      wrong: "reactor: 2\nflows: {}", right: .flow("resource: /customers")),
  ]
}
