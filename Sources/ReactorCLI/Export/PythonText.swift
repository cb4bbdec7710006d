internal import SourceDiagnostics

/// Writes texts for Python.
enum PythonText {
  /// A text as a string literal.
  static func literal(_ text: String) -> String {
    var literal = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": literal += #"\""#
      case "\\": literal += #"\\"#
      case "\n": literal += #"\n"#
      case let scalar where scalar.isShownAsItself: literal.unicodeScalars.append(scalar)
      default:
        let digits = String(scalar.value, radix: 16, uppercase: true)
        literal += #"\U"# + String(repeating: "0", count: 8 - digits.count) + digits
      }
    }
    return literal + "\""
  }

  /// Texts as a list literal.
  static func list(_ texts: [String]) -> String { "[" + texts.map(literal).joined(separator: ", ") + "]" }
}
