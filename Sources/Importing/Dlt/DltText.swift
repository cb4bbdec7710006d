/// Placeholders in texts of dlt: `{resources.posts.id}` and `{incremental.start_value}`. Doubled braces are braces.
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
}
