/// How a stream's cursor is carried over.
struct CursorPlan {
  let component: Component
  /// The field of the schema.
  let field: String
  /// How bounds are written in requests; nil for integers.
  let format: TimeFormat?
  /// The start, in the notation of templates.
  let start: FlowTemplate?
  /// The end; nil for now.
  let end: FlowTemplate?
  /// Whether the flow gets a `cursor`; without one the whole range is requested each time.
  let isCarried: Bool
  /// The stream's schema; one with the field alone where the stream has none.
  let schema: SchemaDraft
  let stream: Component
}

extension StreamTranslator {
  /// Decides how the cursor of a stream is carried over, and names its bounds for the request.
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
    let isCarried = schema[field] != nil || !field.contains(".")
    if isCarried {
      declare(field, cursor, format, in: schema)
    } else {
      lose(.incremental, "incremental_sync of '\(field)'", needs: "a field of the record itself", at: cursor)
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
      // What is remembered is where the range begins, unless a part of it is requested again or it is cut.
      let isWhole = cursor["step"] == nil || !usesBounds(of: cursor, stream)
      if cursor["lookback_window"] == nil, isWhole { names.states = [field: start] }
    } else {
      names.intervals[startName] = startValue.map { written($0, format) } ?? .lookUp("null")
      names.intervals[endName] =
        endValue.map { written($0, format) }
        ?? FlowExpression(
          "format(\(Self.whole("now()", format)), \(FlowExpression.literal(format.expression).text))", .string)
    }
    return plan
  }

  /// Whether a request of the stream differs from slice to slice.
  private func usesBounds(of cursor: Component, _ stream: Component) -> Bool {
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

  /// Gives the flow the schema and the key that a cursor needs.
  private func complete(_ plan: CursorPlan) {
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

  /// A bound as the request writes it.
  private func written(_ bound: Bound, _ format: TimeFormat) -> FlowExpression {
    let form = FlowExpression.literal(format.expression).text
    guard let value = bound.expression else {
      return FlowExpression("format(timestamp(\(FlowExpression.literal(bound.template.text).text)), \(form))", .string)
    }
    let instant = value.kind == .timestamp ? value.text : "timestamp(\(value.text))"
    return FlowExpression("format(\(Self.whole(instant, format)), \(form))", .string)
  }

  /// An instant that a format of whole seconds can express.
  private static func whole(_ instant: String, _ format: TimeFormat) -> String {
    format.name.hasPrefix("epoch_") && instant.contains("now()") ? "truncate(\(instant), 'second')" : instant
  }

  /// A start or an end.
  private struct Bound {
    let template: FlowTemplate
    let expression: FlowExpression?
  }

  /// The start or the end of the range; nil when it is absent or the present.
  private func bound(_ name: String, _ cursor: Component) -> Bound? {
    guard let node = cursor[name] else { return nil }
    let component = node.members == nil ? cursor : cursor.child(name, default: "MinMaxDatetime") ?? cursor
    guard let value = node.members == nil ? node : component["datetime"], let text = value.scalar else { return nil }
    if let only = (try? JinjaTemplate(text))?.only, let path = JinjaTranslator(names).chain(only),
      path.root == "config", path.fallback == nil
    {
      names.variables.require(path.keys)
    }
    let written = (node.members == nil ? nil : component["datetime_format"]?.text).flatMap {
      $0.isEmpty ? nil : TimeFormat($0)
    }
    let own = written ?? (cursor["datetime_format"]?.text).flatMap { TimeFormat($0) }
    var result: FlowExpression
    do throws(JinjaError) {
      if let whole = try withDefault(text, own, component) {
        result = whole
      } else {
        result = try TemplateTranslator(names.of(component)).expression(of: text)
      }
    } catch {
      lose(.expression, "\(name): \(text)", needs: "a counterpart: \(error.message)", at: value)
      return nil
    }
    if name == "end_datetime",
      result.text.hasPrefix("format(now()") || result.text == "now()" || result.text == "today()"
        || result.text.hasPrefix("format(today()")
    {
      return nil
    }
    if result.kind == .string || result.kind == .any {
      // A text in a format of its own is read before it is a bound.
      if let own, !own.isISO, own.name != "date", !result.isLiteral || !Self.isISO(result),
        !result.text.hasPrefix("format(")
      {
        if !(result.text.hasPrefix("vars.") && written == nil) {
          result = FlowExpression(
            "timestamp(\(result.asText.text), \(FlowExpression.literal(own.expression).text))", .timestamp)
        }
      }
      result = unformatted(result)
    }
    if result.kind == .integer, let own, own.name.hasPrefix("epoch") {
      result = FlowExpression("timestamp(\(result.text), '\(own.name)')", .timestamp)
    }
    for (limit, function) in [("min_datetime", "max"), ("max_datetime", "min")] where node.members != nil {
      guard let limitNode = component[limit], let text = limitNode.scalar, !text.isEmpty else { continue }
      do throws(JinjaError) {
        let other = unformatted(try TemplateTranslator(names.of(component)).expression(of: text))
        func instant(_ value: FlowExpression) -> String {
          value.kind == .timestamp ? value.text : "timestamp(\(value.asText.text))"
        }
        result = FlowExpression("\(function)(\(instant(result)), \(instant(other)))", .timestamp)
      } catch {
        lose(.expression, "\(limit): \(text)", needs: "a counterpart: \(error.message)", at: limitNode)
      }
    }
    return Bound(template: FlowTemplate(expression: result, canBeLeftOut: false), expression: result)
  }

  /// An instant with a default of another kind, such as a number or a text in a format; nil for other bounds.
  private func withDefault(
    _ text: String, _ own: TimeFormat?, _ component: Component
  ) throws(JinjaError) -> FlowExpression? {
    let translator = JinjaTranslator(names.of(component))
    let parts: (condition: JinjaExpression?, value: JinjaExpression, other: JinjaExpression)
    switch (try? JinjaTemplate(text))?.only {
    case .binary(let left, .or, let right)?: parts = (nil, left, right)
    case .conditional(let condition, let then, let otherwise?)?: parts = (condition, then, otherwise)
    default: return nil
    }
    let (value, other) = (try translator.translate(parts.value), try translator.translate(parts.other))
    guard value.kind != other.kind else { return nil }
    let (one, two) = (instant(value, own), instant(other, own))
    if let condition = parts.condition { return try translator.conditional(condition, one, two) }
    return value.kind == .timestamp
      ? FlowExpression("coalesce(\(one.text), \(two.text))", .timestamp)
      : try translator.conditional(parts.value, one, two)
  }

  /// A value of a bound as an instant.
  private func instant(_ value: FlowExpression, _ own: TimeFormat?) -> FlowExpression {
    let value = unformatted(value)
    if value.kind == .timestamp { return value }
    if value.kind == .integer, let own, own.name.hasPrefix("epoch") {
      return FlowExpression("timestamp(\(value.text), '\(own.name)')", .timestamp)
    }
    guard let own, !own.isISO, own.name != "date" else {
      return FlowExpression("timestamp(\(value.asText.text))", .timestamp)
    }
    return FlowExpression(
      "timestamp(\(value.asText.text), \(FlowExpression.literal(own.expression).text))", .timestamp)
  }

  /// `format(instant, …)` in a bound is the instant itself.
  private func unformatted(_ value: FlowExpression) -> FlowExpression {
    guard value.text.hasPrefix("format("), value.text.hasSuffix("')"),
      let comma = value.text.ranges(of: ", '").last
    else { return value }
    let form = value.text[comma.upperBound...].dropLast(2)
    let isWhole = form.contains("%H") || form.hasPrefix("epoch_")
    guard isWhole || form.contains("%d"), !form.contains("'") else { return value }
    let inner = String(value.text[value.text.index(value.text.startIndex, offsetBy: 7)..<comma.lowerBound])
    return FlowExpression(isWhole ? inner : "date(\(inner))", .timestamp)
  }

  private static func isISO(_ value: FlowExpression) -> Bool {
    let text = value.text.dropFirst().dropLast()
    return text.utf8.count >= 10 && text.utf8.dropFirst(4).first == UInt8(ascii: "-")
  }

  /// Declares the field of the cursor with a type that a cursor can use.
  private func declare(_ name: String, _ cursor: Component, _ format: TimeFormat, in schema: SchemaDraft) {
    var field =
      schema[name] ?? SchemaDraft.Field(name: name, type: OutputMapping(), origin: OutputMapping.Origin(cursor))
    // Records without the field are kept where the schema says that it may be null.
    field.isOptional = field.isNullable && !schema.key.contains(name)
    let declared = field.type["type"]?.scalar
    let read = readFormats(cursor, format)
    var type = OutputMapping()
    if read.allSatisfy({ $0.name == "date" }), declared != "timestamp" {
      type["type"] = .scalar("date")
    } else if declared == "date", read.allSatisfy({ $0.isISO || $0.name == "date" }) {
      type = field.type
    } else {
      type["type"] = .scalar("timestamp")
      var names: [String] = declared == "timestamp" ? ["iso8601"] : []
      for format in read {
        let name = format.isISO ? "iso8601" : format.expression
        // A number has one meaning: the first unit counts.
        let isSecondUnit = name.hasPrefix("epoch_") && names.contains { $0.hasPrefix("epoch_") }
        if !names.contains(name), !isSecondUnit { names.append(name) }
      }
      if names.count > 1 {
        type["format"] = .list(names.map { .text($0) })
      } else if names[0] != "iso8601" {
        type["format"] = .text(names[0])
      }
    }
    if field.value != nil, declared == nil { type = OutputMapping([("type", .scalar("timestamp"))]) }
    field.type = type
    schema.add(field)
    draft.cursorKind = type["type"]?.scalar == "date" ? .string : .timestamp
  }

  /// The formats in which records have the field; the one of requests where no others are declared.
  private func readFormats(_ cursor: Component, _ format: TimeFormat) -> [TimeFormat] {
    var formats: [TimeFormat] = []
    for text in cursor["cursor_datetime_formats"]?.texts ?? [] {
      guard let format = TimeFormat(text) else {
        lose(.incremental, "cursor_datetime_formats: \(text)", needs: "a time format that strptime knows", at: cursor)
        continue
      }
      formats.append(format)
    }
    return formats.isEmpty ? [format] : formats
  }

  /// Puts the bounds of the range into the request, and writes the `cursor`.
  func finish(cursor plan: CursorPlan) {
    let cursor = plan.component
    let (startOption, endOption) = (
      cursor.child("start_time_option", default: "RequestOption")
        ?? cursor.child("start_value_option", default: "RequestOption"),
      cursor.child("end_time_option", default: "RequestOption")
    )
    let startName = cursor["partition_field_start"]?.scalar ?? "start_time"
    let endName = cursor["partition_field_end"]?.scalar ?? "end_time"
    guard plan.isCarried else {
      for (option, name) in [(startOption, startName), (endOption, endName)] {
        guard let option, let target = target(option), let value = names.intervals[name], value.text != "null" else {
          continue
        }
        inject(value, into: target, at: option)
      }
      return
    }
    var result = OutputMapping([("field", .text(plan.field))])
    if let start = plan.start { result["start"] = start.node }
    if let end = plan.end { result["end"] = end.node }
    if let option = startOption, let target = target(option) {
      if case .query(let name) = target {
        result["query"] = .text(name)
        draft.query[name] = nil
      } else {
        inject(FlowExpression("cursor.start", .any, mayBeMissing: plan.start == nil), into: target, at: option)
      }
    }
    var hasEnd = plan.end != nil
    if let option = endOption, let target = target(option) {
      if case .query(let name) = target, result["query"] != nil {
        result["end_query"] = .text(name)
        draft.query[name] = nil
        hasEnd = true
      } else {
        inject(FlowExpression("cursor.end", .any), into: target, at: option)
      }
    }
    if cursor["is_client_side_incremental"]?.bool ?? false { result["filter"] = .scalar("true") }
    if cursor["is_data_feed"]?.bool ?? false {
      // Without pages there is nothing to end early.
      let hasPages = draft.keys["pages"] != nil
      result["filter"] = hasPages ? nil : .scalar("true")
      result["order"] = hasPages ? .scalar("descending") : nil
    }
    // A condition on records may be all that uses the range.
    let isUsed = result["query"] != nil || draft.uses("cursor.")
    if !isUsed, OutputNode.mapping(draft.keys).mentions("cursor."), result["order"] == nil {
      result["filter"] = .scalar("true")
    }
    guard
      result["filter"] != nil || result["order"] != nil || result["query"] != nil || draft.uses("cursor.start")
        || draft.uses("cursor.end")
    else {
      skip(
        "incremental_sync of '\(plan.field)'",
        reason: "no request uses its start, so all records are requested each time, here as there", at: cursor.node)
      return
    }
    complete(plan)
    if let format = plan.format, format.name != "iso8601" { result["format"] = .text(format.name) }
    slice(cursor, plan, &result, hasEnd: &hasEnd)
    if draft.uses("cursor.end"), !hasEnd { result["end"] = .scalar("now") }
    lookback(cursor, plan, &result)
    if cursor["cursor_granularity"] != nil, result["end_query"] != nil || draft.uses("cursor.end") {
      result["bounds"] = .scalar("\"[]\"")
    }
    if let clamping = cursor["clamping"], clamping.members != nil {
      let period = constant(clamping["target"], of: cursor)?.lowercased() ?? ""
      let isMonday = clamping["target_details"]?["weekday"]?.text.map { $0.uppercased() == "MONDAY" } ?? true
      if ["day", "week", "month"].contains(period), isMonday, result["slice"] != nil {
        result["slice"] = .scalar(period)
      } else {
        lose(.incremental, "clamping to \(period)", needs: "ranges that begin with this period", at: clamping)
      }
    }
    if draft.schema?[plan.field]?.isOptional ?? false { result["missing"] = .scalar("keep") }
    result.order([
      "field", "start", "end", "query", "end_query", "format", "lookback", "slice", "bounds", "filter", "order",
      "missing",
    ])
    draft.keys.set("cursor", .mapping(result), from: OutputMapping.Origin(cursor))
    draft.outputMode = "merge"
  }

  private func slice(_ cursor: Component, _ plan: CursorPlan, _ result: inout OutputMapping, hasEnd: inout Bool) {
    guard let node = cursor["step"], let text = node.text, result["order"] == nil else { return }
    guard plan.start != nil else { return }
    guard usesBounds(of: cursor, plan.stream) else {
      return skip("step: \(text)", reason: "no request uses the bounds of a slice, so one is enough", at: node)
    }
    guard let duration = ISODuration(constant(node, of: cursor) ?? "") else {
      if let template = length(node, cursor, "step") {
        result["slice"] = template
        hasEnd = true
      }
      return
    }
    let isDate = draft.schema?[plan.field]?.type["type"]?.scalar == "date"
    if duration.months > 0 {
      guard duration.seconds == 0 else {
        return lose(.incremental, "step: \(text)", needs: "a length of months or of days", at: node)
      }
      result["slice"] = .scalar("P\(duration.months)M")
    } else if isDate {
      result["slice"] = .scalar("\(max(1, duration.seconds / 86_400))d")
    } else {
      result["slice"] = .scalar(duration.text)
    }
    hasEnd = true
  }

  /// A length of which variables are a part; nil after a loss was noted.
  private func length(_ node: SourceNode, _ cursor: Component, _ field: String) -> OutputNode? {
    guard let template = template(node, of: cursor, as: field) else { return nil }
    guard template.text.hasPrefix("P") || template.only != nil, !template.usesSecret else {
      lose(.incremental, "\(field): \(template.text)", needs: "a duration of ISO 8601, such as P30D", at: node)
      return nil
    }
    return template.node
  }

  private func lookback(_ cursor: Component, _ plan: CursorPlan, _ result: inout OutputMapping) {
    guard let node = cursor["lookback_window"], node.text != nil else { return }
    guard let duration = ISODuration(constant(node, of: cursor) ?? "") else {
      result["lookback"] = length(node, cursor, "lookback_window")
      return
    }
    if duration.months > 0, duration.seconds == 0 {
      result["lookback"] = .scalar("P\(duration.months)M")
      return
    }
    let isDate = draft.schema?[plan.field]?.type["type"]?.scalar == "date"
    let seconds = duration.seconds + duration.months * 31 * 86_400
    guard seconds > 0 else { return }
    // The known range grows, never shrinks.
    result["lookback"] = .scalar(
      isDate ? "\((seconds + 86_399) / 86_400)d" : ISODuration("PT\(seconds)S")?.text ?? "\(seconds)s")
  }
}
