internal import SourceDiagnostics

extension HTMLReport {
  /// The number of problems that are shown open. Further problems show only their heading, which the reader can open.
  private static let maximumOpen = 20

  /// What went wrong, the errors of flow files first; then what passed with remarks.
  func problems(_ report: RunReport) -> String {
    let bad = report.flows.filter { $0.status != .passed }
    let odd = report.flows.filter { FlowFacts($0).isRemarkable }
    var text = ""
    if !bad.isEmpty || !report.errors.isEmpty {
      text += "<section aria-labelledby=\"wrong\">\n<h2 id=\"wrong\">What went wrong</h2>\n"
      for problem in report.errors {
        var content = "<p>\(Markup.text(problem.message))</p>\n"
        if let help = problem.help { content += "<p class=\"soft\">help: \(Markup.text(help))</p>\n" }
        if let file = problem.file, let line = problem.line { content += source(file, line) }
        text += details("error", problem.code, "error", problem.location, content, isOpen: true)
      }
      // The worst come first; a flow that did not start says the least.
      let order: [RunReport.Flow.Status] = [.failed, .error, .cancelled]
      for (number, flow) in order.flatMap({ status in bad.filter { $0.status == status } }).enumerated() {
        text += section(flow, isOpen: number < Self.maximumOpen && flow.status != .cancelled)
      }
      text += "</section>\n"
    }
    if !odd.isEmpty {
      text += "<section aria-labelledby=\"odd\">\n<h2 id=\"odd\">Passed, with remarks</h2>\n"
      for flow in odd { text += section(flow, isOpen: false) }
      text += "</section>\n"
    }
    return text
  }

  private func section(_ flow: RunReport.Flow, isOpen: Bool) -> String {
    let facts = FlowFacts(flow)
    var content = facts.reason.isEmpty ? "" : "<p>\(Markup.text(facts.reason))</p>\n"
    let remarks = facts.remarks(withDifferences: false)
    if !remarks.isEmpty {
      content += "<ul>\n" + remarks.map { "<li>\(Markup.text($0))</li>\n" }.joined() + "</ul>\n"
    }
    if !flow.details.isEmpty {
      content += "<pre class=\"source\">" + flow.details.map { Markup.text($0) + "\n" }.joined() + "</pre>\n"
    }
    if facts.hasErrorLocation { content += source(flow.file, facts.line) }
    content += differences(flow)
    let isOdd = flow.status == .passed
    return details(
      isOdd ? "odd" : flow.status.rawValue, flow.id, isOdd ? "passed, with remarks" : flow.status.rawValue,
      facts.location, content, isOpen: isOpen)
  }

  private func details(
    _ kind: String, _ title: String, _ tag: String, _ location: String, _ content: String, isOpen: Bool
  ) -> String {
    "<details class=\"\(kind)\"\(isOpen ? " open" : "")>\n<summary><h3>\(Markup.text(title))</h3> "
      + "<span class=\"tag\">\(tag)</span> <span class=\"place\">\(Markup.text(location))</span></summary>\n"
      + content + "</details>\n"
  }

  /// Lines of a flow file around a line; empty when they are unknown.
  private func source(_ file: String, _ line: Int) -> String {
    let lines = surroundings.lines(of: file, around: line)
    guard let last = lines.last else { return "" }
    let width = String(last.number).count
    let shown = lines.map { number, text in
      let numbered = "\(Quantity.padded(String(number), to: width, isRight: true))  \(Markup.text(text, limit: 300))\n"
      return number == line ? "<mark>\(numbered)</mark>" : numbered
    }
    return "<pre class=\"source\">" + shown.joined() + "</pre>\n"
  }

  // MARK: - Differences

  /// The differences from the golden, each as before and after in two columns.
  private func differences(_ flow: RunReport.Flow) -> String {
    var text = ""
    var place = ""
    for difference in flow.differences {
      text += "<div class=\"change\">\n<p>"
      text += "<b>\(Markup.text(difference.path + (difference.key.map { " \($0)" } ?? "")))</b> "
      text += "<code>\(Markup.text(difference.jsonPath))</code> "
      text += "<span class=\"place\">\(Markup.text("\(difference.file):\(difference.line)"))</span>"
      if let response = difference.response { text += "<br>from \(Markup.text(response))" }
      text += "</p>\n"
      // Differences of one field have one line of the flow file.
      if place != "\(difference.file):\(difference.line)" { text += source(difference.file, difference.line) }
      place = "\(difference.file):\(difference.line)"
      let (old, new) = Self.marked(difference.expected ?? "(absent)", difference.actual ?? "(absent)")
      text += "<div class=\"two\"><div><span class=\"label\">Before</span><pre>\(old)</pre></div>"
      text += "<div><span class=\"label\">After</span><pre>\(new)</pre></div></div>\n</div>\n"
    }
    if flow.differencesLeftOut > 0 {
      text += "<p>and \(flow.differencesLeftOut) more; --diff full shows all</p>\n"
    }
    return text
  }

  /// Two texts with the part marked that is not the same at the beginning and the end of both.
  private static func marked(_ old: String, _ new: String) -> (old: String, new: String) {
    let texts = [old, new].map { Array(PrintableText.of($0, limit: 2000).unicodeScalars) }
    var start = 0
    while start < min(texts[0].count, texts[1].count), texts[0][start] == texts[1][start] { start += 1 }
    var end = 0
    while end < min(texts[0].count, texts[1].count) - start,
      texts[0][texts[0].count - 1 - end] == texts[1][texts[1].count - 1 - end]
    { end += 1 }
    let shown = texts.map { scalars -> String in
      func part(_ range: Range<Int>) -> String {
        var text = String.UnicodeScalarView()
        text.append(contentsOf: scalars[range])
        return Markup.text(String(text), limit: .max)
      }
      let middle = part(start..<scalars.count - end)
      guard start + end > 0, !middle.isEmpty else { return part(0..<scalars.count) }
      return part(0..<start) + "<mark>\(middle)</mark>" + part(scalars.count - end..<scalars.count)
    }
    return (shown[0], shown[1])
  }
}
