internal import SourceDiagnostics

/// Text from files and servers for XML and HTML: invisible characters as `<U+001B>`, markup as entities.
enum Markup {
  /// For elements and attributes in double quotes. Characters that XML forbids are invisible, so none is left.
  static func text(_ text: String, limit: Int = 1000) -> String { escaped(PrintableText.of(text, limit: limit)) }

  /// Only the entities, for texts that are printable already.
  static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&#39;"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
