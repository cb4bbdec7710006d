/// Filters of values, such as `text | upper`.
extension JinjaTranslator {
  func filter(
    _ base: JinjaExpression, _ name: String, _ arguments: [JinjaArgument]
  ) throws(JinjaError) -> FlowExpression {
    var value = try translate(base)
    // A value whose members are used is not a text.
    if arguments.contains(where: { $0.name == "attribute" }), let list = names.variables.list(value) { value = list }
    func argument(_ index: Int) throws(JinjaError) -> FlowExpression {
      guard arguments.indices.contains(index) else { throw JinjaError("the filter '\(name)' needs an argument") }
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
      // The fraction of a computed number is cut off.
      let function = value.kind == .number || value.kind == .any && value.level == .product ? "truncate" : "int"
      return FlowExpression(
        value.mayBeMissing ? "\(function)(coalesce(\(value.text), \(fallback)))" : "\(function)(\(value.text))",
        .integer)
    case "float":
      return FlowExpression(value.mayBeMissing ? "float(coalesce(\(value.text), 0))" : "float(\(value.text))", .number)
    case "bool": return value.truth
    case "lower", "upper": return FlowExpression("\(name)(\(value.asText.text))", .string, mayBeEmpty: value.mayBeEmpty)
    case "trim", "strip":
      let characters = arguments.isEmpty ? "" : ", \(try argument(0).asText.text)"
      return FlowExpression("trim(\(value.asText.text)\(characters))", .string, mayBeEmpty: true)
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
    case "min", "max", "sum":
      let list = arguments.first?.name == "attribute" || name == "sum" && !arguments.isEmpty
      guard list else { return FlowExpression("\(name)(\(filledList(value)))", .any) }
      let attribute = JinjaArgument(name: "attribute", value: arguments[0].value)
      return FlowExpression("\(name)(\(try mapped(value, [attribute]).text))", .any)
    case "tojson", "to_json": return FlowExpression("to_json(\(value.text))", .string)
    case "fromjson": return FlowExpression("json(\(value.asText.text))", .any)
    case "urlencode": return FlowExpression("url_encode(\(value.asText.text))", .string, mayBeEmpty: true)
    case "round": return try rounded(value, arguments)
    case "base64encode": return FlowExpression("base64_encode(\(value.asText.text))", .string)
    case "base64decode", "base64binascii_decode": return FlowExpression("base64_decode(\(value.asText.text))", .string)
    case "list", "safe": return value
    case "regex_search":
      guard let expression = arguments.first?.value else {
        throw JinjaError("the filter 'regex_search' needs a pattern")
      }
      var pattern = try translate(expression).text
      if case .text(let text) = expression {
        // The filter returns the text of a group, and nothing for a pattern without groups.
        guard PatternText.hasGroup(text) else { return .literal("") }
        guard let known = PatternText.search(text) else {
          throw JinjaError("the pattern '\(text)' cannot be translated")
        }
        pattern = FlowExpression.literal(known).text
      }
      return FlowExpression(
        "extract(\(value.asText.text), \(pattern))", .string, mayBeMissing: true, isLookUp: true, mayBeEmpty: true)
    case "regex_replace":
      guard arguments.count == 2, case .text(let text) = arguments[0].value, case .text(let new) = arguments[1].value,
        !new.contains("\\"), let pattern = PatternText.anywhere(text)
      else {
        throw JinjaError("the filter 'regex_replace' can be translated only with a constant pattern and text")
      }
      return FlowExpression(
        "replace_matches(\(value.asText.text), \(FlowExpression.literal(pattern).text), \(FlowExpression.literal(new).text))",
        .string, mayBeEmpty: true)
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
    case "map": return try mapped(value, arguments)
    case "select", "reject":
      return try selected(value, [], name == "reject", arguments)
    case "format":
      guard let text = constantText(base) else { throw JinjaError("a computed format cannot be translated") }
      return try formatted(percent: text, arguments.map(\.value))
    case "abs":
      let value = try number(value)
      return FlowExpression("max(\(value.text), -\(value.operand(.value)))", value.kind)
    case "capitalize": return capitalized(value)
    case "e", "escape", "forceescape": return escaped(value)
    case "selectattr", "rejectattr":
      guard case .text(let path)? = arguments.first?.value else { throw JinjaError("'\(name)' without an attribute") }
      return try selected(
        value, path.split(separator: ".").map(String.init), name == "rejectattr", Array(arguments.dropFirst()))
    case "sort": return try sorted(value, arguments)
    case "unique":
      let values = positional(arguments, ["case_sensitive", "attribute"])
      return FlowExpression(
        "\(filledList(value)).unique(x, \(try key(of: value, keepsCase: values[0], values[1])))", .list)
    case "reverse" where value.kind != .string: return FlowExpression("reverse(\(filledList(value)))", .list)
    case "title": return FlowExpression("title(\(value.asText.text))", .string, mayBeEmpty: value.mayBeEmpty)
    case "truncate": return try shortened(value, arguments)
    case "reverse", "batch", "items":
      throw JinjaError("the filter '\(name)' cannot be translated")
    default: throw JinjaError("the filter '\(name)' is unknown")
    }
  }

  /// A number that is rounded as Python does it: a half is rounded to the even digit, and the result is not an integer.
  private func rounded(
    _ value: FlowExpression, _ arguments: [JinjaArgument]
  ) throws(JinjaError) -> FlowExpression {
    let values = positional(arguments, ["precision", "method"])
    let value = try number(value)
    if value.kind == .integer { return value }
    let digits = try values[0].map { digits throws(JinjaError) in try translate(digits).text } ?? "0"
    guard (0...15).map(String.init).contains(digits) else {
      throw JinjaError("the filter 'round' can be translated only for 0 to 15 digits")
    }
    switch values[1] {
    case nil, .text("common"): return FlowExpression("round(\(value.text), \(digits), 'even')", .number)
    case .text("floor") where digits == "0": return FlowExpression("float(floor(\(value.text)))", .number)
    case .text("ceil") where digits == "0": return FlowExpression("float(ceil(\(value.text)))", .number)
    default: throw JinjaError("this method of the filter 'round' cannot be translated")
    }
  }

  /// The name of a digest, such as `sha256`: the one that an argument names, else the default.
  private static func digest(
    _ expression: JinjaExpression?, default name: String, of filter: String
  ) throws(JinjaError) -> String {
    guard let expression else { return name }
    guard case .text(let text) = expression, ["md5", "sha1", "sha256", "sha512"].contains(text) else {
      throw JinjaError("the digest of '\(filter)' cannot be translated")
    }
    return text
  }
}
