/// The lines of a progress display that are on the terminal, with the escape codes to replace them (ECMA-48).
package struct ProgressBlock: Sendable {
  private var lines: [ProgressFrame.Line] = []
  /// The terminal's columns when the lines were drawn; nil without lines.
  package private(set) var width: Int?

  /// Creates a block without lines.
  package init() {}

  /// The text that erases the lines and moves the cursor to their start.
  ///
  /// - Parameter width: the present number of columns of the terminal. When it has become smaller, the terminal has
  ///   wrapped the lines.
  package mutating func erased(width: Int) -> String {
    guard let last = lines.last else { return "" }
    let width = max(width, 1)
    func rows(_ line: ProgressFrame.Line) -> Int { max((line.columns + width - 1) / width, 1) }
    let above = lines.dropLast().reduce(0) { $0 + rows($1) }
    let below = rows(last) - 1
    lines = []
    self.width = nil
    // The lines are erased one by one. When all are erased at once, from the first line on, tmux adds them to its
    // history.
    return "\r\u{1B}[2K" + String(repeating: "\u{1B}[B\u{1B}[2K", count: below)
      + String(repeating: "\u{1B}[A", count: below) + String(repeating: "\u{1B}[A\u{1B}[2K", count: above)
  }

  /// The text that replaces the lines with new ones.
  package mutating func replaced(by lines: [ProgressFrame.Line], width: Int) -> String {
    // The cursor stays at the start of the last line. When a line fills its rows exactly, the cursor's row at the end
    // of the line would depend on the terminal.
    let text = erased(width: width) + lines.map(\.text).joined(separator: "\r\n") + (lines.isEmpty ? "" : "\r")
    self.lines = lines
    self.width = lines.isEmpty ? nil : width
    return text
  }
}
