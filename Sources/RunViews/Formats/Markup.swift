internal import SourceDiagnostics

/// Escapes text from files and servers for XML and HTML.
///
/// Invisible characters are written as `<U+001B>`, and markup as entities.
enum Markup {
  /// Text for elements and for attributes in double quotes.
  ///
  /// The characters that XML forbids are all invisible, so the result contains none of them.
  static func text(_ text: String, limit: Int = 1000) -> String { escaped(PrintableText.of(text, limit: limit)) }

  /// Replaces markup with entities only, for texts that are already printable.
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
