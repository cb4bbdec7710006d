internal import ByteCodings
internal import SourceDiagnostics

/// Writes texts for units of systemd.
enum UnitText {
  /// A text as one word of a command, in which systemd fills in nothing.
  static func word(_ text: String) -> String { quoted(text.replacing("%", with: "%%").replacing("$", with: "$$")) }

  /// A path as one word of a list, in which systemd fills in nothing.
  static func item(_ path: String) -> String { quoted(UnitText.path(path)) }

  /// A path of a setting that reads the rest of its line.
  static func path(_ path: String) -> String { path.replacing("%", with: "%%") }

  private static func quoted(_ text: String) -> String {
    guard text.wholeMatch(of: /[A-Za-z0-9_.\/:,@%=+!$-]+/) == nil else { return text }
    var word = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": word += #"\""#
      case "\\": word += #"\\"#
      case "\n": word += #"\n"#
      case "\t": word += #"\t"#
      case let scalar where scalar.isShownAsItself: word.unicodeScalars.append(scalar)
      default: word += String(scalar).utf8.map { #"\x"# + Hex.text([$0]) }.joined()
      }
    }
    return word + "\""
  }
}
