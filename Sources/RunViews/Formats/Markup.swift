internal import SourceDiagnostics

/// Text from files and servers made fit for XML and HTML: what cannot be seen is shown as `<U+001B>`, and what is markup
/// is written as an entity.
enum Markup {
  /// For elements and for attributes in double quotes. Nothing that XML forbids is left, because none of it can be seen.
  static func text(_ text: String, limit: Int = 1000) -> String { escaped(PrintableText.of(text, limit: limit)) }

  /// The entities alone, for texts that are fit to be seen already.
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
