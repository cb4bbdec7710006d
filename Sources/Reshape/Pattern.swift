internal import RegularExpressions

/// A regular expression in the syntax of Perl and Oniguruma as far as it can be matched in time linear in the text:
/// no look-around, no back references, no atomic groups.
struct Pattern: Sendable {
  /// Instructions, once counted repetitions are written out.
  static let maximumSize = 4_000
  static let maximumDepth = 40

  let expression: RegularExpression
  /// Names of the groups from the first on.
  let names: [String?]

  /// What the letters of `flags` mean.
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

/// Why a text is not a pattern.
struct PatternError: Error {
  let message: String

  init(_ message: String) { self.message = message }
}
