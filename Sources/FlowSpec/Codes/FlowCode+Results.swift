import SourceDiagnostics

/// Codes for problems with results, also where several processes share them.
extension FlowCode {
  package static let invalidOutput = FlowCode(
    "flow.invalid-output", "invalid output path",
    "Results are written below the output root, in a format that the extension names: .json, .jsonl or .csv.",
    .flow("persistence: ‹out/customers.jsnol→out/customers.jsonl›"))
  package static let invalidStatus = FlowCode(
    "flow.invalid-status", "invalid status", "A status is three digits (404), a class (2xx) or a range (200-299).",
    .flow("expect: { status: ‹ok→200› }"))
  package static let impossibleExpectation = FlowCode(
    "flow.impossible-expectation", "expectation that no result can meet",
    "The minimum number of records is greater than the maximum.",
    .flow("expect: { min: ‹10, max: 5→5, max: 10› }"))
  package static let mergeWithoutKey = FlowCode(
    "flow.merge-without-key", "merge without a key",
    """
    'persistence.mode: merge' replaces old records by the schema's key. Every record must have one.
    """,
    .flow(
      "schema: { ‹→key: id, ›fields: { id: integer } }\npersistence: { path: out/customers.jsonl, mode: merge }"))
  package static let unknownSchema = FlowCode(
    "flow.unknown-schema", "unknown schema",
    "Schemas are looked up in the file itself, then in the nearest folder 'schemas' upwards from the flow file.",
    .flow("schema: ‹custmer→{ fields: { id: integer } }›"))
  package static let unknownStore = FlowCode(
    "flow.unknown-store", "unknown store", "'persistence.store' names a database that the file declares in 'stores'.",
    .file(
      """
      ‹→stores: { shop: { sqlite: out/shop.db } }
      ›flows:
        customers:
          resource: /customers
          schema: { key: id, fields: { id: integer } }
          persistence: { store: shop, table: customers }
      """))
  package static let invalidTable = FlowCode(
    "flow.invalid-table", "table that cannot store the result",
    """
    A table needs a schema, which names its columns. The names must be valid in the database, and no two may \
    differ only in case.
    """,
    .file(
      """
      stores: { shop: { sqlite: out/shop.db } }
      flows:
        customers:
          resource: /customers
          ‹→schema: { key: id, fields: { id: integer } }
          ›persistence: { store: shop, table: customers }
      """))
  package static let duplicateFlow = FlowCode(
    "flow.duplicate-flow", "flow defined twice",
    """
    A flow's id is the file's name and the flow's name. Two files of one name in different folders cannot define the \
    same flow.
    """)
  package static let duplicateOutput = FlowCode(
    "flow.duplicate-output", "two flows write the same file", "The second would replace the result of the first.",
    .file(
      """
      flows:
        customers: { resource: /customers, persistence: out/a.json }
        orders: { resource: /orders, persistence: ‹./out/a.json→out/b.json› }
      """))
  package static let unreadableFile = FlowCode(
    "flow.unreadable-file", "file cannot be read", "The file or folder exists but cannot be read.")
  package static let overrideUnknown = FlowCode(
    "flow.override-unknown", "unknown variable on the command line",
    "--var names a variable that none of the files declares.")
  package static let overrideValue = FlowCode(
    "flow.override-value", "given value does not fit the variable",
    "A value given with --var or REACTOR_VAR_NAME is checked against the type and the condition of the variable.")
  package static let stateConflict = FlowCode(
    "flow.state-conflict", "two shared states in one run",
    "A run has one shared state. All of its files that declare 'state' in 'defaults' declare the same.")
  package static let sharedToken = FlowCode(
    "flow.shared-token", "single-use refresh token without a key",
    """
    With shared state, all processes take the newest refresh token from a database. It is sealed there, so the processes \
    need a key: 'openssl rand -base64 32' makes one for REACTOR_STATE_KEY.
    """)
  package static let sharedInput = FlowCode(
    "flow.shared-input", "input that another machine may write",
    """
    With shared state, any process may run a flow, and its result is on the disk of that process. A flow cannot read such \
    a file unless the flow that writes it is its parent: one process runs a flow with its parents.
    """)
}
