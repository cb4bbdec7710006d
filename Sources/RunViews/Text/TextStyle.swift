/// The style of lines on one stream.
package struct TextStyle: Sendable, Hashable {
  /// The style of a part; the raw value is the ANSI code (ECMA-48 SGR).
  package enum Role: String, Sendable {
    case good = "32"
    case bad = "1;31"
    case odd = "33"
    case bold = "1"
    case faint = "2"
  }

  /// Whether ANSI colours are used.
  package var isColored: Bool
  /// Whether symbols replace words: on terminals with UTF-8.
  package var hasSymbols: Bool

  /// Creates a style; plain by default.
  package init(isColored: Bool = false, hasSymbols: Bool = false) {
    self.isColored = isColored
    self.hasSymbols = hasSymbols
  }

  /// A part of a text in its style.
  package func paint(_ text: String, _ look: Role) -> String {
    isColored && !text.isEmpty ? "\u{1B}[\(look.rawValue)m\(text)\u{1B}[0m" : text
  }
}
