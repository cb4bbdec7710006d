extension JinjaTranslator {
  /// The arguments in the order of the given parameter names; nil for a missing one.
  func positional(_ arguments: [JinjaArgument], _ order: [String]) -> [JinjaExpression?] {
    var result: [JinjaExpression?] = Array(repeating: nil, count: order.count)
    var next = 0
    for argument in arguments {
      if let name = argument.name {
        if let index = order.firstIndex(of: name) { result[index] = argument.value }
      } else {
        if next < result.count { result[next] = argument.value } else { result.append(argument.value) }
        next += 1
      }
    }
    return result
  }

  func call(_ function: JinjaExpression, _ arguments: [JinjaArgument]) throws(JinjaError) -> FlowExpression {
    switch function {
    case .name(let name): return try macro(name, arguments)
    case .member(let base, .text(let method)):
      if method == "get" { return try get(base, arguments) }
      if method == "total_seconds" { return try seconds(of: base) }
      if method == "format", let text = constantText(base) {
        guard arguments.allSatisfy({ $0.name == nil }) else {
          throw JinjaError("'format' with named values cannot be translated")
        }
        return try formatted(braces: text, arguments.map(\.value))
      }
      if method == "replace", let day = try replacedDay(of: base, arguments) { return day }
      let isOfInstants = ["strftime", "isoformat", "timestamp", "date", "weekday", "isoweekday"].contains(method)
      return try self.method(isOfInstants ? try instant(of: base, nil) : try translate(base), method, arguments)
    default: throw JinjaError("a call of something other than a function cannot be translated")
    }
  }

  private func get(_ base: JinjaExpression, _ arguments: [JinjaArgument]) throws(JinjaError) -> FlowExpression {
    guard let key = arguments.first?.value else { throw JinjaError("'get' without a name") }
    let fallback = arguments.count > 1 ? arguments[1].value : nil
    if case .name(let root) = base, ["parameters", "options"].contains(root), case .text(let name) = key,
      names.parameters[name] == nil, fallback == nil
    {
      return .literal("")
    }
    let whole = JinjaExpression.call(.member(base, .text("get")), arguments)
    if let path = chain(whole), let value = try chained(path) { return value }
    let value = try translate(.member(base, key))
    guard let fallback, fallback != .none else { return value }
    if case .mapping(let pairs) = fallback, pairs.isEmpty { return value }
    return value.filled(with: try translate(fallback))
  }

  // MARK: - Functions

  private func macro(_ name: String, _ arguments: [JinjaArgument]) throws(JinjaError) -> FlowExpression {
    switch name {
    case "now_utc", "now_local": return FlowExpression("now()", .timestamp)
    case "today_utc":
      var today = FlowExpression("today()", .timestamp)
      today.isDay = true
      return today
    case "day_delta":
      let values = positional(arguments, ["num_days", "format"])
      guard let days = values[0] else { throw JinjaError("'day_delta' without a number of days") }
      let instant = "add(now(), \(try translate(days).text), 'day')"
      guard let form = values[1] else {
        return FlowExpression("format(\(instant), '%Y-%m-%dT%H:%M:%S.%f%z')", .string)
      }
      return try formatted(FlowExpression(instant, .timestamp), form)
    case "format_datetime":
      let values = positional(arguments, ["dt", "format", "input_format"])
      guard let value = values[0], let form = values[1] else { throw JinjaError("'format_datetime' without a format") }
      return try formatted(try instant(of: value, values[2]), form)
    case "str_to_datetime":
      guard let value = arguments.first?.value else { throw JinjaError("'str_to_datetime' without a text") }
      return try instant(of: value, nil)
    case "timestamp":
      guard let value = arguments.first?.value else { throw JinjaError("'timestamp' without a value") }
      return whole(try instant(of: value, nil))
    case "duration": return try duration(arguments)
    case "max", "min":
      var values: [String] = []
      var kind: FlowExpression.Kind?
      let operands = try arguments.map { argument throws(JinjaError) in try translate(argument.value) }
      let hasInstant = operands.contains { $0.kind == .timestamp }
      for operand in operands {
        let value = hasInstant && operand.kind != .timestamp ? try instant(operand, nil) : operand
        kind = kind == nil || kind == value.kind ? value.kind : .any
        values.append(value.mayBeMissing ? "coalesce(\(value.text), 0)" : value.text)
      }
      guard !values.isEmpty else { throw JinjaError("'\(name)' without values") }
      let isList = values.count == 1
      return FlowExpression("\(name)(\(values.joined(separator: ", ")))", isList ? .any : kind ?? .any)
    case "sanitize_url":
      guard let value = arguments.first?.value else { throw JinjaError("'sanitize_url' without a text") }
      return FlowExpression("url_encode(\(try translate(value).asText.text))", .string)
    case "range", "generate_uuid", "today_with_timezone", "camel_case_to_snake_case":
      throw JinjaError("the function '\(name)' cannot be translated")
    default: throw JinjaError("the function '\(name)' is unknown")
    }
  }
}
