/// Variables in texts of Insomnia: `{{ _.name }}` and template tags such as `{% uuid 'v4' %}`.
enum InsomniaText {
  /// Finds the variables and tags of a text.
  static func template(_ text: String) -> SourceTemplate {
    guard text.utf8.contains(UInt8(ascii: "{")) else {
      return SourceTemplate(parts: text.isEmpty ? [] : [.literal(text)])
    }
    var parts: [SourceTemplate.Part] = []
    var literal = ""
    var rest = text[...]
    while let open = rest.firstIndex(of: "{") {
      literal += rest[..<open]
      rest = rest[open...]
      let mark = rest.dropFirst().first
      guard let mark, "{%#".contains(mark), let end = end(of: rest, mark == "{" ? "}" : mark) else {
        literal.append("{")
        rest.removeFirst()
        continue
      }
      let inner = rest[rest.index(rest.startIndex, offsetBy: 2)..<rest.index(end, offsetBy: -2)]
      if !literal.isEmpty { parts.append(.literal(literal)) }
      literal = ""
      switch mark {
      case "{": parts.append(variable(String(inner)))
      case "%": parts.append(tag(String(inner)))
      default: break
      }
      rest = rest[end...]
    }
    literal += rest
    if !literal.isEmpty { parts.append(.literal(literal)) }
    return SourceTemplate(parts: parts)
  }

  /// The index after the end of an expression or a tag. Braces in quotes do not count.
  private static func end(of text: Substring, _ close: Character) -> Substring.Index? {
    var index = text.index(text.startIndex, offsetBy: 2)
    var quote: Character?
    while index < text.endIndex {
      let character = text[index]
      let next = text.index(after: index)
      if let open = quote {
        if character == open { quote = nil }
      } else if close != "#", character == "'" || character == "\"" {
        quote = character
      } else if character == close, next < text.endIndex, text[next] == "}" {
        return text.index(after: next)
      }
      index = next
    }
    return nil
  }

  private static func variable(_ text: String) -> SourceTemplate.Part {
    guard let only = (try? JinjaTemplate("{{\(text)}}"))?.only,
      let path = JinjaTranslator(JinjaNames(Variables())).chain(only), path.fallback == nil
    else {
      return .unknown("{{\(text)}}", needs: "a variable alone; filters and functions are written as expressions")
    }
    let keys = path.root == "_" ? path.keys : [path.root] + path.keys
    return keys.isEmpty ? .unknown("{{\(text)}}", needs: "the name of a variable") : .variable(keys)
  }

  private static func tag(_ text: String) -> SourceTemplate.Part {
    let content = text.trimmed
    let name = content.prefix { !$0.isWhitespace }
    let argument = content.dropFirst(name.count).split(separator: ",").first.map { String($0).trimmed } ?? ""
    switch (name, argument.unquoted) {
    case ("now", "iso-8601"), ("now", ""), ("timestamp", ""):
      return .expression(FlowExpression("format(now(), 'iso8601')", .string))
    case ("now", "unix"): return .expression(FlowExpression("format(truncate(now(), 'second'), 'epoch_s')", .string))
    case ("now", "millis"): return .expression(FlowExpression("format(now(), 'epoch_ms')", .string))
    default: break
    }
    let needs =
      switch name {
      case "response", "cookie": "a value of another response: 'auth.login', or 'each' over another flow"
      case "uuid", "faker": "a random value; a flow sends the same request in each run"
      case "prompt": "a variable, which is given by --var"
      case "file": "a value that is read from a file"
      case "base64", "hash", "jsonpath": "an expression: 'base64_encode', 'sha256' and the like"
      default: "an expression with this effect"
      }
    return .unknown("{% \(content) %}", needs: needs)
  }
}

extension String {
  /// The text without the quotes around it.
  fileprivate var unquoted: String {
    guard let first, first == "'" || first == "\"", last == first, utf8.count >= 2 else { return self }
    return String(dropFirst().dropLast())
  }
}
