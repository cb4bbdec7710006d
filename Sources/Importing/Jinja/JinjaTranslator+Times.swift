/// Instants and durations.
extension JinjaTranslator {
  /// Converts an expression to an instant. If its value may be a text or an instant, each case is converted separately.
  func instant(
    of expression: JinjaExpression, _ form: JinjaExpression?
  ) throws(JinjaError) -> FlowExpression {
    let parts: (condition: JinjaExpression, value: JinjaExpression, other: JinjaExpression)
    switch expression {
    case .conditional(let condition, let then, let otherwise?): parts = (condition, then, otherwise)
    case .binary(let left, .or, let right): parts = (left, left, right)
    default: return try instant(try translate(expression), form)
    }
    let (value, other) = (try translate(parts.value), try translate(parts.other))
    guard !isObject(parts.condition), value.kind == .timestamp || other.kind == .timestamp, value.kind != other.kind
    else { return try instant(try translate(expression), form) }
    return try conditional(
      parts.condition, try instant(of: parts.value, form), try instant(of: parts.other, form))
  }

  /// Converts a value, such as a text or a number of seconds, to an instant.
  func instant(_ value: FlowExpression, _ form: JinjaExpression?) throws(JinjaError) -> FlowExpression {
    if value.kind == .timestamp { return value }
    if let form, form != .none {
      return FlowExpression("timestamp(\(value.asText.text), \(try Self.format(form)))", .timestamp)
    }
    switch value.kind {
    case .integer, .number: return FlowExpression("timestamp(\(value.text), 'epoch_s')", .timestamp)
    default:
      let text = value.mayBeMissing ? "coalesce(\(value.text), '')" : value.text
      // In Airbyte, times without a zone are in UTC; variables always have a zone.
      return FlowExpression("timestamp(\(text)\(value.kind == .any ? ", 'iso8601_utc'" : ""))", .timestamp)
    }
  }

  /// The expression for the whole seconds of an instant since 1970.
  func whole(_ value: FlowExpression) -> FlowExpression {
    FlowExpression(
      value.text.contains("now()") ? "int(truncate(\(value.text), 'second'))" : "int(\(value.text))", .integer)
  }

  func formatted(_ value: FlowExpression, _ form: JinjaExpression) throws(JinjaError) -> FlowExpression {
    let format = try Self.format(form)
    // The present has a fraction, which whole seconds cannot express.
    let hasFraction = value.text.contains("now()") && format.hasPrefix("'epoch_")
    return FlowExpression(
      "format(\(hasFraction ? "truncate(\(value.text), 'second')" : value.text), \(format))", .string)
  }

  static func format(_ form: JinjaExpression) throws(JinjaError) -> String {
    guard case .text(let text) = form else { throw JinjaError("a computed format cannot be translated") }
    guard let format = TimeFormat(text) else { throw JinjaError("the time format '\(text)' cannot be translated") }
    return FlowExpression.literal(format.expression).text
  }

  func duration(_ arguments: [JinjaArgument]) throws(JinjaError) -> FlowExpression {
    guard let value = arguments.first?.value else { throw JinjaError("'duration' without a text") }
    guard case .text(let text) = value else {
      return FlowExpression("duration(\(try translate(value).asText.text))", .duration)
    }
    guard let duration = ISODuration(text) else { throw JinjaError("'\(text)' is not a duration") }
    if duration.months == 0 { return FlowExpression("duration(\(FlowExpression.literal(text).text))", .duration) }
    guard duration.seconds == 0 else { throw JinjaError("a duration of months and days cannot be translated") }
    // Replaced where it is added to an instant.
    return FlowExpression("months(\(duration.months))", .duration)
  }

  /// The expression for the seconds of a difference of two instants, with their fraction.
  func seconds(of expression: JinjaExpression) throws(JinjaError) -> FlowExpression {
    let value = try translate(expression)
    guard value.kind == .duration else {
      throw JinjaError("the method 'total_seconds' can be translated only for a difference of two times")
    }
    return FlowExpression("float(\(value.text))", .number)
  }

  /// Translates `replace(day=1)`, which moves an instant to another day of its month; nil for other calls of `replace`.
  func replacedDay(
    of expression: JinjaExpression, _ arguments: [JinjaArgument]
  ) throws(JinjaError) -> FlowExpression? {
    guard arguments.count == 1, arguments[0].name == "day", case .integer(let digits) = arguments[0].value else {
      return nil
    }
    let value = try instant(of: expression, nil)
    var result = FlowExpression(
      "add(\(value.text), \(digits) - int(format(\(value.text), '%d')), 'day')", .timestamp)
    result.isDay = value.isDay
    return result
  }

  /// The expression for a named part of an instant or of a duration, such as `year` or `days`; nil for other values and
  /// names.
  func part(_ name: String, of value: FlowExpression) -> FlowExpression? {
    switch value.kind {
    case .duration where name == "days":
      // In a negative duration, a part of a day counts as a whole day, as in Python.
      return FlowExpression("floor(float(\(value.text)) / 86400)", .integer)
    case .timestamp:
      let forms = ["year": "%Y", "month": "%m", "day": "%d", "hour": "%H", "minute": "%M", "second": "%S"]
      return forms[name].map { FlowExpression("int(format(\(value.text), '\($0)'))", .integer) }
    default: return nil
    }
  }
}
