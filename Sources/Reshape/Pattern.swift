internal import RegularExpressions

/// A regular expression in the syntax of Perl and Oniguruma, matched in time linear in the text.
///
/// It therefore has no look-around, no back references and no atomic groups.
struct Pattern: Sendable {
  /// The maximum number of instructions, after expanding counted repetitions.
  static let maximumSize = 4_000
  static let maximumDepth = 40

  let expression: RegularExpression
  /// The names of the groups, from the first group on.
  let names: [String?]

  /// The options that the characters of `flags` set.
  struct Flags: Sendable {
    var isGlobal = false
    var ignoresCase = false
    var isExtended = false
    var dotMatchesLineEnd = false
    var skipsEmpty = false

    init?(_ text: String) {
      for letter in text {
        switch letter {
        case "g": isGlobal = true
        case "i": ignoresCase = true
        case "x": isExtended = true
        case "s": break
        case "p": dotMatchesLineEnd = true
        case "n": skipsEmpty = true
        default: return nil
        }
      }
    }
  }
}

/// The reason why a text is not a pattern.
struct PatternError: Error {
  let message: String

  init(_ message: String) { self.message = message }
}
