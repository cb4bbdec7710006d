internal import ByteCodings
internal import FieldTypes
internal import FlowModel
internal import JSONSyntax
import Expressions
import SourceDiagnostics
import YAMLSyntax

extension FlowReader {
  /// The name `cursor` with its type in templates. The position is optional, and so is a bound that may be absent.
  static func cursorName(hasStart: Bool, hasEnd: Bool) -> ExpressionType.Member {
    ExpressionType.Member("cursor", cursorType(.dynamic, hasStart, hasEnd))
  }

  private static func cursorType(_ value: ExpressionType, _ hasStart: Bool, _ hasEnd: Bool) -> ExpressionType {
    .object([
      "start": hasStart ? value : .optional(value), "end": hasEnd ? value : .optional(value),
      "position": .optional(value),
    ])
  }

  /// The name `cursor` with its type, found in a `cursor` mapping before the mapping is read.
  func cursorName(in value: FieldValue) -> ExpressionType.Member {
    let unknown = Self.cursorName(hasStart: true, hasEnd: true)
    guard case .mapping(let mapping) = value.node.content,
      mapping.entries.allSatisfy({ CursorKeys.construct[$0.name] != nil })
    else { return unknown }
    func has(_ field: any FieldSpec) -> Bool {
      mapping.entries.contains { $0.name == field.name && !$0.value.isNull }
    }
    let hasEndQuery = mapping.entries.contains { entry in
      guard entry.name == CursorKeys.query.name, case .mapping(let query) = entry.value.content else { return false }
      return query.entries.contains { $0.name == CursorQueryKeys.end.name }
    }
    return Self.cursorName(
      hasStart: has(CursorKeys.start), hasEnd: has(CursorKeys.end) || hasEndQuery || has(CursorKeys.slice))
  }

  /// The type of the name `cursor` in conditions on records, where its bounds have the type of the cursor's field.
  static func cursorInRecords(_ kind: Cursor.Kind?, _ hasStart: Bool, _ hasEnd: Bool) -> ExpressionType {
    let type: ExpressionType =
      switch kind {
      case .timestamp?: .timestamp
      case .integer?: .int
      case .date?, .string?, .token?: .string
      case nil: .dynamic
      }
    return cursorType(type, hasStart, hasEnd)
  }

  /// The name `cursor` with its type in conditions on records, found in a `cursor` mapping before the mapping is read.
  func cursorInRecords(_ value: FieldValue, _ schema: SchemaDeclaration?) -> ExpressionType.Member {
    var name = cursorName(in: value)
    guard case .mapping(let mapping) = value.node.content, case .object(let bounds) = name.type,
      case .scalar(let field)? = mapping.entries.first(where: { $0.name == CursorKeys.field.name })?.value.content
    else { return name }
    let type = schema?.fields.first { $0.name == field.text }?.type.name
    func has(_ bound: String) -> Bool { bounds.members.first { $0.name == bound }?.type.mayBeMissing == false }
    name.type = Self.cursorInRecords(type.flatMap(Cursor.Kind.init(rawValue:)), has("start"), has("end"))
    return name
  }

