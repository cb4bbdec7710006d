/// How a stream's cursor is carried over.
struct CursorPlan {
  let component: Component
  /// The name of the cursor's field in the schema.
  let field: String
  /// How bounds are written in requests; nil for integers.
  let format: TimeFormat?
  /// The start of the range, as a template.
  let start: FlowTemplate?
  /// The end of the range; nil for the present time.
  let end: FlowTemplate?
  /// Whether the flow gets a `cursor`; without one the whole range is requested each time.
  let isCarried: Bool
  /// The stream's schema; if the stream has none, a schema with only the field.
  let schema: SchemaDraft
  let stream: Component
}

extension StreamTranslator {
  /// Decides how the cursor of a stream is carried over, and gives the expressions for its bounds in the request.
  mutating func plan(cursor stream: Component) -> CursorPlan? {
    guard let cursor = stream.child("incremental_sync") else { return nil }
    guard cursor.type == "DatetimeBasedCursor" else {
      if cursor.type == "IncrementingCountCursor" { return countingPlan(cursor, stream) }
      loseUnknown(cursor, as: "incremental_sync")
      return nil
    }
    guard let field = constant(cursor["cursor_field"], of: cursor), let text = cursor["datetime_format"]?.text else {
      lose(.incremental, "incremental_sync", needs: "'cursor_field' and 'datetime_format'", at: cursor)
      return nil
    }
    guard let format = TimeFormat(text) else {
      lose(.incremental, "datetime_format: \(text)", needs: "a time format that strptime knows", at: cursor)
      return nil
    }
    let (startValue, endValue) = (bound("start_datetime", cursor), bound("end_datetime", cursor))
    let schema = draft.schema ?? SchemaDraft()
    let isDeclared = schema[field] != nil || !field.contains(".")
    let isCarried = isDeclared && !isFirstRun
    if isDeclared {
      declare(field, cursor, format, in: schema)
    } else {
      lose(.incremental, "incremental_sync of '\(field)'", needs: "a field at the top of the record", at: cursor)
    }
    let plan = CursorPlan(
      component: cursor, field: field, format: format, start: startValue.map { $0.template }, end: endValue?.template,
      isCarried: isCarried, schema: schema, stream: stream)
    let startName = cursor["partition_field_start"]?.scalar ?? "start_time"
    let endName = cursor["partition_field_end"]?.scalar ?? "end_time"
    if isCarried {
      let start =
        startValue == nil ? FlowExpression.lookUp("cursor.start") : FlowExpression("cursor.start", .any)
      names.intervals = [startName: start, endName: FlowExpression("cursor.end", .any)]
      // The state is the start of the range, unless there is a lookback or the range is requested in slices.
      let isWhole = cursor["step"] == nil || !usesBounds(of: cursor, stream)
      names.states = [field: cursor["lookback_window"] == nil && isWhole ? start : .lookUp("cursor.position")]
    } else {
      names.intervals[startName] = startValue.map { written($0, format) } ?? .lookUp("null")
      names.intervals[endName] =
        endValue.map { written($0, format) }
        ?? FlowExpression(
          "format(\(Self.whole("now()", format)), \(FlowExpression.literal(format.expression).text))", .string)
    }
    return plan
  }

  /// Whether the requests of the stream contain the bounds of a slice, and so differ from slice to slice.
  func usesBounds(of cursor: Component, _ stream: Component) -> Bool {
    cursor["start_time_option"] != nil || cursor["end_time_option"] != nil
      || ["stream_interval", "stream_slice", "stream_partition"].contains { stream.node.mentions($0) }
  }

  /// The plan for a cursor whose values are integers.
  private mutating func countingPlan(_ cursor: Component, _ stream: Component) -> CursorPlan? {
    guard let field = constant(cursor["cursor_field"], of: cursor), !field.isEmpty else {
      lose(.incremental, "incremental_sync", needs: "'cursor_field'", at: cursor)
      return nil
    }
    let schema = draft.schema ?? SchemaDraft()
    var known =
      schema[field] ?? SchemaDraft.Field(name: field, type: OutputMapping(), origin: OutputMapping.Origin(cursor))
    known.type = OutputMapping([("type", .scalar("integer"))])
    known.isOptional = known.isNullable && !schema.key.contains(field)
    schema.add(known)
    draft.cursorKind = .integer
    var start = FlowTemplate(expression: FlowExpression("0", .integer), canBeLeftOut: false)
    if let node = cursor["start_value"] {
      guard let template = template(node, of: cursor, as: "start_value") else { return nil }
      start = template
    }
    let bound = FlowExpression("cursor.start", .any)
    for name in ["start_value", "start_time"] { names.intervals[name] = bound }
    names.states = [field: bound]
    return CursorPlan(
      component: cursor, field: field, format: nil, start: start, end: nil, isCarried: true, schema: schema,
      stream: stream)
  }

  /// Adds a schema and a key to the flow if they are missing, because a cursor needs them.
  func complete(_ plan: CursorPlan) {
    let (schema, origin) = (plan.schema, OutputMapping.Origin(plan.component))
    if draft.schema == nil {
      key(plan.stream, schema)
      schema.addWholeRecord(from: origin)
      draft.schema = schema
      draft.keys.note("the stream has no schema: the field 'record' is the whole record")
    }
    guard schema.key.isEmpty else { return }
    schema.addDigest(from: origin)
    draft.keys.note("no primary key: a record that comes again unchanged is merged, a changed one is a new record")
  }
}
