internal import FlowModel
internal import SourceDiagnostics
internal import YAMLSyntax

enum CursorCapKeys {
  static let construct = Construct(
    .cursorCap, noun: "'cursor.cap'", "How to request a range of which the server returns only a part.",
    details: """
      Many search APIs give at most 10,000 records of one range, however many pages are requested. A range that \
      reaches the cap counts as incomplete, even if it has exactly that many records. The cap is a number of \
      records, a number of pages, or a response for which a rule of `errors` has `do: cap`. Nothing is published \
      before the whole range is read. If the range cannot be read at all, because too many records have one value, the \
      flow fails.
      """, fields: [records, pages, then],
    frame: .init(
      """
      reactor: 1
      http: { base_url: https://api.example.com }
      schemas:
        customer:
          key: id
          fields: { id: integer, name: string, updated_at: timestamp }
      flows:
        customers:
          resource: /customers
          schema: customer
          pages: { by: page, query: page }
          persistence: { path: out/customers.jsonl, mode: merge }
          cursor:
            field: updated_at
            start: 2024-01-01
            query: { start: since, end: until }
            cap:
              ◆
      """, supplies: ["then: restart", "records: 10000"], alternatives: ["records": "pages"]))

  static let records = Field(
    "records", .integer(1...1_000_000_000), "The maximum number of records that the server returns for one range.",
    details: "All received records count, also those that are rejected or that `where` leaves out.", edit: .keepsResult,
    examples: ["records: 10000\nthen: restart"],
    mistakes: ["records: ↓0": .outOfRange, "records: ↓many": .invalidInteger])

  static let pages = Field(
    "pages", .integer(2...100_000_000), "The maximum number of pages that the server returns for one range.",
    details: """
      A range with this number of pages counts as capped, even if its last page is not full, but not if that page has \
      no records. If `records` is declared too, the cap that is reached first counts.
      """, edit: .keepsResult,
    examples: ["pages: 100\nthen: restart"], mistakes: ["pages: ↓1": .outOfRange])

  static let then = Field(
    "then", .choice(of: Cursor.AtCap.self), default: .required, "How the rest of the range is requested.",
    details: """
      `restart`: the server gives the records in ascending order of the cursor's field. A new range begins at the \
      greatest value so far and includes it, because more records may have this value; records that are received twice \
      are stored once, so the flow needs `mode: merge`. A record with a lower value than an earlier one is an error, \
      because records would then be missing. If no record that passes `where` moves the start forward, a record that \
      `where` leaves out does, unless `where` uses `source`. `halve`: for servers with another order. The records of \
      the range are discarded, and its two halves are requested, down to the smallest step that `format` can write. \
      `halve` needs a start, an end and a field that is not a string. If the response contains the number of records \
      or pages (`expect.total` or `pages.count`), a range that is too long is halved after its first page.
      """, edit: .keepsResult, examples: ["records: 1000\nthen: halve"], mistakes: ["then: ↓split": .unknownValue])
}

extension FlowReader {
  /// Reads a `cap` mapping.
  mutating func cursorCap(_ value: FieldValue) -> Cursor.Cap? {
    guard let nodes = open(value, as: .cursorCap) else { return nil }
    let records = reading(CursorCapKeys.records, of: nodes)
    let pages = reading(CursorCapKeys.pages, of: nodes)
    guard let then = read(CursorCapKeys.then, of: nodes), !records.isBroken, !pages.isBroken else { return nil }
    return Cursor.Cap(records: records.value?.value, pages: pages.value?.value, then: then, at: value.key)
  }

  /// Checks that the rest of a range that reaches its `cap` can be requested.
  mutating func checkCap(
    _ cursor: Cursor, _ nodes: FieldNodes, _ request: RequestDeclaration?, _ pages: Pages?,
    _ persistence: ResultStorage<WrittenTarget>?, at flow: FieldNodes
  ) {
    guard let cap = cursor.cap,
      let problem = unpaged(cap, pages, at: flow) ?? unasked(cursor, cap, nodes, request)
        ?? (cap.then == .restart
          ? unrestartable(cursor, persistence) : unhalvable(cursor, nodes))
    else { return }
    report(.cursorBounds, problem.message, at: cap.range, help: problem.help)
  }

