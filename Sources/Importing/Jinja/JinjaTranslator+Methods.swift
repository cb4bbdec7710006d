/// Methods of values, such as `text.split(',')`.
extension JinjaTranslator {
  func method(
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
    case "strip", "lstrip", "rstrip":
      let function = ["strip": "trim", "lstrip": "trim_start", "rstrip": "trim_end"][method] ?? method
      let characters = values.first.map { $0.kind == .null ? "" : ", \($0.asText.text)" } ?? ""
      return FlowExpression("\(function)(\(text)\(characters))", .string, mayBeEmpty: true)
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
    case "date":
      var day = FlowExpression("date(\(try instant(value, nil).text))", .timestamp)
      day.isDay = true
      return day
    case "isoweekday": return FlowExpression("int(format(\(try instant(value, nil).text), '%u'))", .integer)
    case "weekday": return FlowExpression("int(format(\(try instant(value, nil).text), '%u')) - 1", .integer, .sum)
    case "zfill", "rjust", "ljust":
      guard let width = values.first else { throw JinjaError("'\(method)' without a length") }
      if method == "zfill" { return zeroFilled(text, width.operand(.sum)) }
      let fill = values.count > 1 ? try argument(1) : "' '"
      return FlowExpression("\(method == "ljust" ? "pad_end" : "pad_start")(\(text), \(width.text), \(fill))", .string)
    case "count":
      guard let part = values.first, part.text != "''" else { throw JinjaError("'count' without a text") }
      return FlowExpression("length(split(\(text), \(part.asText.text))) - 1", .integer, .sum)
    case "capitalize": return capitalized(value)
    case "keys", "values":
      return FlowExpression("\(method)(\(value.mayBeMissing ? "coalesce(\(value.text), {})" : value.text))", .list)
    default: throw JinjaError("the method '\(method)' cannot be translated")
    }
  }

  func filledList(_ value: FlowExpression) -> String {
    value.mayBeMissing ? "coalesce(\(value.text), [])" : value.text
  }
}
