internal import ByteCodings
internal import YAMLSyntax

/// Writes scalars of a flow file.
enum OutputText {
  private static let words: Set<String> = [
    "null", "true", "false", "yes", "no", "on", "off", "y", "n", "~",
  ]

  /// Returns the YAML scalar for a text; it has quotes if it would otherwise be read as another value, such as a
  /// number.
  static func value(_ text: String) -> String { isPlain(text) ? text : quoted(text) }

  /// Returns a scalar for the name of an entry.
  static func key(_ text: String) -> String {
    guard let first = text.utf8.first, ASCII.isLetter(first) || first == UInt8(ascii: "_"),
      text.utf8.allSatisfy({ ASCII.isLetter($0) || ASCII.isDigit($0) || "_-.".utf8.contains($0) }),
      !words.contains(text.lowercased())
    else { return quoted(text) }
    return text
  }

  /// Returns a text on one line, for a comment.
  static func flat(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      let isShown =
        scalar.value >= 0x20 && !(0x7F...0x9F).contains(scalar.value)
        && ![0x2028, 0x2029, 0xFEFF].contains(scalar.value)
      result.unicodeScalars.append(isShown ? scalar : " ")
    }
    return result.utf8.count <= 300 ? result : String(result.prefix(296)) + " …"
  }

  static func quoted(_ text: String) -> String { YAMLText.quoted(text) }

  /// Returns a literal text in the notation of templates.
  static func template(literal text: String) -> String { text.replacing("{{", with: "{{ \"{{\" }}") }

  private static func isPlain(_ text: String) -> Bool {
    guard let first = text.utf8.first, ASCII.isLetter(first) || "/$_".utf8.contains(first) else { return false }
    let isSafe = text.utf8.allSatisfy {
      ASCII.isLetter($0) || ASCII.isDigit($0) || "_-./$:+=%?@*()<>".utf8.contains($0)
    }
    return isSafe && !text.hasSuffix(":") && !words.contains(text.lowercased())
  }

  /// Returns a scalar for an expression; it has quotes where YAML needs them.
  static func expression(_ text: String) -> String {
    guard let first = text.utf8.first, ASCII.isLetter(first), text.utf8.count < 90, !text.contains(": "),
      !text.contains(" #"),
      text.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F && !"\"\\`".utf8.contains($0) }), !text.hasSuffix(" "),
      !text.hasSuffix(":")
    else { return value(text) }
    return words.contains(text.lowercased()) ? quoted(text) : text
  }

  /// A JSONPath of member names and indexes; `*` stands for all members.
  static func path(_ steps: [String]) -> String {
    steps.reduce("$") { path, step in
      if step == "*" { return path + "[*]" }
      if let index = Int(step), index >= 0, String(index) == step { return path + "[\(index)]" }
      let isWord =
        step.utf8.first.map { ($0 | 0x20) &- 0x61 < 26 || $0 == 0x5F } ?? false
        && step.utf8.allSatisfy { ($0 | 0x20) &- 0x61 < 26 || $0 &- 0x30 < 10 || $0 == 0x5F }
      // Texts in expressions and names in paths have the same escapes.
      return isWord ? "\(path).\(step)" : "\(path)[\(FlowExpression.literal(step).text)]"
    }
  }
}
