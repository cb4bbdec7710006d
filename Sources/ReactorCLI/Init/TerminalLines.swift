internal import RunViews

/// Divides text into lines of a terminal.
enum TerminalLines {
  /// The lines of a text, divided at spaces; a longer word is divided itself.
  ///
  /// - Parameters:
  ///   - width: the columns of a line
  ///   - indent: the spaces before the second and all further lines, at most half of the width
  static func lines(_ text: String, width: Int, indent: Int = 0) -> [String] {
    let width = max(width, 4)
    let gap = String(repeating: " ", count: min(indent, width / 2))
    var lines: [String] = []
    var line = String(text.prefix { $0 == " " })
    var isBegun = false
    for word in text.dropFirst(line.count).split(separator: " ", omittingEmptySubsequences: false) {
      var word = String(word)
      if isBegun, DisplayWidth.of(line) + 1 + DisplayWidth.of(word) > width {
        lines.append(line)
        (line, isBegun) = (gap, false)
      }
      if isBegun { line += " " }
      while DisplayWidth.of(line) + DisplayWidth.of(word) > width {
        let part = DisplayWidth.cut(word, to: width - DisplayWidth.of(line), mark: "")
        guard !part.isEmpty else { break }
        lines.append(line + part)
        word.unicodeScalars.removeFirst(part.unicodeScalars.count)
        line = gap
      }
      line += word
      isBegun = true
    }
    return isBegun || lines.isEmpty ? lines + [line] : lines
  }
}
