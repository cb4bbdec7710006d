internal import FieldTypes
internal import FlowTerms
import Expressions
import SourceDiagnostics
import YAMLSyntax

extension FlowReader {
  /// The type of the name `cursor` in templates. A bound that may be absent is optional.
  static func cursorName(hasStart: Bool, hasEnd: Bool) -> ExpressionType.Member {
    ExpressionType.Member(
      "cursor",
      .object(["start": hasStart ? .dynamic : .optional(.dynamic), "end": hasEnd ? .dynamic : .optional(.dynamic)]))
  }

  /// The type of the name `cursor` for a `cursor` mapping that is not read yet.
  func cursorName(in value: FieldValue) -> ExpressionType.Member {
    let unknown = Self.cursorName(hasStart: true, hasEnd: true)
    guard case .mapping(let mapping) = value.node.content,
      mapping.entries.allSatisfy({ CursorKeys.construct[$0.name] != nil })
    else { return unknown }
    func has(_ field: any FieldSpec) -> Bool {
      mapping.entries.contains { $0.name == field.name && !$0.value.isNull }
    }
    return Self.cursorName(
      hasStart: has(CursorKeys.start), hasEnd: has(CursorKeys.end) || has(CursorKeys.endQuery) || has(CursorKeys.slice))
  }

  /// Reads a `cursor` mapping and checks it against the schema, the persistence and the request.
  mutating func cursor(
    _ value: FieldValue, _ schema: Reading<SchemaDeclaration>, _ persistence: Reading<PersistenceDeclaration>,
    _ request: ResourceReading?, _ pages: PagesDeclaration?, at flow: FieldNodes
  ) -> CursorDeclaration? {
    guard !value.node.isNull, let nodes = open(value, as: .cursor) else { return nil }
    let written = read(CursorKeys.field, of: nodes)
    let start = read(CursorKeys.start, of: nodes)
    let end = read(CursorKeys.end, of: nodes)
    let query = read(CursorKeys.query, of: nodes)
    let endQuery = read(CursorKeys.endQuery, of: nodes)
    let format = read(CursorKeys.format, of: nodes)
    let bounds = reading(CursorKeys.bounds, of: nodes)
    guard let field = written, let kind = cursorKind(field, schema) else { return nil }
    var cursor = CursorDeclaration(
      range: value.node.range, field: field, kind: kind, start: start, end: end, query: query?.value,
      endQuery: endQuery?.value, format: format, lookback: nil, slice: nil, bounds: bounds.value ?? .closedOpen)
    cursor.lookback = nodes.value(CursorKeys.lookback).flatMap { value in
      setting(value) { (text) throws(SettingError) in try .parsing(text, of: kind, for: value.spec.name) }
    }
    cursor.slice = nodes.value(CursorKeys.slice).flatMap { value in
      setting(value) { (text) throws(SettingError) in try .parsing(text, of: kind) }
    }
    if cursor.end == nil, nodes.isLeftOut(CursorKeys.end), endQuery != nil || cursor.slice != nil,
      kind == .timestamp || kind == .date
    {
      cursor.end = .now
    }
    check(cursor, nodes)
    if let request { check(cursor, nodes, against: request) }
    if !persistence.isBroken, !bounds.isBroken {
      check(cursor, nodes, persistence.value, pages, at: flow.key(FlowKeys.persistence) ?? value.key)
    }
    return cursor
  }

  /// Reads the end of a range: the word `now`, or a value.
  mutating func cursorEnd(_ value: FieldValue) -> CursorDeclaration.End? {
    guard let template = lineTemplate(value) else { return nil }
    return template.value.constantText == "now" ? .now : .value(template)
  }

  /// The value type of the cursor's field. The field must be required.
  private mutating func cursorKind(
    _ field: Located<String>, _ schema: Reading<SchemaDeclaration>
  ) -> CursorTerms.Kind? {
    guard let schema = schema.value else {
      if schema.isAbsent {
        report(
          .cursorField, "the flow has no schema that declares '\(printable(field.value))'",
          at: field.range, help: "declare a schema with the field")
      }
      return nil
    }
    guard let declared = schema.fields.first(where: { $0.name == field.value }) else {
      let names = schema.fields.map(\.name)
      return fail(
        .cursorField, "the schema '\(printable(schema.name))' has no field '\(printable(field.value))'",
        at: field.range,
        suggestion: nearest(to: field.value, in: names), help: "its fields are \(listed(names))")
    }
    let note = Diagnostic.Note("'\(printable(field.value))' is declared here", at: declared.range)
    guard case .required = declared.missing else {
      return fail(
        .cursorField, "'\(printable(field.value))' may be missing, and a cursor needs it in every record",
        at: field.range, notes: [note], help: "make it required: leave out 'optional' and 'default'")
    }
    guard let kind = CursorTerms.Kind(rawValue: declared.type.name) else {
      return fail(
        .cursorField, "a cursor cannot use '\(printable(field.value))', which has type \(declared.type.name)",
        at: field.range, notes: [note], help: "use a field of type timestamp, date, integer or string")
    }
    return kind
  }

