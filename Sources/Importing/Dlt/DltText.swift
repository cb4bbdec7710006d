/// Placeholders in texts of dlt: `{resources.posts.id}` and `{incremental.start_value}`. Doubled braces are literal
/// braces.
enum DltText {
  /// A part of a text.
  enum Part {
    case literal(String)
    /// The names in braces, such as `resources`, `posts` and `id`.
    case placeholder(String)
  }

  /// Finds the placeholders of a text.
  ///
  /// - Parameter isPath: whether every name in braces is a placeholder
  static func parts(_ text: String, isPath: Bool = false) -> [Part] {
    var parts: [Part] = []
    var literal = ""
    var rest = text[...]
    while let open = rest.firstIndex(where: { $0 == "{" || $0 == "}" }) {
      literal += rest[..<open]
      rest = rest[open...]
      let brace = rest.removeFirst()
      if rest.first == brace {
        literal.append(brace)
        rest.removeFirst()
        continue
      }
      let name = rest.prefix { $0 != "}" && $0 != "{" }
      let isKnown = isPath || name.hasPrefix("resources.") || name.hasPrefix("incremental.")
      guard brace == "{", rest[name.endIndex...].first == "}", isKnown, !name.isEmpty else {
        literal.append(brace)
        continue
      }
      if !literal.isEmpty { parts.append(.literal(literal)) }
      literal = ""
      parts.append(.placeholder(String(name).trimmed))
      rest = rest[name.endIndex...].dropFirst()
    }
    literal += rest
    if !literal.isEmpty { parts.append(.literal(literal)) }
    return parts
  }

  /// A fragment of JSON without the white space between its values, as `to_json` writes JSON; nil if it is unknown
  /// which parts of the fragment are in quotes.
  static func fragment(_ text: String) -> String? {
    guard text.contains(where: { "\"{}[]:,".contains($0) }) else { return text }
    return compact(text, isQuoted: false) ?? compact(text, isQuoted: true)
  }

  /// - Parameter isQuoted: whether the text begins inside of quotes
  private static func compact(_ text: String, isQuoted: Bool) -> String? {
    var (result, outside, isQuoted, isEscaped) = ("", "", isQuoted, false)
    for character in text {
      if isQuoted {
        result.append(character)
        if !isEscaped, character == "\"" { isQuoted = false }
        isEscaped = !isEscaped && character == "\\"
        continue
      }
      if character.isWhitespace {
        outside.append(" ")
        continue
      }
      result.append(character)
      if character == "\"" { isQuoted = true }
      outside.append("\"{}[]:,".contains(character) ? " " : character)
    }
    let isJSON = outside.split(separator: " ").allSatisfy { word in
      ["true", "false", "null"].contains(word) || word.allSatisfy { "0123456789+-.eE".contains($0) }
    }
    return isJSON ? result : nil
  }
}
