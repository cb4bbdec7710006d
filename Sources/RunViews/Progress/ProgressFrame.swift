internal import SourceDiagnostics

/// The lines of the progress display: the slowest running flows, then the bar of the whole run.
///
/// No line is wider than the terminal. What is not known is not shown.
///
/// ```
///   ⠹ shop.orders       0:31 request   1.2 MB usually 0:40
///   ⠹ shop.customers    0:02 save     12.0 kB
/// ██████████░░░░  21/30  0:34  ~0:12 left  350 rec/s  1,204 rec  2 running  12.3 MB
/// ```
package struct ProgressFrame: Sendable {
  /// The maximum number of running flows that are shown.
  package static let maximumFlows = 8
  /// The maximum width of an id, as in `FlowLine`.
  private static let maximumIDWidth = 48
  /// The minimum width of the terminal at which all lines, when wrapped, stay on the screen.
  ///
  /// The user may narrow the terminal to this width during a run.
  ///
  /// Text that scrolls out at the top cannot be removed. The display therefore takes at most half of the screen. After
  /// the terminal is narrowed and widened again, the same number of empty rows may be below the display, and tmux
  /// keeps these rows when the terminal is narrowed again.
  private static let narrowest = 40

  /// The style of the lines.
  package let style: TextStyle
  /// The number of columns of the terminal.
  package let width: Int
  /// The number of lines of the terminal.
  package let height: Int

  /// Creates a frame for a terminal of this size.
  package init(style: TextStyle, width: Int, height: Int) {
    self.style = style
    self.width = max(width, 1)
    self.height = max(height, 1)
  }

  /// A line and the number of columns that it takes.
  package struct Line: Sendable, Hashable {
    /// The text with colours, without a line end.
    package let text: String
    /// The number of columns, less than the terminal has.
    package let columns: Int
  }

  /// The lines at one moment.
  ///
  /// - Parameters:
  ///   - now: a reading of the run's clock
  ///   - turn: the number of the drawing, which selects the symbol of the spinner
  package func lines(_ snapshot: ProgressSnapshot, now: Duration, turn: Int) -> [Line] {
    // The last column is not used, because a terminal may wrap after it.
    let columns = width - 1
    var lines: [Line] = []
    let bar = bar(snapshot, now: now, columns: columns)
    let idWidth = min(
      snapshot.running.lazy.map { DisplayWidth.of($0.id) }.max() ?? 0, max(columns / 2, 8), Self.maximumIDWidth)
    let beside = Self.besideID + (snapshot.running.contains { $0.usual != nil } ? Self.usualWidth : 0)
    // At least one row stays free for the lines above the display.
    let maximum = width > Self.narrowest ? height / 2 : height - 1
    let room = max(min(Self.maximumFlows, (maximum - rows(bar.columns)) / rows(idWidth + beside)), 0)
    let shown = snapshot.running.prefix(snapshot.runningCount > room ? max(room - 1, 0) : room)
    for flow in shown {
      let id = DisplayWidth.padded(DisplayWidth.cut(flow.id, to: idWidth, mark: mark), to: idWidth)
      let step = flow.awaitedPath == nil ? flow.step ?? "" : "waiting"
      // The time comes first, because it is the last that a narrow terminal should lose.
      var cells = [
        (id, TextStyle.Role?.none),
        (Quantity.padded(Quantity.clock(now - flow.started), to: 6, isRight: true), nil),
        (Quantity.padded(step, to: 7), .faint),
        (Quantity.padded(flow.bytes > 0 ? Quantity.bytes(flow.bytes) : "", to: 8, isRight: true), nil),
      ]
      if let path = flow.awaitedPath {
        cells.append(("for another run: \(path)", .faint))
      } else if let usual = flow.usual {
        cells.append(("usually \(Quantity.clock(usual))", .faint))
      }
      if let line = line([("  \(spinner(turn))", .good)] + cells, gap: " ", within: columns) { lines.append(line) }
    }
    let left = snapshot.runningCount - shown.count
    if room > 0, left > 0, let line = line([("    and \(left) more", .faint)], gap: "", within: columns) {
      lines.append(line)
    }
    lines.append(bar)
    return lines
  }

  // MARK: - Parts

  /// The columns of a line besides the id: the spinner, three cells of 7, 8 and 6 columns, and the gaps.
  private static let besideID = 28
  /// The columns of the usual duration, with its gap: `usually 12:30`.
  private static let usualWidth = 14

  /// The maximum number of rows that text of this many columns takes.
  ///
  /// The number is valid as long as the terminal is not narrower than `narrowest`.
  private func rows(_ columns: Int) -> Int {
    let width = max(min(width - 1, Self.narrowest), 1)
    return max((min(columns, self.width - 1) + width - 1) / width, 1)
  }

  private var mark: String { style.hasSymbols ? "…" : "~" }

  private func spinner(_ turn: Int) -> String {
    let turns = style.hasSymbols ? Array("⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏") : Array("|/-\\")
    return String(turns[turn % turns.count])
  }

  private func bar(_ snapshot: ProgressSnapshot, now: Duration, columns: Int) -> Line {
    var cells: [(String, TextStyle.Role?)] = [("\(snapshot.ended)/\(snapshot.selected)", .bold)]
    if snapshot.failed > 0 { cells.append(("\(snapshot.failed) failed", .bad)) }
    if snapshot.isCancelled { cells.append(("stopping", .odd)) }
    let elapsed = snapshot.started.map { now - $0 } ?? .zero
    cells.append((Quantity.clock(elapsed), nil))
    if let left = snapshot.left { cells.append(("~\(Quantity.clock(left)) left", nil)) }
    if snapshot.recordRate > 0 {
      cells.append((Quantity.grouped(snapshot.recordRate) + " rec/s", nil))
    } else if snapshot.byteRate > 0 {
      // The records of a long response are counted at its end.
      cells.append((Quantity.bytes(snapshot.byteRate) + "/s", nil))
    }
    if snapshot.saving > 0 { cells.append(("\(snapshot.saving) being saved", nil)) }
    cells.append((Quantity.grouped(snapshot.records) + " rec", nil))
    if snapshot.runningCount > 0 { cells.append(("\(snapshot.runningCount) running", .faint)) }
    if snapshot.bytes > 0 { cells.append((Quantity.bytes(snapshot.bytes), nil)) }
    // The bar takes a quarter of the width. The numbers take the rest, the most important number first.
    let length = min(max(columns / 4, 6), 30)
    let bar = drawn(snapshot, length: length)
    if let line = line([(bar, .good)] + cells, gap: "  ", within: columns) { return line }
    return line([cells[0]], gap: "", within: columns) ?? Line(text: "", columns: 0)
  }

  private func drawn(_ snapshot: ProgressSnapshot, length: Int) -> String {
    let full = snapshot.selected > 0 ? length * snapshot.ended / snapshot.selected : length
    let (done, open) = style.hasSymbols ? ("█", "░") : ("#", ".")
    let bar = String(repeating: done, count: full) + String(repeating: open, count: length - full)
    return style.hasSymbols ? bar : "[\(bar)]"
  }

  /// A line of the first cells that fit, in order; nil when not even the first cell fits.
  private func line(_ cells: [(String, TextStyle.Role?)], gap: String, within columns: Int) -> Line? {
    var text = ""
    var taken = 0
    for (index, (cell, look)) in cells.enumerated() {
      let width = DisplayWidth.of(cell) + (index == 0 ? 0 : gap.utf8.count)
      guard taken + width <= columns else { break }
      text += (index == 0 ? "" : gap) + (look.map { style.paint(cell, $0) } ?? cell)
      taken += width
    }
    return taken == 0 ? nil : Line(text: text, columns: taken)
  }
}
