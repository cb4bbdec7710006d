import SourceDiagnostics

/// Diagnostic codes for unknown, missing and misplaced keys.
extension FlowCode {
  package static let unknownKey = FlowCode(
    "flow.unknown-key", "unknown key",
    """
    Keys are checked strictly, so a misspelt one is never ignored. The message names the nearest known key; 'reactor \
    explain KEY' describes each.
    """, .flow("‹persistance→persistence›: out/customers.jsonl"))
  package static let renamedKey = FlowCode(
    "flow.renamed-key", "earlier name of a key",
    """
    The key had another name in an earlier version. 'reactor check --fix' writes the present name into the files; docs/changes.md \
    has the list.
    """, .flow("retry: { ‹honour→follow›: none }"))
  package static let unsupportedKey = FlowCode(
    "flow.unsupported-key", "key of a later version",
    "The key belongs to the format, but this version does not understand it. Ignoring it would give wrong results.",
    .flow("‹dedupe: [id]→resource: { path: /customers, headers: { Accept: application/json } }›"))
  package static let misplacedKey = FlowCode(
    "flow.misplaced-key", "key that is not allowed here",
    "The key exists, but it cannot be used here: it belongs elsewhere, or another key excludes it.",
    .file(
      """
      ‹defaults:
        persistence: { path: out/all.jsonl }
      →›flows:
        customers: ‹{ resource: /customers }→
          resource: /customers
          persistence: out/customers.jsonl›
      """))
  package static let missingKey = FlowCode(
    "flow.missing-key", "missing key", "The key is required.",
    "‹→reactor: 1\n›http: { base_url: https://api.example.com }\nflows:\n  customers: { resource: /customers }")
  package static let missingValue = FlowCode(
    "flow.missing-value", "missing value",
    "A key needs a value. Leave the key out, or write '' for an empty text.",
    .flow("expect:‹→ { min: 1 }›"))
  package static let wrongKind = FlowCode(
    "flow.wrong-kind", "wrong kind of value",
    "The key takes another kind of value: a mapping, a list or a single value.", .flow("tags: ‹daily→[daily]›"))
  package static let unsupportedVersion = FlowCode(
    "flow.unsupported-version", "unsupported version of the format",
    "The first key of a file is the version of its format. This program reads version 1.",
    "reactor: ‹2→1›\nhttp: { base_url: https://api.example.com }\nflows:\n  customers: { resource: /customers }")
}

/// Diagnostic codes for values that a key does not allow.
extension FlowCode {
  package static let invalidName = FlowCode(
    "flow.invalid-name", "invalid name",
    """
    Names of flows, variables, secrets, schemas and tags are used on the command line and in templates, so they are \
    limited to characters that need no quotes there.
    """,
    .file(
      """
      flows:
        ‹our customers→our-customers›: { resource: /customers }
      """))
  package static let invalidBoolean = FlowCode(
    "flow.invalid-boolean", "not a boolean",
    """
    Booleans are 'true' and 'false' only: 'yes', 'on' and 'True' mean different things to different readers of YAML.
    """, .flow("prune: ‹yes→true›"))
  package static let invalidInteger = FlowCode(
    "flow.invalid-integer", "not an integer",
    """
    Integers are decimal digits with an optional minus sign, without leading zeros or separators, and fit in 64 bits.
    """, .flow("expect: { min: ‹1_000→1000› }"))
  package static let invalidDuration = FlowCode(
    "flow.invalid-duration", "not a duration",
    """
    Durations have a unit (ms, s, m, h, d) or are written as in ISO 8601 (PT30S, P7D). Months and years have no fixed \
    length and are not allowed.
    """, .flow("http: { timeout: ‹30→30s› }"))
  package static let invalidSize = FlowCode(
    "flow.invalid-size", "not a size",
    "Sizes are bytes, or a whole number with one of the units B, kB, MB, GB, KiB, MiB and GiB.",
    .flow("http: { max_bytes: ‹32mb→32MB› }"))
  package static let invalidRate = FlowCode(
    "flow.invalid-rate", "not a rate", "Rates are a number of requests, a slash and a time: 10/s, 600/m, 1/5s.",
    """
    reactor: 1
    http: { base_url: https://api.example.com, rate: ‹10→10/s› }
    flows:
      customers:
        resource: /customers
    """
  )
  package static let invalidSchedule = FlowCode(
    "flow.invalid-schedule", "not a schedule",
    """
    A schedule has the five fields of cron: minute, hour, day of the month, month and day of the week. What engines read \
    in different ways is not allowed.
    """, .flow("schedule: ‹60→0› 2 * * *"))
  package static let outOfRange = FlowCode(
    "flow.out-of-range", "value out of range", "The value is of the right kind but out of its bounds.",
    .flow("expect: { min: ‹-1→0› }"))
  package static let unknownValue = FlowCode(
    "flow.unknown-value", "unknown value", "The key allows only certain words, exactly as the reference lists them.",
    .flow("resource: { method: ‹get→GET›, path: /customers }"))
  package static let unknownType = FlowCode(
    "flow.unknown-type", "unknown type", "No type has this name. 'reactor explain type' lists the types.",
    .schema("fields:\n  id: ‹int→integer›"))
  package static let invalidPath = FlowCode(
    "flow.invalid-path", "invalid JSONPath", "Paths into responses are RFC 9535 JSONPath: they start with '$'.",
    .flow("records: ‹data→$.data›[*]"))
  package static let controlCharacter = FlowCode(
    "flow.control-character", "control character",
    "A line break or another control character would change the meaning of a request or a path.",
    .flow(#"resource: { path: /customers, headers: { X-Key: ‹"a\nX-Admin: 1"→a› } }"#))
  package static let duplicateItem = FlowCode(
    "flow.duplicate-item", "item named twice",
    "An item twice in a list, or a header twice with different letter case, is a mistake or has no effect.",
    .flow("tags: [daily, ‹shop, daily→shop›]"))
  package static let variableDefault = FlowCode(
    "flow.variable-default", "default does not fit the variable",
    "A variable's default is checked like any value given to it.",
    .flow(vars: "since: { type: date, default: ‹yesterday→2024-01-01› }", "resource: /customers"))
}