  /// Reads a `cursor` mapping and checks it against the schema, the persistence and the request.
  mutating func cursor(
    _ value: FieldValue, _ schema: Reading<SchemaDeclaration>, _ persistence: Reading<ResultStorage<WrittenTarget>>,
    _ request: RequestDeclaration?, _ pages: Pages?, at flow: FieldNodes
  ) -> Cursor? {
    guard !value.node.isNull, let nodes = open(value, as: .cursor) else { return nil }
    if nodes.key(CursorKeys.token) != nil {
      return tokenCursor(value, nodes, persistence, request, pages, at: flow)
    }
    let written = read(CursorKeys.field, of: nodes)
    let start = read(CursorKeys.start, of: nodes)
    let end = read(CursorKeys.end, of: nodes)
    let query = read(CursorKeys.query, of: nodes)
    let format = read(CursorKeys.format, of: nodes)
    let zone = read(CursorKeys.zone, of: nodes)
    let bounds = reading(CursorKeys.bounds, of: nodes)
    let keepsUndated = read(CursorKeys.optional, of: nodes) ?? false
    let filters = read(CursorKeys.filter, of: nodes) ?? false
    let isDescending = read(CursorKeys.order, of: nodes) == "descending"
    guard let field = written, let kind = cursorKind(field, schema, mayBeMissing: keepsUndated) else { return nil }
    var cursor = Cursor(field, of: kind, bounds: bounds.value ?? .closedOpen, at: value.node.range)
    cursor.start = start.map { Cursor.Bound($0) }
    cursor.end = end
    cursor.query = query?.start
    cursor.endQuery = query?.end?.value
    cursor.format = format
    cursor.zone = zone.map { Cursor.Zone($0) }
    cursor.keepsUndated = keepsUndated
    cursor.keepsPart = read(CursorKeys.partial, of: nodes) == "keep"
    cursor.filters = filters || isDescending
    cursor.isDescending = isDescending
    cursor.lookback = nodes.value(CursorKeys.lookback).flatMap { value in
      setting(value) { (text) throws(SettingError) in
        try .parsing(text, of: kind, for: value.spec.name, canBeNone: true)
      }
    }
    cursor.slice = nodes.value(CursorKeys.slice).flatMap { value in
      setting(value) { (text) throws(SettingError) in try .parsing(text, of: kind) }
    }
    if cursor.end == nil, nodes.isLeftOut(CursorKeys.end), cursor.endQuery != nil || cursor.slice != nil,
      kind == .timestamp || kind == .date
    {
      cursor.end = .now
    }
    cursor.cap = read(CursorKeys.cap, of: nodes)
    if isInFirstRun { return cursor.unbound }
    check(cursor, nodes)
    checkCap(cursor, nodes, request, pages, persistence.value, at: flow)
    if let request, !cursor.filters { check(cursor, nodes, against: request) }
    if isDescending { checkDescending(cursor, nodes, pages, at: flow) }
    if !persistence.isBroken, !bounds.isBroken {
      check(cursor, nodes, persistence.value, pages, at: flow.key(FlowKeys.persistence) ?? value.key)
    }
    return cursor
  }

  /// Reads the cursor for a server that gives a token with each pull. The next run sends the token to request only what
  /// is new.
  mutating func tokenCursor(
    _ value: FieldValue, _ nodes: FieldNodes, _ persistence: Reading<ResultStorage<WrittenTarget>>,
    _ request: RequestDeclaration?, _ pages: Pages?, at flow: FieldNodes
  ) -> Cursor? {
    let query = reading(CursorKeys.query, of: nodes)
    guard let path = read(CursorKeys.token, of: nodes) else { return nil }
    // The server gives only what is new, like a server that excludes the start of a range.
    var cursor = Cursor(Located(path.value.text, at: path.range), of: .token, bounds: .open, at: value.node.range)
    cursor.token = path.value
    if let end = query.value?.end {
      report(
        .cursorBounds, "a token has no range, so there is no end to send", at: end.range, help: "write 'query: NAME'")
    }
    cursor.query = query.value?.start
    cursor.isTokenURL = query.isAbsent && request?.mayUse("cursor") != true
    if isInFirstRun { return cursor.unbound }
    if cursor.isTokenURL, let key = [FlowKeys.fieldGroups, FlowKeys.job].lazy.compactMap({ flow.key($0) }).first {
      report(
        .cursorBounds, "the token is the whole URL of the next run's request, which this key would have to change",
        at: key,
        help: "name the parameter of the token with 'query' in 'cursor'")
    }
    if !persistence.isBroken {
      check(cursor, nodes, persistence.value, pages, at: flow.key(FlowKeys.persistence) ?? value.key)
    }
    return cursor
  }

