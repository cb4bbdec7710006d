internal import ByteCodings
internal import SourceDiagnostics

/// Escapes text from files and servers for XML and HTML.
///
/// Invisible characters are written as `<U+001B>`, and markup as entities.
enum Markup {
  /// Text for elements and for attributes in double quotes.
  ///
  /// The characters that XML forbids are all invisible, so the result contains none of them.
  static func text(_ text: String, limit: Int = 1000) -> String {
    XMLText.escaped(PrintableText.of(text, limit: limit))
  }
}
