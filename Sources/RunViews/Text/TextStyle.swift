/// How lines look on one stream.
package struct TextStyle: Sendable, Hashable {
  /// The looks of a part; the raw value is the ANSI code (ECMA-48 SGR).
  package enum Role: String, Sendable {
    case good = "32"
    case bad = "1;31"
    case odd = "33"
    case bold = "1"
    case faint = "2"
  }

  /// Whether ANSI colours are used.
  package var isColored: Bool
  /// Whether symbols stand for words: on terminals that show UTF-8.
  package var hasSymbols: Bool

  /// Sets the looks; plain unless told otherwise.
  package init(isColored: Bool = false, hasSymbols: Bool = false) {
    self.isColored = isColored
    self.hasSymbols = hasSymbols
  }

  /// A part in its look.
  package func paint(_ text: String, _ look: Role) -> String {
    isColored && !text.isEmpty ? "\u{1B}[\(look.rawValue)m\(text)\u{1B}[0m" : text
  }
}
