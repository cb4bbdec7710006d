extension StreamTranslator {
  /// The text of a bound in requests, in this format.
  func written(_ bound: Bound, _ format: TimeFormat) -> FlowExpression {
    let form = FlowExpression.literal(format.expression).text
    guard let value = bound.expression else {
      return FlowExpression("format(timestamp(\(FlowExpression.literal(bound.template.text).text)), \(form))", .string)
    }
    let instant = value.kind == .timestamp ? value.text : "timestamp(\(value.text))"
    return FlowExpression("format(\(Self.whole(instant, format)), \(form))", .string)
  }

  /// The instant, with its fraction of a second removed if the format has only whole units.
  static func whole(_ instant: String, _ format: TimeFormat) -> String {
    format.name.hasPrefix("epoch_") && instant.contains("now()") ? "truncate(\(instant), 'second')" : instant
  }

  /// The start or the end of a cursor's range.
  struct Bound {
    let template: FlowTemplate
    let expression: FlowExpression?
  }

  /// The start or the end of the range; nil when it is absent or is the present time.
  func bound(_ name: String, _ cursor: Component) -> Bound? {
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
      lose(.expression, "\(name): \(text)", needs: "a translatable text: \(error.message)", at: value)
      return nil
    }
    if name == "end_datetime", isPresent(result, (cursor["datetime_format"]?.text).flatMap { TimeFormat($0) }) {
      return nil
    }
    if result.kind == .string || result.kind == .any {
      // A text in another format is parsed before it is used as a bound.
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
        lose(.expression, "\(limit): \(text)", needs: "a translatable text: \(error.message)", at: limitNode)
      }
    }
    // A bound is an instant even if it is a day.
    result.isDay = false
    return Bound(template: FlowTemplate(expression: result, canBeLeftOut: false), expression: result)
  }

  /// The instant of a bound that is a value with a default of another kind, such as a number or a formatted text; nil
  /// for other bounds.
  func withDefault(
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

  /// The value of a bound converted to an instant.
  func instant(_ value: FlowExpression, _ own: TimeFormat?) -> FlowExpression {
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

  /// Whether an end is the present time, with the precision that the format of requests can express.
  private func isPresent(_ end: FlowExpression, _ format: TimeFormat?) -> Bool {
    let writesDays = format?.isDay ?? false
    if end.text == "now()" { return true }
    if end.text == "today()" { return writesDays }
    for (name, isDay) in [("now()", false), ("today()", true)] {
      let prefix = "format(\(name), '"
      guard end.text.hasPrefix(prefix), end.text.hasSuffix("')") else { continue }
      let form = String(end.text.dropFirst(prefix.count).dropLast(2))
      guard !form.contains("'"), let written = TimeFormat(form) else { return false }
      // An end that is written as a month or an hour is not the present time.
      let isExact = written.isISO || form.hasPrefix("epoch_") || ["%S", "%s", "%T"].contains { form.contains($0) }
      return writesDays ? isExact || written.isDay && form.contains("%d") || form == "%Y-%m-%d" : isExact && !isDay
    }
    return false
  }

  /// Returns the instant of a bound `format(instant, …)`; other values are returned unchanged.
  func unformatted(_ value: FlowExpression) -> FlowExpression {
    guard value.text.hasPrefix("format("), value.text.hasSuffix("')"),
      let comma = value.text.ranges(of: ", '").last
    else { return value }
    let form = value.text[comma.upperBound...].dropLast(2)
    let isWhole = form.contains("%H") || form.hasPrefix("epoch_")
    guard isWhole || form.contains("%d"), !form.contains("'") else { return value }
    let inner = String(value.text[value.text.index(value.text.startIndex, offsetBy: 7)..<comma.lowerBound])
    return FlowExpression(isWhole ? inner : "date(\(inner))", .timestamp)
  }

  static func isISO(_ value: FlowExpression) -> Bool {
    let text = value.text.dropFirst().dropLast()
    return text.utf8.count >= 10 && text.utf8.dropFirst(4).first == UInt8(ascii: "-")
  }

  /// Declares the field of the cursor with a type that a cursor can use.
  func declare(_ name: String, _ cursor: Component, _ format: TimeFormat, in schema: SchemaDraft) {
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
        // A number can have only one unit: the first one is used.
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

  /// The formats in which records contain the field; if none are declared, the format of requests.
  func readFormats(_ cursor: Component, _ format: TimeFormat) -> [TimeFormat] {
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
}
