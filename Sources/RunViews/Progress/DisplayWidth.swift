internal import SourceDiagnostics

/// Measures the columns that printable text takes on a terminal.
package enum DisplayWidth {
  /// The number of columns of a text.
  package static func of(_ text: String) -> Int { text.unicodeScalars.reduce(0) { $0 + columns($1) } }

  /// The text, cut to at most `width` columns. A cut text ends with `mark`, if there is room for it.
  package static func cut(_ text: String, to width: Int, mark: String = "~") -> String {
    guard of(text) > width else { return text }
    let room = width - mark.unicodeScalars.count
    guard room > 0 else { return "" }
    var result = ""
    var columns = 0
    for scalar in text.unicodeScalars {
      columns += self.columns(scalar)
      guard columns <= room else { break }
      result.unicodeScalars.append(scalar)
    }
    return result + mark
  }

  /// The text with spaces added at its end.
  package static func padded(_ text: String, to width: Int) -> String {
    text + String(repeating: " ", count: max(width - of(text), 0))
  }

  private static func columns(_ scalar: Unicode.Scalar) -> Int { scalar.isCombining ? 0 : scalar.isWide ? 2 : 1 }
}
