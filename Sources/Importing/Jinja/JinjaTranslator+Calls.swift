extension JinjaTranslator {
  /// The arguments by position, with keywords at the positions of their names.
  private func positional(_ arguments: [JinjaArgument], _ order: [String]) -> [JinjaExpression?] {
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
      let isOfInstants = ["strftime", "isoformat", "timestamp", "date"].contains(method)
      return try self.method(isOfInstants ? try instant(of: base, nil) : try translate(base), method, arguments)
    default: throw JinjaError("a call of something other than a function has no counterpart")
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
    case "today_utc": return FlowExpression("today()", .timestamp)
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
      throw JinjaError("the function '\(name)' has no counterpart")
    default: throw JinjaError("the function '\(name)' is not known")
    }
  }

  /// The instant that an expression names. Where it is a text or else an instant, each of the two is read on its own.
  private func instant(
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

  /// The instant that a value names.
  private func instant(_ value: FlowExpression, _ form: JinjaExpression?) throws(JinjaError) -> FlowExpression {
    if value.kind == .timestamp { return value }
    if let form, form != .none {
      return FlowExpression("timestamp(\(value.asText.text), \(try Self.format(form)))", .timestamp)
    }
    switch value.kind {
    case .integer, .number: return FlowExpression("timestamp(\(value.text), 'epoch_s')", .timestamp)
    default:
      let text = value.mayBeMissing ? "coalesce(\(value.text), '')" : value.text
      return FlowExpression("timestamp(\(text))", .timestamp)
    }
  }

  /// The whole seconds of an instant.
  private func whole(_ value: FlowExpression) -> FlowExpression {
    FlowExpression(
      value.text.contains("now()") ? "int(truncate(\(value.text), 'second'))" : "int(\(value.text))", .integer)
  }

  private func formatted(_ value: FlowExpression, _ form: JinjaExpression) throws(JinjaError) -> FlowExpression {
    let format = try Self.format(form)
    // The present has a fraction, which whole seconds cannot express.
    let hasFraction = value.text.contains("now()") && format.hasPrefix("'epoch_")
    return FlowExpression(
      "format(\(hasFraction ? "truncate(\(value.text), 'second')" : value.text), \(format))", .string)
  }

  private static func format(_ form: JinjaExpression) throws(JinjaError) -> String {
    guard case .text(let text) = form else { throw JinjaError("a format that is computed has no counterpart") }
    guard let format = TimeFormat(text) else { throw JinjaError("the time format '\(text)' has no counterpart") }
    return FlowExpression.literal(format.expression).text
  }

  private func duration(_ arguments: [JinjaArgument]) throws(JinjaError) -> FlowExpression {
    guard let value = arguments.first?.value else { throw JinjaError("'duration' without a text") }
    guard case .text(let text) = value else {
      return FlowExpression("duration(\(try translate(value).asText.text))", .duration)
    }
    guard let duration = ISODuration(text) else { throw JinjaError("'\(text)' is no duration") }
    if duration.months == 0 { return FlowExpression("duration(\(FlowExpression.literal(text).text))", .duration) }
    guard duration.seconds == 0 else { throw JinjaError("a duration of months and days has no counterpart") }
    // Replaced where it is added to an instant.
    return FlowExpression("months(\(duration.months))", .duration)
  }

  // MARK: - Methods

  private func method(
    _ value: FlowExpression, _ method: String, _ arguments: [JinjaArgument]
  ) throws(JinjaError) -> FlowExpression {
    var values: [FlowExpression] = []
    for argument in arguments where argument.name == nil { values.append(try translate(argument.value)) }
    func argument(_ index: Int) throws(JinjaError) -> String {
      guard values.indices.contains(index) else { throw JinjaError("'\(method)' without an argument") }
      return values[index].asText.text
    }
    let text = value.asText.text
    switch method {
    case "strip" where values.isEmpty: return FlowExpression("trim(\(text))", .string, mayBeEmpty: true)
    case "lower", "upper": return FlowExpression("\(method)(\(text))", .string, mayBeEmpty: value.mayBeEmpty)
    case "split": return FlowExpression("split(\(text), \(values.isEmpty ? "' '" : try argument(0)))", .list)
    case "replace":
      return FlowExpression("replace(\(text), \(try argument(0)), \(try argument(1)))", .string, mayBeEmpty: true)
    case "startswith": return FlowExpression("starts_with(\(text), \(try argument(0)))", .bool)
    case "endswith": return FlowExpression("ends_with(\(text), \(try argument(0)))", .bool)
    case "join":
      guard let list = values.first else { throw JinjaError("'join' without a list") }
      return FlowExpression("join(\(filledList(list)), \(text))", .string, mayBeEmpty: true)
    case "strftime":
      guard let form = arguments.first?.value else { throw JinjaError("'strftime' without a format") }
      return try formatted(try instant(value, nil), form)
    case "isoformat": return FlowExpression("format(\(try instant(value, nil).text), 'iso8601')", .string)
    case "timestamp": return whole(try instant(value, nil))
    case "date": return FlowExpression("date(\(try instant(value, nil).text))", .timestamp)
    case "keys", "values":
      return FlowExpression("\(method)(\(value.mayBeMissing ? "coalesce(\(value.text), {})" : value.text))", .list)
    default: throw JinjaError("the method '\(method)' has no counterpart")
    }
  }

  private func filledList(_ value: FlowExpression) -> String {
    value.mayBeMissing ? "coalesce(\(value.text), [])" : value.text
  }

  // MARK: - Filters

  func filter(
    _ base: JinjaExpression, _ name: String, _ arguments: [JinjaArgument]
  ) throws(JinjaError) -> FlowExpression {
    let value = try translate(base)
    func argument(_ index: Int) throws(JinjaError) -> FlowExpression {
      guard arguments.indices.contains(index) else { throw JinjaError("the filter '\(name)' lacks an argument") }
      return try translate(arguments[index].value)
    }
    switch name {
    case "default", "d":
      guard !arguments.isEmpty else { return value.filled(with: .literal("")) }
      let isTruth = arguments.count > 1 && arguments[1].value != .bool(false)
      if isTruth, !value.mayBeMissing || value.kind == .any {
        let filled = value.mayBeMissing ? value.filled(with: .literal("")) : value
        return FlowExpression(
          "\(value.truth.operand(.or)) ? \(filled.operand(.or)) : \(try argument(0).text)", .any, .choice)
      }
      return value.filled(with: try argument(0))
    case "string": return value.asText
    case "int":
      if value.kind == .integer { return value }
      let fallback = arguments.isEmpty ? value.kind == .string ? "'0'" : "0" : try argument(0).text
      return FlowExpression(
        value.mayBeMissing ? "int(coalesce(\(value.text), \(fallback)))" : "int(\(value.text))", .integer)
    case "float":
      return FlowExpression(value.mayBeMissing ? "float(coalesce(\(value.text), 0))" : "float(\(value.text))", .number)
    case "bool": return value.truth
    case "lower", "upper": return FlowExpression("\(name)(\(value.asText.text))", .string, mayBeEmpty: value.mayBeEmpty)
    case "trim", "strip": return FlowExpression("trim(\(value.asText.text))", .string, mayBeEmpty: true)
    case "replace":
      return FlowExpression(
        "replace(\(value.asText.text), \(try argument(0).asText.text), \(try argument(1).asText.text))", .string,
        mayBeEmpty: true)
    case "join":
      let separator = arguments.isEmpty ? "" : ", \(try argument(0).asText.text)"
      return FlowExpression("join(\(filledList(value))\(separator))", .string, mayBeEmpty: true)
    case "split":
      return FlowExpression(
        "split(\(value.asText.text), \(arguments.isEmpty ? "' '" : try argument(0).asText.text))", .list)
    case "length", "count":
      let subject = value.kind == .string ? value.asText.text : filledList(value)
      return FlowExpression("length(\(subject))", .integer)
    case "first", "last":
      return .lookUp("\(name)(\(filledList(value)))")
    case "min", "max", "sum": return FlowExpression("\(name)(\(filledList(value)))", .any)
    case "tojson", "to_json": return FlowExpression("to_json(\(value.text))", .string)
    case "fromjson": return FlowExpression("json(\(value.asText.text))", .any)
    case "urlencode": return FlowExpression("url_encode(\(value.asText.text))", .string, mayBeEmpty: true)
    case "round" where arguments.isEmpty: return FlowExpression("round(\(value.text))", .integer)
    case "base64encode": return FlowExpression("base64_encode(\(value.asText.text))", .string)
    case "base64decode", "base64binascii_decode": return FlowExpression("base64_decode(\(value.asText.text))", .string)
    case "list", "safe": return value
    case "regex_search":
      return .lookUp("extract(\(value.asText.text), \(try pattern(arguments.first?.value)))")
    case "hash":
      let values = positional(arguments, ["hash_type", "salt"])
      let digest = try Self.digest(values[0], default: "md5", of: name)
      guard let salt = values[1], salt != .none else {
        return FlowExpression("\(digest)(\(value.asText.text))", .string)
      }
      let salted = "\(value.asText.operand(.sum)) + \(try translate(salt).asText.operand(.product))"
      return FlowExpression("\(digest)(\(salted))", .string)
    case "hmac":
      let values = positional(arguments, ["key", "hash_type"])
      guard let key = values[0] else { throw JinjaError("'hmac' without a key") }
      let digest = try Self.digest(values[1], default: "sha256", of: name)
      return FlowExpression(
        "hmac_\(digest)(\(value.asText.text), \(try translate(key).asText.text))", .string)
    case "map":
      guard arguments.count == 1, arguments[0].name == "attribute", case .text(let member) = arguments[0].value else {
        throw JinjaError("the filter 'map' has a counterpart only with 'attribute'")
      }
      return FlowExpression(
        "\(filledList(value)).map(x, \(FlowExpression("x", .any).member(member).text))", .list)
    case "selectattr", "rejectattr": return try selected(value, name, arguments)
    case "unique", "sort", "reverse", "title", "capitalize", "abs", "batch", "items":
      throw JinjaError("the filter '\(name)' has no counterpart")
    default: throw JinjaError("the filter '\(name)' is not known")
    }
  }

  /// The pattern of `regex_search`, in the notation of I-Regexp.
  private func pattern(_ expression: JinjaExpression?) throws(JinjaError) -> String {
    guard let expression else { throw JinjaError("the filter 'regex_search' lacks a pattern") }
    guard case .text(let text) = expression else { return try translate(expression).text }
    return FlowExpression.literal(text.replacing("\\d", with: "[0-9]")).text
  }

  private func selected(
    _ value: FlowExpression, _ name: String, _ arguments: [JinjaArgument]
  ) throws(JinjaError) -> FlowExpression {
    guard case .text(let member)? = arguments.first?.value else { throw JinjaError("'\(name)' without an attribute") }
    let found = FlowExpression("x", .any).member(member)
    var condition = found.truth
    if arguments.count == 3 {
      guard case .text(let test) = arguments[1].value else { throw JinjaError("'\(name)' without a test") }
      let operand = try translate(arguments[2].value)
      switch test {
      case "equalto", "eq", "==":
        condition = FlowExpression(
          "coalesce(\(found.text), \(operand.fallback)) == \(operand.text)", .bool, .relation)
      case "in": condition = try contains(found, in: operand)
      default: throw JinjaError("the test '\(test)' has no counterpart")
      }
    } else if arguments.count == 2 {
      throw JinjaError("the test of '\(name)' has no counterpart")
    }
    if name == "rejectattr" { condition = negated(condition) }
    return FlowExpression("\(filledList(value)).filter(x, \(condition.text))", .list)
  }

  /// The function of a digest.
  private static func digest(
    _ expression: JinjaExpression?, default name: String, of filter: String
  ) throws(JinjaError) -> String {
    guard let expression else { return name }
    guard case .text(let text) = expression, ["md5", "sha1", "sha256", "sha512"].contains(text) else {
      throw JinjaError("the digest of '\(filter)' has no counterpart")
    }
    return text
  }
}