  /// Reads the format of times in requests: `date`, `iso8601`, or a format that a timestamp field can have.
  mutating func boundFormat(_ value: FieldValue) -> Located<String>? {
    guard let text = text(value) else { return nil }
    if text == "iso8601" || text == "date" { return Located(text, at: value.node.range) }
    return timeFormat(value)
  }

  /// Checks that the keys of the cursor are consistent with each other.
  private mutating func check(_ cursor: CursorDeclaration, _ nodes: FieldNodes) {
    let isTime = cursor.kind == .timestamp || cursor.kind == .date
    if let format = cursor.format, !isTime {
      report(
        .cursorBounds,
        "'format' is for times, and '\(printable(cursor.field.value))' has type \(cursor.kind.rawValue)",
        at: format.range, help: "leave it out")
    }
    if case .now? = cursor.end, !isTime, let key = nodes.value(CursorKeys.end)?.node.range {
      report(
        .cursorBounds, "'now' is a time, and '\(printable(cursor.field.value))' has type \(cursor.kind.rawValue)",
        at: key, help: "leave 'end' out, or write a value")
    }
    if cursor.endQuery != nil, cursor.end == nil, nodes.isLeftOut(CursorKeys.end),
      let key = nodes.key(CursorKeys.endQuery)
    {
      report(.cursorBounds, "the end of the range is missing", at: key, help: "add 'end'")
    }
    if cursor.slice != nil, let key = nodes.key(CursorKeys.slice) {
      if cursor.start == nil, nodes.isLeftOut(CursorKeys.start) {
        report(.cursorBounds, "'slice' needs a start", at: key, help: "add 'start'")
      } else if cursor.end == nil, nodes.isLeftOut(CursorKeys.end) {
        report(.cursorBounds, "'slice' needs an end", at: key, help: "add 'end'")
      } else if cursor.bounds == .open {
        report(
          .cursorBounds, "a record on the bound of two slices would be in neither", at: key,
          help: "use other 'bounds' than \"()\", or remove 'slice'")
      }
    }
    for case (let template?, let key) in [(cursor.start, "start"), (cursor.endTemplate, "end")] {
      guard let text = template.value.constantText, !isBound(text, of: cursor.kind) else { continue }
      report(
        .cursorBounds, "'\(printable(text))' is not a value of type \(cursor.kind.rawValue)",
        at: template.range,
        help: isTime ? "write \(key) as in 2024-01-31 or 2024-01-31T00:00:00Z" : "write an integer")
    }
  }

  private func isBound(_ text: String, of kind: CursorTerms.Kind) -> Bool {
    switch kind {
    case .timestamp, .date: ExpressionTimestamp(iso8601: text) != nil
    case .integer: (try? IntegerText.value(of: text)) != nil
    case .string: !text.isEmpty
    }
  }

  /// Checks that the request uses the cursor's value.
  private mutating func check(_ cursor: CursorDeclaration, _ nodes: FieldNodes, against request: ResourceReading) {
    guard cursor.query == nil, nodes.isLeftOut(CursorKeys.query) else {
      if let query = cursor.query, query == cursor.endQuery, let key = nodes.key(CursorKeys.endQuery) {
        report(
          .cursorBounds, "start and end cannot use the same parameter", at: key,
          help: "name two parameters")
      }
      return
    }
    guard !request.mayUse("cursor") else { return }
    report(
      .cursorBounds, "the request does not use the cursor", at: nodes.range,
      help: "name a parameter with 'query', or use {{ cursor.start }} in the request")
  }

  /// Checks that new records can be added to the persisted result.
  private mutating func check(
    _ cursor: CursorDeclaration, _ nodes: FieldNodes, _ persistence: PersistenceDeclaration?,
    _ pages: PagesDeclaration?,
    at location: SourceRange
  ) {
    guard let persistence else {
      report(
        .cursorPersistence, "a cursor needs a persisted result", at: location,
        help: "add 'persistence: { path: out/records.jsonl, mode: merge }'")
      return
    }
    switch persistence.mode {
    case .merge: break
    case .replace:
      report(
        .cursorPersistence, "each run would replace the result with the new records alone", at: persistence.range,
        help: "add 'mode: merge' to 'persistence', and a key to the schema")
    case .append:
      var reason: (text: String, at: SourceRange?)?
      if cursor.bounds.includesStart {
        reason = ("the first record of a range comes again", nodes.value(CursorKeys.bounds)?.node.range)
      } else if cursor.lookback != nil {
        reason = ("'lookback' requests records again", nodes.key(CursorKeys.lookback))
      } else if let format = cursor.format, format.value != "iso8601", cursor.kind == .timestamp {
        reason = ("'\(printable(format.value))' may round the start", format.range)
      } else if pages?.keepsPart ?? false {
        reason = ("'partial: keep' requests records again", nil)
      }
      guard let reason else { return }
      report(
        .cursorPersistence, "\(reason.text), and 'mode: append' would store it twice",
        at: reason.at ?? persistence.range, help: "use 'mode: merge'")
    }
  }
}

extension CursorDeclaration {
  fileprivate var endTemplate: Located<Template>? { if case .value(let template)? = end { template } else { nil } }
}
