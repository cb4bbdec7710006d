import SourceDiagnostics

/// Diagnostic codes for `each`, `for` and references between flows.
extension FlowCode {
  package static let unknownFlow = FlowCode(
    "flow.unknown-flow", "unknown flow",
    """
    'each' names a flow that none of the given files declares. A name alone means a flow of the same file, 'file.flow' \
    one of another file.
    """,
    .file(
      """
      flows:
        customers: { resource: /customers }
        orders:
          resource: /orders
          each: ‹custmers→customers›
      """))
  package static let generatedFlow = FlowCode(
    "flow.for", "flows that cannot be made from items",
    """
    'for' makes one flow for each item of a list, or of a JSON file beside the flow file. Each item sets variables, \
    which the file must not declare itself, and each flow needs its own name.
    """,
    .flow("for: { values: [contacts, deals], ‹→as: object ›}"))
  package static let missingItems = FlowCode(
    "flow.for-nothing", "missing file of items",
    """
    The file with the items from which flows are made does not exist, so there are no such flows. A flow can write \
    this file. Until it exists, only the other flows run.
    """, severity: .warning)
  package static let flowCycle = FlowCode(
    "flow.cycle", "cycle of flows",
    """
    Each flow of the cycle takes its records from the next one, so none of them can start. The message names them in \
    order, and its notes show where they name each other.
    """,
    .file(
      """
      flows:
        customers: { resource: /customers‹, each: orders→› }
        orders: { resource: /orders, each: customers }
      """))
  package static let eachSource = FlowCode(
    "flow.each-source", "not exactly one source of records",
    """
    'each' takes records from one source: a flow, a list of values, or a persisted file. To combine several, write a \
    list with one part for each.
    """,
    .file(
      """
      flows:
        customers: { resource: /customers }
        orders:
          resource: /orders
          each: ‹{ flow: customers, values: [open, closed] }→[customers, { values: [open, closed], as: status }]›
      """))
  package static let eachChanged = FlowCode(
    "flow.each-changed", "'only: changed' without a key or a growing result",
    """
    With 'only: changed' a flow persists a digest of each parent's record. It needs a result that grows ('mode: merge' \
    or 'append'), because otherwise the records of unchanged parents would be lost, and a key, which identifies a \
    changed record.
    """,
    .file(
      """
      flows:
        customers: { resource: /customers, schema: { key: id, fields: { id: integer } } }
        orders:
          resource: "/customers/{{ parent.id }}/orders"
          each: { flow: customers, only: changed }
          schema: { key: id, fields: { id: integer } }
          persistence: { path: out/orders.jsonl, mode: ‹replace→merge› }
      """))
}

/// Codes for problems with requests that send records.
extension FlowCode {
  package static let sentRecords = FlowCode(
    "sending.records", "no source of records to send, or several",
    """
    A body of `records` contains the record of the request, so the flow needs an `each` over the records of one flow \
    or one file.
    """, flow("each: { ‹values: [1, 2]→file: out/customers.jsonl› }", "body: { records: customer }"))
  package static let sentField = FlowCode(
    "sending.field", "field that cannot be sent",
    """
    A schema can encode a record if each of its fields has its own location, a path of member names, and if the sent \
    records have a field with the same name.
    """, flow("each: { file: out/customers.jsonl }", "body: { records: ‹tagged→customer› }"))
  package static let idempotencyKey = FlowCode(
    "sending.idempotency", "idempotency key that does not identify one request",
    """
    The server recognizes a repeated request by its key. Each item needs its own key, pages cannot share one, and a \
    request that only reads needs none.
    """,
    flow(
      "each: { file: out/customers.jsonl }",
      "body: { records: customer }, idempotency: { key: ‹customers→\"{{ parent.id }}\"› }"))
  package static let eachBatch = FlowCode(
    "sending.batch", "batch that cannot be formed or checked",
    """
    A batch contains records of one source. `records` finds the result of each record in the response, and `failed` \
    says whether the record was rejected.
    """,
    flow(
      "each: { file: out/customers.jsonl, batch: { size: 10, records: $.items‹→, failed: has(result.error)› } }",
      "body: { records: customer }"))

  private static func flow(_ each: String, _ request: String) -> Sample {
    .file(
      """
      schemas:
        customer: { fields: { id: integer, city: { from: $.address.city, type: string } } }
        tagged: { fields: { tag: { from: "$.tags[0]", type: string } } }
      flows:
        mirror:
          \(each)
          resource: { method: POST, path: /customers, \(request) }
      """)
  }
}
