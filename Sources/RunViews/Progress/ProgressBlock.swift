/// The lines of a progress display that stand on a terminal now, and how to replace them (ECMA-48).
package struct ProgressBlock: Sendable {
  private var lines: [ProgressFrame.Line] = []
  /// The terminal's columns when the lines were drawn; nil while none stand there.
  package private(set) var width: Int?

  /// Nothing stands there.
  package init() {}

  /// The text that takes the lines away and leaves the cursor where they began.
  ///
  /// - Parameter width: the terminal's columns now. Where they have become fewer, the terminal has wrapped the lines.
  package mutating func erased(width: Int) -> String {
    guard let last = lines.last else { return "" }
    let width = max(width, 1)
    func rows(_ line: ProgressFrame.Line) -> Int { max((line.columns + width - 1) / width, 1) }
    let above = lines.dropLast().reduce(0) { $0 + rows($1) }
    let below = rows(last) - 1
    lines = []
    self.width = nil
    // Line by line: a terminal that is told to erase all from its first line on may keep that as history (tmux does).
    return "\r\u{1B}[2K" + String(repeating: "\u{1B}[B\u{1B}[2K", count: below)
      + String(repeating: "\u{1B}[A", count: below) + String(repeating: "\u{1B}[A\u{1B}[2K", count: above)
  }

  /// The text that puts other lines in the place of these.
  package mutating func replaced(by lines: [ProgressFrame.Line], width: Int) -> String {
    // The cursor waits where the last line begins: behind its end, which row that is after wrapping would depend on the
    // terminal when the line fills its rows exactly.
    let text = erased(width: width) + lines.map(\.text).joined(separator: "\r\n") + (lines.isEmpty ? "" : "\r")
    self.lines = lines
    self.width = lines.isEmpty ? nil : width
    return text
  }
}
