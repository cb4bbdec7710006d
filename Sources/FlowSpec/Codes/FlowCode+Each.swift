import SourceDiagnostics

extension FlowCode {
  /// Codes about parents.
  static let eachEntries: [DiagnosticCatalogue.Entry] = [
    entry(
      .unknownFlow, "unknown flow",
      """
      'each' names a flow that none of the files given declares. A name alone means a flow of the same file, \
      'file.flow' one of another file.
      """,
      wrong: #"""
        reactor: 1
        http: { base_url: https://api.example.com }
        flows:
          customers: { resource: /customers }
          orders:
            resource: /orders
            each: custmers
        """#,
      right: #"""
        reactor: 1
        http: { base_url: https://api.example.com }
        flows:
          customers: { resource: /customers }
          orders:
            resource: /orders
            each: customers
        """#),
    entry(
      .flowCycle, "flows that wait for each other",
      """
      Each flow of the circle takes its records from the next, so that none of them could begin. The message names \
      them in order, with the places where they name each other.
      """,
      wrong: #"""
        reactor: 1
        http: { base_url: https://api.example.com }
        flows:
          customers: { resource: /customers, each: orders }
          orders: { resource: /orders, each: customers }
        """#,
      right: #"""
        reactor: 1
        http: { base_url: https://api.example.com }
        flows:
          customers: { resource: /customers }
          orders: { resource: /orders, each: customers }
        """#),
    entry(
      .eachSource, "no source of records, or more than one",
      """
      'each' takes records from one source: a flow, a list of values, or a persisted file. To combine several, write a \
      list with one part for each.
      """,
      wrong: #"""
        reactor: 1
        http: { base_url: https://api.example.com }
        flows:
          customers: { resource: /customers }
          orders:
            resource: /orders
            each: { flow: customers, values: [open, closed] }
        """#,
      right: #"""
        reactor: 1
        http: { base_url: https://api.example.com }
        flows:
          customers: { resource: /customers }
          orders:
            resource: /orders
            each: [customers, { values: [open, closed], as: status }]
        """#),
    entry(
      .eachChanged, "only changed parents, without what that needs",
      """
      With 'only: changed' a flow remembers what each parent was like when it was last asked for. That needs a result \
      that grows ('mode: merge' or 'append'), because the records of the other parents would be lost, and a key, \
      because a record that changed must be known again.
      """, wrong: changed("replace"), right: changed("merge")),
  ]

  private static func changed(_ mode: String) -> Sample {
    Sample(
      """
      reactor: 1
      http: { base_url: https://api.example.com }
      flows:
        customers: { resource: /customers, schema: { key: id, fields: { id: integer } } }
        orders:
          resource: "/customers/{{ parent.id }}/orders"
          each: { flow: customers, only: changed }
          schema: { key: id, fields: { id: integer } }
          persistence: { path: out/orders.jsonl, mode: \(mode) }
      """)
  }
}
