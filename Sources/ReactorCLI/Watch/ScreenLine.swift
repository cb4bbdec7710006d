internal import RunViews

/// Cuts lines that may contain colours to the width of a terminal.
enum ScreenLine {
  /// The line, cut to a number of columns. Colours take no columns, and a cut line ends without one.
  static func cut(_ line: String, to width: Int, mark: String) -> String {
    var plain = ""
    var isCode = false
    for scalar in line.unicodeScalars {
      if scalar == "\u{1B}" { isCode = true }
      if !isCode { plain.unicodeScalars.append(scalar) }
      if isCode, scalar == "m" { isCode = false }
    }
    guard DisplayWidth.of(plain) > width else { return line }
    let room = DisplayWidth.cut(plain, to: width, mark: "").unicodeScalars.count - mark.unicodeScalars.count
    var (text, columns) = ("", 0)
    for scalar in line.unicodeScalars {
      if scalar == "\u{1B}" { isCode = true }
      if !isCode {
        columns += 1
        guard columns <= room else { break }
      }
      text.unicodeScalars.append(scalar)
      if isCode, scalar == "m" { isCode = false }
    }
    return text + (text.contains("\u{1B}") ? "\u{1B}[0m" : "") + mark
  }
}
