internal import ByteCodings
internal import JSONSyntax

/// Bodies that are written as one text.
extension DltResourceTranslator {
  /// The text of a body as a template; in a form or JSON, credentials are replaced by secrets.
  mutating func bodyText(_ text: String, _ node: SourceNode) -> FlowTemplate? {
    if let form = form(text, node) { return form }
    var result = FlowTemplate(literal: "")
    for piece in DltText.parts(text) {
      switch piece {
      case .literal(let text): result.append(json(text))
      case .placeholder(let name):
        guard let known = template("{\(name)}", part: "data", at: node) else { return nil }
        result.append(known)
      }
    }
    return result
  }

  /// The template for a form, such as `a=1&password=b`; nil for other texts.
  private mutating func form(_ text: String, _ node: SourceNode) -> FlowTemplate? {
    guard text.contains("="), !text.contains(where: { $0.isWhitespace || "<\"".contains($0) }) else { return nil }
    var result = FlowTemplate(literal: "")
    for (index, pair) in URLText.parts(text, at: "&").enumerated() {
      let (name, value) = URLText.split(pair, at: "=")
      let start = (index > 0 ? "&" : "") + pair.dropLast(value.count)
      guard let start = template(start, part: "data", at: node) else { return nil }
      result.append(start)
      if RequestTranslator.isCredential(name), !value.isEmpty, !value.contains("{") {
        let secret = secrets.secret(PercentCoding.decode(value.replacing("+", with: " ")), wish: name)
        result.append(Self.call("url_encode", secret))
      } else {
        guard let value = template(value, name: name, part: "data.\(name)", at: node) else { return nil }
        result.append(value)
      }
    }
    return result
  }

  /// The template for a text with JSON members; the value of each member whose name is that of a credential is replaced
  /// by a secret.
  private func json(_ text: String) -> FlowTemplate {
    var result = FlowTemplate(literal: "")
    var (literal, rest, name) = ("", text[...], "")
    while let open = rest.firstIndex(of: "\"") {
      guard let end = Self.end(of: rest[open...]) else { break }
      let between = rest[..<open]
      literal += between
      let quoted = rest[open..<end]
      rest = rest[end...]
      let value = (try? SourceText.json(String(quoted)))?.text ?? ""
      if RequestTranslator.isCredential(name), between.contains(":"), !value.isEmpty {
        result.append(FlowTemplate(literal: literal))
        result.append(Self.call("to_json", secrets.secret(value, wish: name)))
        (literal, name) = ("", "")
      } else {
        literal += quoted
        name = value
      }
    }
    result.append(FlowTemplate(literal: literal + rest))
    return result
  }

  /// The index after the closing quote of a text.
  private static func end(of text: Substring) -> String.Index? {
    var isEscaped = false
    for index in text.indices.dropFirst() {
      if !isEscaped, text[index] == "\"" { return text.index(after: index) }
      isEscaped = !isEscaped && text[index] == "\\"
    }
    return nil
  }

  private static func call(_ function: String, _ secret: FlowTemplate) -> FlowTemplate {
    FlowTemplate(
      expression: FlowExpression("\(function)(\(secret.only?.text ?? "''"))", .string), canBeLeftOut: false)
  }
}