  private typealias Problem = (message: String, help: String)

  private func unpaged(_ cap: Cursor.Cap, _ pages: Pages?, at flow: FieldNodes) -> Problem? {
    guard cap.pages != nil, pages == nil, flow.isLeftOut(FlowKeys.pages) || isOnePageMeant(flow) else { return nil }
    return ("the cap is a number of pages, but the flow has only one page", "use 'records' in 'cap', or add 'pages'")
  }

  /// The error if the flow cannot request a part of a range, because it sends no bounds or reads a descending feed.
  private func unasked(
    _ cursor: Cursor, _ cap: Cursor.Cap, _ nodes: FieldNodes, _ request: RequestDeclaration?
  ) -> Problem? {
    if cursor.isDescending {
      return ("a feed in descending order cannot be requested in ranges", "leave 'cap' or 'order' out")
    }
    guard let request, !request.mayUse("cursor") else { return nil }
    if cursor.filters, nodes.isLeftOut(CursorKeys.query) {
      return (
        "the request does not use the cursor, so every range would be the same",
        "name a parameter with 'query', or use {{ cursor.start }} in the request"
      )
    }
    guard cap.then == .halve, cursor.end != nil, cursor.endQuery == nil else { return nil }
    return (
      "the request does not use the end of the range, so its halves would not be shorter",
      "name it with 'query: { start: …, end: … }', or use {{ cursor.end }} in the request"
    )
  }

  private func unrestartable(_ cursor: Cursor, _ persistence: ResultStorage<WrittenTarget>?) -> Problem? {
    if persistence?.mode == .append {
      return (
        "'then: restart' requests the last records again, and 'mode: append' would store them twice",
        "use 'mode: merge'"
      )
    }
    guard cursor.kind == .string, !cursor.bounds.includesStart else { return nil }
    return (
      "with these 'bounds', records with the value at which a new range begins would be in no range",
      "use 'bounds' that include the start, if the server supports it"
    )
  }

  private func unhalvable(_ cursor: Cursor, _ nodes: FieldNodes) -> Problem? {
    if cursor.kind == .string {
      return (
        "a range of texts has no middle", "use a field of another type, or 'then: restart' if the records are sorted"
      )
    }
    if nodes.isLeftOut(CursorKeys.start) { return ("'then: halve' needs a start", "add 'start'") }
    if nodes.isLeftOut(CursorKeys.end), cursor.end == nil {
      return ("'then: halve' needs an end", "add 'end', and 'query: { start: …, end: … }'")
    }
    guard cursor.bounds == .open else { return nil }
    return (
      "a record at the boundary of two halves would be in neither",
      "use 'bounds' other than \"()\", or 'then: restart' if the records are sorted"
    )
  }

  /// Checks that a cap can be detected, and that a rule with `do: cap` has an effect.
  ///
  /// - Parameter own: the rules that the flow itself declares
  mutating func checkCapRules(
    _ cursor: Cursor?, _ rules: [ErrorRule], own: [ErrorRule]
  ) {
    if let cap = cursor?.cap {
      guard cap.records == nil, cap.pages == nil, !rules.contains(where: { $0.action == .cap }) else { return }
      report(
        .cursorBounds, "'cap' does not say when it is reached", at: cap.range,
        help: "add 'records' or 'pages', or a rule with 'do: cap' to 'errors'")
    } else if let rule = own.first(where: { $0.action == .cap }) {
      report(
        .cursorBounds, "'do: cap' needs a 'cap' in 'cursor', which says how the rest of the range is requested",
        at: rule.when.range,
        help: "add 'cap: { then: restart }' or 'cap: { then: halve }' to 'cursor'")
    }
  }
}
