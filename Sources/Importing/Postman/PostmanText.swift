/// Variables in texts of Postman: `{{name}}`, and `{{$guid}}` for values that are generated for each request.
enum PostmanText {
  /// Finds the variables of a text.
  static func template(_ text: String) -> SourceTemplate {
    var parts: [SourceTemplate.Part] = []
    var rest = text[...]
    while let open = rest.firstRange(of: "{{") {
      let inner = rest[open.upperBound...]
      // The innermost braces count: `{{{a}}}` has a brace on both sides.
      let name = inner.prefix { $0 != "{" && $0 != "}" }
      let close = inner[name.endIndex...]
      guard close.hasPrefix("}}"), name.contains(where: { !$0.isWhitespace }) else {
        let end = rest.index(after: open.lowerBound)
        append(rest[..<end], to: &parts)
        rest = rest[end...]
        continue
      }
      append(rest[..<open.lowerBound], to: &parts)
      parts.append(part(String(name).trimmed))
      rest = close.dropFirst(2)
    }
    append(rest, to: &parts)
    return SourceTemplate(parts: parts)
  }

  private static func append(_ text: Substring, to parts: inout [SourceTemplate.Part]) {
    guard !text.isEmpty else { return }
    if case .literal(let before)? = parts.last {
      parts[parts.count - 1] = .literal(before + text)
    } else {
      parts.append(.literal(String(text)))
    }
  }

  private static func part(_ name: String) -> SourceTemplate.Part {
    guard name.hasPrefix("$") else {
      return .variable(name.hasPrefix("vault:") ? ["vault", String(name.dropFirst(6))] : [name])
    }
    switch name {
    case "$timestamp": return .expression(FlowExpression("format(truncate(now(), 'second'), 'epoch_s')", .string))
    case "$isoTimestamp": return .expression(FlowExpression("format(now(), 'iso8601')", .string))
    default: return .unknown("{{\(name)}}", needs: "a random value; a flow sends the same request in each run")
    }
  }
}
