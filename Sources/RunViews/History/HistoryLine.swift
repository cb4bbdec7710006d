internal import SourceDiagnostics

/// The lines of `reactor history`: one for each run of a flow, and the reason when it did not pass.
package struct HistoryLine: Sendable {
  private let style: TextStyle
  private let width: Int
  private let isVerbose: Bool

  /// Creates a format for the lines.
  ///
  /// - Parameters:
  ///   - width: the width of the column of ids
  ///   - isVerbose: whether the run's id, the source, and the versions are shown too
  package init(style: TextStyle, width: Int, isVerbose: Bool) {
    self.style = style
    self.width = width
    self.isVerbose = isVerbose
  }

  /// The lines of an entry, with line ends.
  package func text(_ entry: HistoryEntry) -> String {
    var parts = [PrintableText.of(entry.started), Quantity.padded(PrintableText.of(entry.flow), to: width)]
    parts.append(style.paint(Quantity.padded(entry.status.rawValue, to: 9), entry.status == .passed ? .good : .bad))
    let unit = entry.records == 1 ? "record " : "records"
    parts.append("\(Quantity.padded(Quantity.grouped(entry.records), to: 9, isRight: true)) \(unit)")
    if entry.rejected > 0 { parts.append("\(Quantity.grouped(entry.rejected)) rejected") }
    if entry.source == "persistence" { parts.append("persisted") } else { parts.append(Quantity.bytes(entry.bytes)) }
    if let duration = entry.duration { parts.append(Quantity.seconds(milliseconds: duration) + "s") }
    if let result = entry.result { parts.append(PrintableText.of(result)) }
    if let after = entry.cursorAfter, after != entry.cursorBefore {
      parts.append("\(entry.cursorBefore.map { PrintableText.of($0) } ?? "start") to \(PrintableText.of(after))")
    }
    var text = parts.joined(separator: "  ") + "\n"
    if let failure = entry.failure { text += "    \(PrintableText.of(failure.message, limit: 500))\n" }
    if isVerbose {
      let version = entry.version.map { ", version \($0)" } ?? ""
      text += "    run \(PrintableText.of(entry.run)), reactor \(PrintableText.of(entry.tool + version))\n"
    }
    return text
  }
}

extension HistoryEntry {
  /// The part of the id that names the flow in its file.
  package var name: String { flow.firstIndex(of: ".").map { String(flow[flow.index(after: $0)...]) } ?? flow }
}