  /// Reads the query parameters of a range: a name for the start, or a mapping.
  mutating func cursorQuery(_ value: FieldValue) -> RangeParameters? {
    if value.node.isScalar {
      return name(value, role: .parameter).map { RangeParameters(start: $0.value) }
    }
    let errors = errorCount
    guard let nodes = open(value, as: .cursorQuery) else { return nil }
    let (start, end) = (read(CursorQueryKeys.start, of: nodes), read(CursorQueryKeys.end, of: nodes))
    guard errorCount == errors else { return nil }
    guard start != nil || end != nil else {
      return fail(
        .missingValue, "'query' names no parameter", at: value.node.range,
        help: "write 'query: updated_since', or a mapping with 'start' and 'end'")
    }
    if let end, end.value == start?.value, let key = nodes.key(CursorQueryKeys.end) {
      return fail(
        .cursorBounds, "start and end cannot use the same parameter", at: key, help: "name two different parameters")
    }
    return RangeParameters(start: start?.value, end: end)
  }

  /// Reads the end of a range: the word `now`, or a value.
  mutating func cursorEnd(_ value: FieldValue) -> Cursor.End? {
    guard let template = lineTemplate(value) else { return nil }
    return template.value.constantText == "now" ? .now : .value(Cursor.Bound(template))
  }

