internal import SourceDiagnostics

/// Formats Markdown (GitHub's flavour): first the problems with their reasons, then a table of all flows.
///
/// The text has a maximum length, and the number of omitted entries is shown. Text from files and servers is written
/// as entities, so it cannot add formatting or mention a user.
package struct MarkdownReport: Sendable {
  /// The maximum size that GitHub accepts for the summary of one step, in bytes.
  package static let largestStepSummary = 1 << 20

  /// The maximum length in bytes.
  package let limit: Int

  /// Creates a format with a maximum length.
  package init(limit: Int = MarkdownReport.largestStepSummary) { self.limit = limit }

  /// The Markdown text; empty when not even the head fits.
  package func text(_ report: RunReport) -> String {
    var text = head(report)
    guard text.utf8.count + 200 <= limit else { return "" }
    // 200 bytes are reserved for the sentences that count omitted entries.
    let room = limit - 200
    let bad = report.flows.filter { $0.status != .passed || !FlowFacts($0).shortfalls.isEmpty }
    // Half of the remaining length is reserved for the table of all flows.
    let share = text.utf8.count + (room - text.utf8.count) / 2
    if !report.errors.isEmpty || !bad.isEmpty {
      let parts = report.errors.lazy.map(details) + bad.lazy.map(details)
      let isOdd = report.errors.isEmpty && bad.allSatisfy { $0.status == .passed }
      text += "## \(isOdd ? "Problems" : "What did not pass")\n\n"
      append(Array(parts), to: &text, room: share) { "\n\(Quantity.grouped($0)) more are left out here.\n\n" }
    }
    guard !report.flows.isEmpty else { return text }
    text += "## All flows\n\n|  | Flow | Records | Rejected | Source |\(report.hasTiming ? " Seconds |" : "")\n"
    text += "|---|---|---:|---:|---|\(report.hasTiming ? "---:|" : "")\n"
    append(report.flows.map { row($0, hasTiming: report.hasTiming) }, to: &text, room: room) {
      "\n\(Quantity.grouped($0)) more flows are left out here.\n"
    }
    return text
  }

  private func append(_ parts: [String], to text: inout String, room: Int, left: (Int) -> String) {
    var count = text.utf8.count
    for (index, part) in parts.enumerated() {
      count += part.utf8.count
      guard count <= room else {
        text += left(parts.count - index)
        return
      }
      text += part
    }
  }

  private func head(_ report: RunReport) -> String {
    let isGood = report.exit == 0
    var text = "# \(isGood ? "✅" : "❌") reactor: \(report.sentence)\n\n"
    var facts = [Quantity.grouped(report.records) + (report.records == 1 ? " record" : " records")]
    if report.rejected > 0 { facts.append("\(Quantity.grouped(report.rejected)) rejected") }
    if report.filtered > 0 { facts.append("\(Quantity.grouped(report.filtered)) left out") }
    facts.append(Quantity.bytes(report.bytes))
    if let duration = report.duration { facts.append("\(Quantity.seconds(milliseconds: duration)) s") }
    if let start = report.startedAt { facts.append(Self.text(start)) }
    facts.append("exit code \(report.exit)")
    if let shard = report.shard { facts.append("shard \(shard.text)") }
    text += facts.joined(separator: " · ") + "\n\n"
    if !report.isComplete { text += "**The run is not complete.**\n\n" }
    return text
  }

  private func details(_ flow: RunReport.Flow) -> String {
    let facts = FlowFacts(flow)
    let head = "### \(Self.symbol(flow.status)) \(Self.text(flow.id))\n\n\(Self.text(facts.location))\n\n"
    return head + block([facts.reason] + facts.remarks)
  }

  private func details(_ problem: RunReport.Problem) -> String {
    let title = problem.location.isEmpty ? problem.code : problem.location
    return "### ❌ \(Self.text(title))\n\n" + block([problem.message, problem.help.map { "help: \($0)" } ?? ""])
  }

  /// A block of lines in which Markdown has no effect.
  private func block(_ lines: [String]) -> String {
    let lines = lines.filter { !$0.isEmpty }.map { Self.text($0) }
    return lines.isEmpty ? "" : "<pre>\(lines.joined(separator: "\n"))</pre>\n\n"
  }

  private func row(_ flow: RunReport.Flow, hasTiming: Bool) -> String {
    let facts = FlowFacts(flow)
    let path = flow.rejected > 0 ? flow.rejectedPath : nil
    var cells = [
      Self.symbol(flow.status), Self.text(flow.id), String(flow.records),
      String(flow.rejected) + (path.map { " (\(Self.text($0)))" } ?? ""), facts.source,
    ]
    if hasTiming { cells.append(facts.seconds ?? "-") }
    return "| \(cells.joined(separator: " | ")) |\n"
  }

  private static func symbol(_ status: RunReport.Flow.Status) -> String {
    switch status {
    case .passed: "✅"
    case .failed: "❌ failed"
    case .error: "❗ error"
    case .cancelled: "➖ cancelled"
    }
  }

  /// A text in which the punctuation of Markdown, HTML and GitHub is written as entities.
  static func text(_ text: String) -> String {
    var result = ""
    for scalar in PrintableText.of(text, limit: 600).unicodeScalars {
      switch scalar {
      case "!", "\"", "#", "$", "%", "&", "'", "(", ")", "*", "+", ";", "<", "=", ">", "?", "@", "[", "\\", "]", "^",
        "_", "`", "{", "|", "}", "~", ":":
        result += "&#\(scalar.value);"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
