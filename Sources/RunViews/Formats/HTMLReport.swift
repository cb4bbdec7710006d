internal import ReactorCore
internal import SourceDiagnostics

/// Formats one page for a browser: verdict, timeline, problems, and all flows.
///
/// The page needs no scripts and no other files, and follows the light or dark scheme of the reader.
package struct HTMLReport: Sendable {
  /// The number of problems that are shown open. Further problems show only their heading, which the reader can open.
  private static let maximumOpen = 20

  /// Creates the format.
  package init() {}

  /// The HTML document.
  package func text(_ report: RunReport) -> String {
    var page = """
      <!doctype html>
      <html lang="en">
      <head>
      <meta charset="utf-8">
      <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
      <meta name="viewport" content="width=device-width, initial-scale=1">
      <meta name="color-scheme" content="light dark">
      <title>\(Markup.text(report.sentence)) – reactor</title>
      <style>
      \(Self.style)</style>
      </head>
      <body>
      <main>

      """
    page += head(report)
    page += Self.timeline(report)
    page += problems(report)
    page += table(report)
    page +=
      "<footer>reactor \(Markup.text(report.tool)) · exit code \(report.exit)</footer>\n</main>\n</body>\n</html>\n"
    return page
  }

  // MARK: - Head

  private func head(_ report: RunReport) -> String {
    let isGood = report.exit == 0
    let words = !report.isComplete ? "Not complete" : isGood ? "Passed" : "Did not pass"
    var text = "<header>\n<p class=\"verdict \(isGood ? "passed" : "failed")\">\(words)</p>\n"
    text += "<h1>\(Markup.text(report.sentence))</h1>\n<dl class=\"facts\">\n"
    var facts = [("Records", Quantity.grouped(report.records))]
    if report.rejected > 0 { facts.append(("Rejected", Quantity.grouped(report.rejected))) }
    if report.filtered > 0 { facts.append(("Left out", Quantity.grouped(report.filtered))) }
    facts.append(("Received", Quantity.bytes(report.bytes)))
    if let start = report.startedAt { facts.append(("Started", Markup.text(start))) }
    if let duration = report.duration { facts.append(("Duration", Quantity.seconds(milliseconds: duration) + " s")) }
    if let shard = report.shard { facts.append(("Shard", shard.text)) }
    for (name, value) in facts { text += "<div><dt>\(name)</dt><dd>\(value)</dd></div>\n" }
    text += "</dl>\n"
    if !report.flows.isEmpty {
      text += "<div class=\"share\" role=\"img\" aria-label=\"\(Markup.text(report.sentence))\">"
      for status in RunReport.Flow.Status.allCases where report.count(status) > 0 {
        text += "<i class=\"\(status.rawValue)\" style=\"flex:\(report.count(status))\"></i>"
      }
      text += "</div>\n"
    }
    return text + "</header>\n"
  }

  // MARK: - Problems

  private func problems(_ report: RunReport) -> String {
    let bad = report.flows.filter { $0.status != .passed || FlowFacts($0).isRemarkable }
    guard !bad.isEmpty || !report.errors.isEmpty else { return "" }
    var text = "<section>\n<h2>Problems</h2>\n"
    for problem in report.errors {
      text += section(
        "error", problem.code, problem.location, problem.message, problem.help.map { ["help: \($0)"] } ?? [],
        isOpen: true)
    }
    var open = 0
    for flow in bad {
      let isOpen = flow.status != .passed && open < Self.maximumOpen
      if isOpen { open += 1 }
      let facts = FlowFacts(flow)
      let status = flow.status == .passed ? "odd" : flow.status.rawValue
      text += section(status, flow.id, facts.location, facts.reason, facts.remarks, isOpen: isOpen)
    }
    return text + "</section>\n"
  }

  private func section(
    _ status: String, _ title: String, _ location: String, _ reason: String, _ remarks: [String], isOpen: Bool
  ) -> String {
    var text = "<details class=\"\(status)\"\(isOpen ? " open" : "")>\n<summary><b>\(Markup.text(title))</b> "
    text += "<span class=\"tag \(status)\">\(status == "odd" ? "passed, with remarks" : status)</span> "
    text += "<span class=\"place\">\(Markup.text(location))</span></summary>\n"
    if !reason.isEmpty { text += "<p>\(Markup.text(reason))</p>\n" }
    if !remarks.isEmpty {
      text += "<ul>\n" + remarks.map { "<li>\(Markup.text($0))</li>\n" }.joined() + "</ul>\n"
    }
    return text + "</details>\n"
  }

  // MARK: - All flows

  private func table(_ report: RunReport) -> String {
    guard !report.flows.isEmpty else { return "" }
    var text = "<section>\n<h2>All flows</h2>\n<div class=\"wide\"><table>\n<thead><tr><th>Flow</th><th>Status</th>"
    text += "<th class=\"n\">Records</th><th class=\"n\">Rejected</th><th>Source</th><th class=\"n\">Received</th>"
    text += report.hasTiming ? "<th class=\"n\">Seconds</th>" : ""
    text += "<th>Result</th></tr></thead>\n<tbody>\n"
    for flow in report.flows {
      let facts = FlowFacts(flow)
      text += "<tr><td><b>\(Markup.text(flow.id))</b><br>"
      text += "<span class=\"place\">\(Markup.text(facts.declaration))</span></td>"
      text += "<td><span class=\"tag \(flow.status.rawValue)\">\(flow.status.rawValue)</span></td>"
      text += "<td class=\"n\">\(Quantity.grouped(flow.records))</td>"
      text += "<td class=\"n\(flow.rejected > 0 ? " warn" : "")\">\(Quantity.grouped(flow.rejected))</td>"
      text += "<td>\(facts.source)</td><td class=\"n\">\(flow.bytes > 0 ? Quantity.bytes(flow.bytes) : "-")</td>"
      if report.hasTiming { text += "<td class=\"n\">\(facts.seconds ?? "-")</td>" }
      let isPersisted = flow.save == "saved" || flow.source == "persistence"
      text += "<td>\(isPersisted ? Markup.text(flow.path ?? "-") : flow.save == "none" ? "-" : "not saved")"
      if flow.rejected > 0, let path = flow.rejectedPath {
        text += "<br><span class=\"place\">rejected: \(Markup.text(path))</span>"
      }
      text += "</td></tr>\n"
    }
    return text + "</tbody>\n</table></div>\n</section>\n"
  }
}