  /// The type of the cursor's field; nil after an error was reported. A field that is not required is an error, unless
  /// records without it are kept.
  private mutating func cursorKind(
    _ field: Located<String>, _ schema: Reading<SchemaDeclaration>, mayBeMissing: Bool
  ) -> Cursor.Kind? {
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
    switch declared.missing {
    case .required: break
    case .optional where mayBeMissing: break
    default:
      return fail(
        .cursorField, "'\(printable(field.value))' may be missing, and a cursor needs it in every record",
        at: field.range, notes: [note],
        help: "leave out 'optional' and 'default', so that records without it are rejected, or add 'optional: true' to "
          + "'cursor' and 'optional: true' to the field")
    }
    guard let kind = Cursor.Kind(rawValue: declared.type.name) else {
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

  /// Reads the name of a time zone, which must be safe as a path below the database.
  mutating func zoneName(_ value: FieldValue) -> Located<String>? {
    guard let text = text(value) else { return nil }
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    let isName =
      parts.count <= 3
      && parts.allSatisfy { part in
        !part.isEmpty && part.utf8.count <= 32
          && part.utf8.allSatisfy { ASCII.isLetter($0) || ASCII.isDigit($0) || $0 == 0x5F || $0 == 0x2B || $0 == 0x2D }
      }
    guard isName else {
      return fail(
        .invalidName, "'\(printable(text))' is not the name of a time zone", at: value.node.range,
        help: "write a name of the time zone database, for example Europe/Berlin")
    }
    return Located(text, at: value.node.range)
  }

  /// Checks that the format of bounds in local times contains no offset.
  private mutating func checkZone(_ cursor: Cursor) {
    guard let zone = cursor.zone, let format = cursor.format?.value else { return }
    let words = ["iso8601", "epoch_s", "epoch_ms", "epoch_us"]
    guard words.contains(format) || ["%z", "%Z", "%s"].contains(where: { format.contains($0) }) else { return }
    report(
      .cursorBounds, "'format: \(printable(format))' already contains the offset from UTC", at: zone.name.range,
      help: "leave 'zone' out, or write a pattern without an offset")
  }

  /// Checks that the keys of `cursor` can be used together.
  private mutating func check(_ cursor: Cursor, _ nodes: FieldNodes) {
    let isTime = cursor.kind == .timestamp || cursor.kind == .date
    checkZone(cursor)
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
      let key = nodes.key(CursorKeys.query)
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
          .cursorBounds, "a record at the boundary of two slices would be in neither", at: key,
          help: "use 'bounds' other than \"()\", or remove 'slice'")
      }
    }
    for case (let template?, let key) in [(cursor.start?.text, "start"), (cursor.endText, "end")] {
      guard let text = template.value.constantText, !isBound(text, of: cursor.kind) else { continue }
      report(
        .cursorBounds, "'\(printable(text))' is not a value of type \(cursor.kind.rawValue)",
        at: template.range,
        help: isTime
          ? "write, for example, '\(key): 2024-01-31' or '\(key): 2024-01-31T00:00:00Z'" : "write an integer")
    }
  }

  private func isBound(_ text: String, of kind: Cursor.Kind) -> Bool {
    switch kind {
    case .timestamp, .date: ExpressionTimestamp(iso8601: text) != nil
    case .integer: (try? IntegerText.value(of: text)) != nil
    case .string, .token: !text.isEmpty
    }
  }

  /// Checks that the request uses the cursor's value.
  private mutating func check(_ cursor: Cursor, _ nodes: FieldNodes, against request: RequestDeclaration) {
    guard cursor.query == nil, nodes.isLeftOut(CursorKeys.query) else { return }
    guard !request.mayUse("cursor") else { return }
    report(
      .cursorBounds, "the request does not use the cursor", at: nodes.range,
      help: "name a parameter with 'query', or use {{ cursor.start }} in the request; if the server cannot filter, "
        + "add 'filter: true', or 'order: descending' for a feed with the newest records first")
  }

  /// Checks the flow if it declares `order: descending`, for a server that returns the newest records first.
  private mutating func checkDescending(
    _ cursor: Cursor, _ nodes: FieldNodes, _ pages: Pages?, at flow: FieldNodes
  ) {
    let location = nodes.key(CursorKeys.order) ?? nodes.range
    if pages == nil, flow.isLeftOut(FlowKeys.pages) || isOnePageMeant(flow) {
      report(
        .cursorBounds, "'order: descending' ends a pull before its last page, and the flow has only one page",
        at: location,
        help: "add 'pages', or write 'filter: true' instead")
    }
    if case .mapping(let expect)? = flow.value(FlowKeys.expect)?.node.content,
      let total = expect.entries.first(where: { $0.name == ExpectKeys.total.name })
    {
      report(
        .cursorBounds, "'order: descending' reads only some of the records that 'total' counts", at: total.key.range,
        help: "leave 'total' out")
    }
  }

  /// Checks that new records can be added to the persisted result.
  mutating func check(
    _ cursor: Cursor, _ nodes: FieldNodes, _ persistence: ResultStorage<WrittenTarget>?,
    _ pages: Pages?,
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
        .cursorPersistence, "each run would replace the result with the new records alone",
        at: persistence.target?.range, help: "add 'mode: merge' to 'persistence', and a key to the schema")
    case .append:
      var reason: (text: String, at: SourceRange?)?
      if cursor.bounds.includesStart {
        reason = ("the first records of a range are received again", nodes.value(CursorKeys.bounds)?.node.range)
      } else if cursor.lookback != nil {
        reason = ("'lookback' requests records again", nodes.key(CursorKeys.lookback))
      } else if let format = cursor.format, format.value != "iso8601", cursor.kind == .timestamp, !cursor.filters {
        reason = ("'\(printable(format.value))' may round the start, so records are requested again", format.range)
      } else if pages?.keepsPart ?? false {
        reason = ("'partial: keep' requests records again", nil)
      } else if cursor.keepsPart {
        reason = ("'partial: keep' requests the records of a failed slice again", nodes.key(CursorKeys.partial))
      }
      guard let reason else { return }
      report(
        .cursorPersistence, "\(reason.text), and 'mode: append' would store them twice",
        at: reason.at ?? persistence.target?.range, help: "use 'mode: merge'")
    }
  }
}

extension Cursor {
  fileprivate var endText: Located<Template>? { if case .value(let bound)? = end { bound.text } else { nil } }
}
