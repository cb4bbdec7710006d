/// Texts with formatted values, and filters that change how a text is written.
extension JinjaTranslator {
  /// A text in which `%s`, `%d` and `%.2f` stand for values.
  func formatted(percent text: String, _ values: [JinjaExpression]) throws(JinjaError) -> FlowExpression {
    var (parts, literal, rest): ([FlowExpression], String, Substring) = ([], "", text[...])
    var next = 0
    while let character = rest.popFirst() {
      guard character == "%" else {
        literal.append(character)
        continue
      }
      if rest.first == "%" {
        rest.removeFirst()
        literal.append("%")
        continue
      }
      let specification = rest.prefix { !$0.isLetter }
      rest = rest.dropFirst(specification.count)
      guard let kind = rest.popFirst(), values.indices.contains(next) else {
        throw JinjaError("the format '\(text)' does not have one placeholder for each value")
      }
      let form = NumberForm(String(specification), kind, alignsTexts: .right)
      parts += [.literal(literal), try formatted(try translate(values[next]), form, of: text)]
      next += 1
      literal = ""
    }
    guard next == values.count else {
      throw JinjaError("the format '\(text)' does not have one placeholder for each value")
    }
    return try joined(parts + [.literal(literal)])
  }

  /// A text in which `{}`, `{0}` or `{:.2f}` stand for values.
  func formatted(braces text: String, _ values: [JinjaExpression]) throws(JinjaError) -> FlowExpression {
    var (parts, literal, rest): ([FlowExpression], String, Substring) = ([], "", text[...])
    var next = 0
    while let character = rest.popFirst() {
      if character == "{" || character == "}", rest.first == character {
        rest.removeFirst()
        literal.append(character)
      } else if character == "{" {
        let content = rest.prefix { $0 != "}" }
        let name = content.prefix { $0 != ":" }
        let index = name.isEmpty ? next : Int(name)
        guard let index, values.indices.contains(index), content.count < rest.count else {
          throw JinjaError("the format '\(text)' can be translated only with {} or {0}, and a value for each")
        }
        var specification = String(content.dropFirst(name.count + 1))
        let kind = specification.last.map { $0.isLetter ? specification.removeLast() : "s" } ?? "s"
        rest = rest.dropFirst(content.count + 1)
        next += 1
        let form = NumberForm(specification, kind, alignsTexts: .left)
        parts += [.literal(literal), try formatted(try translate(values[index]), form, of: text)]
        literal = ""
      } else {
        literal.append(character)
      }
    }
    return try joined(parts + [.literal(literal)])
  }

  /// The expression for the text of a value in a format such as `%05d`.
  private func formatted(
    _ value: FlowExpression, _ form: NumberForm?, of text: String
  ) throws(JinjaError) -> FlowExpression {
    guard let form else { throw JinjaError("the format '\(text)' cannot be translated") }
    if form.isPlain, form.kind != .integer || value.kind == .integer { return value.asText }
    let result: String
    switch form.kind {
    case .text: result = value.asText.text
    case .integer:
      guard value.kind == .integer else { throw JinjaError("'%d' can be translated only for integers") }
      result = "string(\(value.text))"
    case .fixed(let digits): result = "fixed(\(try number(value).text), \(digits))"
    }
    if form.width > 0, form.fill == "0", form.kind != .text { return zeroFilled(result, "\(form.width)") }
    guard form.width > 0 else { return FlowExpression(result, .string) }
    let function = form.alignment == .left ? "pad_end" : "pad_start"
    let fill = form.fill == " " ? "" : ", '\(form.fill)'"
    return FlowExpression("\(function)(\(result), \(form.width)\(fill))", .string)
  }

  /// The text of a number, with zeros between its sign and its digits.
  func zeroFilled(_ text: String, _ width: String) -> FlowExpression {
    FlowExpression(
      "starts_with(\(text), '-') ? '-' + pad_start(slice(\(text), 1), \(width) - 1, '0') "
        + ": pad_start(\(text), \(width), '0')", .string, .choice)
  }

  private func joined(_ parts: [FlowExpression]) throws(JinjaError) -> FlowExpression {
    var result = FlowExpression.literal("")
    for part in parts { result = try sum(result, part) }
    return result
  }

  /// `truncate(length, killwords, end, leeway)`: a longer text is cut, at the end of a word unless `killwords` is true.
  func shortened(_ value: FlowExpression, _ arguments: [JinjaArgument]) throws(JinjaError) -> FlowExpression {
    let values = positional(arguments, ["length", "killwords", "end", "leeway"])
    func whole(_ value: JinjaExpression?, _ usual: Int) -> Int? {
      switch value {
      case nil, JinjaExpression.none?: usual
      case .integer(let text)?: Int(text)
      default: nil
      }
    }
    let end: String? =
      switch values[2] {
      case nil: "..."
      case .text(let text)?: text
      default: nil
      }
    guard let length = whole(values[0], 255), let leeway = whole(values[3], 5), let end,
      let cutsWords = values[1].map({ $0 == .bool(true) ? true : $0 == .bool(false) ? false : nil }) ?? false,
      length >= end.unicodeScalars.count
    else { throw JinjaError("the filter 'truncate' can be translated only with constants") }
    let text = value.asText.text
    var short = "slice(\(text), 0, \(length - end.unicodeScalars.count))"
    if !cutsWords { short = "replace_matches(\(short), ' [^ ]*$', '')" }
    if !end.isEmpty { short += " + \(FlowExpression.literal(end).text)" }
    return FlowExpression(
      "length(\(text)) <= \(length + leeway) ? \(text) : \(short)", .string, .choice, mayBeEmpty: value.mayBeEmpty)
  }

  /// A text in lower case, but with an upper-case first letter.
  func capitalized(_ value: FlowExpression) -> FlowExpression {
    let text = value.asText.text
    return FlowExpression(
      "upper(slice(\(text), 0, 1)) + lower(slice(\(text), 1))", .string, .sum, mayBeEmpty: value.mayBeEmpty)
  }

  /// A text with the escapes of HTML and XML.
  func escaped(_ value: FlowExpression) -> FlowExpression {
    let pairs = [("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ("'", "&#39;"), ("\"", "&#34;")]
    let text = pairs.reduce(value.asText.text) {
      "replace(\($0), \(FlowExpression.literal($1.0).text), '\($1.1)')"
    }
    return FlowExpression(text, .string, mayBeEmpty: value.mayBeEmpty)
  }
}
