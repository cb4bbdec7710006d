internal import ReactorCore
internal import SourceDiagnostics

/// Formats one page for a browser: what went wrong, all flows, and the timeline.
///
/// The page needs no scripts and no other files, and follows the light or dark scheme of the reader.
package struct HTMLReport: Sendable {
  let surroundings: RunSurroundings

  /// Creates the format.
  ///
  /// - Parameter surroundings: what the page shows beside the report
  package init(_ surroundings: RunSurroundings = RunSurroundings()) { self.surroundings = surroundings }

  /// The HTML document.
  package func text(_ report: RunReport) -> String {
    let content = """
      <header class="card">
      \(head(report))</header>
      <main>
      \(problems(report))\(table(report))\(Self.timeline(report))</main>
      <footer>reactor \(Markup.text(report.tool)) · exit code \(report.exit)\(made(report))</footer>

      """
    return Page(report.sentence, style: Self.style, content: content).text
  }

  private func head(_ report: RunReport) -> String {
    let isGood = report.exit == 0
    let words = !report.isComplete ? "Not complete" : isGood ? "Passed" : "Did not pass"
    var text = "<p class=\"verdict \(isGood ? "passed" : "failed")\">\(words)</p>\n"
    text += "<h1>\(Markup.text(report.sentence))</h1>\n<dl class=\"facts\">\n"
    var facts: [(String, String)] = []
    if let start = report.startedAt { facts.append(("Started (UTC)", Moment(start).html)) }
    if let duration = report.duration { facts.append(("Duration", Quantity.seconds(milliseconds: duration) + " s")) }
    facts.append(("Records", Quantity.grouped(report.records)))
    if report.rejected > 0 { facts.append(("Rejected", Quantity.grouped(report.rejected))) }
    if report.filtered > 0 { facts.append(("Left out", Quantity.grouped(report.filtered))) }
    facts.append(("Received", Quantity.bytes(report.bytes)))
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
    return text
  }

  /// When the page was made, from which ages count.
  private func made(_ report: RunReport) -> String {
    surroundings.now.map { " · made \(Moment($0).html) UTC" } ?? ""
  }
}
