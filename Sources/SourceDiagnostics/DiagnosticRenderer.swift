/// Renders diagnostics as text.
///
/// Each diagnostic has its location, message and code, then the source line with a mark, notes and help:
///
/// ```
/// flows/users.yaml:7:3: error: unknown key 'persistance' in a flow [flow.unknown-key]
///    7 |   persistance: x
///      |   ^~~~~~~~~~~
///      = help: did you mean 'persistence'?
/// ```
/// Invisible characters in sources, paths and messages are shown in the format `<U+001B>`.
public struct DiagnosticRenderer: Sendable {
  /// Whether the output uses ANSI colours.
  public var isColored: Bool
  /// The maximum width of a source line in columns; a longer line is cut around the mark.
  public var maximumColumns: Int

  /// The maximum number of diagnostics that are shown.
  public static let most = 500

  /// Creates a renderer.
  public init(isColored: Bool = false, maximumColumns: Int = 160) {
    self.isColored = isColored
    self.maximumColumns = maximumColumns
  }

  /// Renders all diagnostics, sorted by file and position, and a last line with their number.
  ///
  /// The result is empty if there are no diagnostics.
  public func render(_ diagnostics: some Sequence<Diagnostic>) -> String {
    let sorted = diagnostics.sortedByPlace()
    guard !sorted.isEmpty else { return "" }
    var text = sorted.prefix(Self.most).map { render($0) }.joined()
    // A file of a megabyte can have a hundred thousand errors, and nobody reads them.
    if sorted.count > Self.most { text += "… and \(sorted.count - Self.most) more\n" }
    return text + paint(DiagnosticSummary(of: sorted).description, .bold) + "\n"
  }

  /// Renders one diagnostic; the text ends with a line break.
  public func render(_ diagnostic: Diagnostic) -> String {
    var lines: [String] = []
    let style: Style = diagnostic.severity == .error ? .error : .warning
    let code = paint("[" + PrintableText.of(diagnostic.code.rawValue) + "]", .faint)
    lines.append(
      head(diagnostic.severity.rawValue, style, diagnostic.message, at: diagnostic.range) + " " + code)
    if let range = diagnostic.range { lines += excerpt(range, style) }
    for note in diagnostic.notes where note.range != nil {
      lines.append(head("note", .note, note.message, at: note.range))
      if let range = note.range { lines += excerpt(range, .note) }
    }
    for note in diagnostic.notes where note.range == nil { lines.append(remark("note", note.message)) }
    if let help = diagnostic.help { lines.append(remark("help", help)) }
    // A fix-it would only repeat the help.
    if diagnostic.help == nil { lines += diagnostic.fixIts.map { remark("help", $0.message) } }
    return lines.joined(separator: "\n") + "\n"
  }

  // MARK: - Parts

  private func head(_ kind: String, _ style: Style, _ message: String, at range: SourceRange?) -> String {
    var location = ""
    if let range {
      let start = range.start
      location = paint("\(PrintableText.of(range.file.path)):\(start.line):\(start.column):", .bold) + " "
    }
    return location + paint(kind + ":", style) + " " + paint(PrintableText.of(message), .bold)
  }

  private func remark(_ kind: String, _ message: String) -> String {
    "     " + paint("=", .faint) + " " + paint(kind + ":", .note) + " " + PrintableText.of(message)
  }

  /// The first line of a range with its mark. A range of several lines also shows its last line.
  private func excerpt(_ range: SourceRange, _ style: Style) -> [String] {
    let first = range.start.line
    var last = first
    if !range.offsets.isEmpty {
      // Use the last byte of the range, so that a range that ends with a line break does not include the next line.
      last = max(first, range.file.position(at: range.offsets.upperBound - 1).line)
    }
    let width = max(4, String(last).count)
    var lines = marked(first, range, width: width, startsHere: true, style)
    if last > first {
      if last > first + 1 { lines.append(gutter("...", width)) }
      lines += marked(last, range, width: width, startsHere: false, style)
    }
    return lines
  }

  private func marked(_ line: Int, _ range: SourceRange, width: Int, startsHere: Bool, _ style: Style) -> [String] {
    let bytes = range.file.line(line)
    var mark = range.offsets
    if !startsHere {
      let indentation = bytes.firstIndex { $0 != UInt8(ascii: " ") && $0 != UInt8(ascii: "\t") } ?? bytes.startIndex
      mark = min(indentation, mark.upperBound)..<mark.upperBound
    }
    let excerpt = SourceExcerpt(line: bytes, mark: mark, maximumColumns: maximumColumns)
    let underline = (startsHere ? "^" : "~") + String(repeating: "~", count: excerpt.markWidth - 1)
    let source = gutter(String(line), width) + (excerpt.text.isEmpty ? "" : " " + excerpt.text)
    let caret = gutter("", width) + " " + String(repeating: " ", count: excerpt.markStart) + paint(underline, style)
    return [source, caret]
  }

  private func gutter(_ label: String, _ width: Int) -> String {
    paint(String(repeating: " ", count: max(0, width - label.count)) + label + " |", .faint)
  }

  private func paint(_ text: String, _ style: Style) -> String {
    isColored ? "\u{1B}[\(style.rawValue)m\(text)\u{1B}[0m" : text
  }
}

extension DiagnosticRenderer {
  /// The style of a part of the output; the raw value is the ANSI code (ECMA-48 SGR).
  enum Style: String {
    case error = "1;31"
    case warning = "1;35"
    case note = "1;36"
    case bold = "1"
    case faint = "2"
  }
}
