extension HTMLReport {
  /// All flows, with a choice of the outcomes that are shown.
  func table(_ report: RunReport) -> String {
    guard !report.flows.isEmpty else { return "" }
    let text = "<section aria-labelledby=\"flows\">\n<h2 id=\"flows\">Flows</h2>\n" + filter(report)
    let isReplay = report.flows.contains { $0.cassette != nil }
    let hasRuns = !surroundings.runs.isEmpty
    var columns: [PageTable.Column] = [
      .init("Flow"), .init("Status"), .init("Records", isNumber: true), .init("Rejected", isNumber: true),
    ]
    if report.hasTiming { columns.append(.init("Seconds", isNumber: true)) }
    if hasRuns { columns.append(.init("Last \(RunStrip.runs) runs")) }
    columns.append(.init("Source"))
    columns += isReplay ? [.init("Recording"), .init("Golden")] : [.init("Received", isNumber: true), .init("Result")]
    var table = PageTable("Each flow of the run", columns)
    for flow in report.flows {
      let facts = FlowFacts(flow)
      var cells: [(html: String, isOdd: Bool)] = [
        (
          "<b>\(Markup.text(flow.id))</b><br><span class=\"place\">\(Markup.text(facts.declaration))</span>",
          false
        ),
        ("<span class=\"tag\">\(flow.status.rawValue)</span>", false),
        (Quantity.grouped(flow.records), false), (Quantity.grouped(flow.rejected), flow.rejected > 0),
      ]
      if report.hasTiming { cells.append((facts.seconds ?? "-", false)) }
      if hasRuns { cells.append((RunStrip(surroundings.runs[flow.id] ?? []).html, false)) }
      cells.append((Markup.text(facts.source), false))
      if isReplay {
        cells += [flow.cassette, flow.golden].map {
          ("<span class=\"place\">\(Markup.text($0 ?? "-"))</span>", false)
        }
      } else {
        cells.append((flow.bytes > 0 ? Quantity.bytes(flow.bytes) : "-", false))
        cells.append((result(flow, report), false))
      }
      table.add(Self.outcome(flow), cells)
    }
    return text + table.html + "</section>\n"
  }

  /// The result of a flow: where it is, and when its data is of.
  private func result(_ flow: RunReport.Flow, _ report: RunReport) -> String {
    let isPersisted = flow.save == "saved" || flow.source == "persistence"
    let path = isPersisted ? flow.path ?? "-" : flow.save == "none" ? "-" : "not saved"
    var text = "<span class=\"place\">\(Markup.text(path))</span>"
    if flow.rejected > 0, let path = flow.rejectedPath {
      text += "<br><span class=\"place\">rejected: \(Markup.text(path))</span>"
    }
    guard let now = surroundings.now else { return text }
    let health = surroundings.health(of: flow.id)
    if let pulled = health?.lastPull?.startedAt {
      text += "<br>\(Moment(pulled).html) <span class=\"soft\">\(Moment.age(now - pulled))</span>"
    } else if isPersisted, flow.source != "persistence", let started = report.startedAt {
      text += "<br>\(Moment(started).html)"
    }
    if health?.isStale(at: now) ?? false { text += " <span class=\"tag odd\">stale</span>" }
    return text
  }

  /// The class of a flow, by which the filter finds it.
  private static func outcome(_ flow: RunReport.Flow) -> String {
    FlowFacts(flow).isRemarkable ? "odd" : flow.status.rawValue
  }

  /// Radio buttons that choose outcomes; they need no script.
  private func filter(_ report: RunReport) -> String {
    let outcomes: [(kind: String, words: String)] = [
      ("failed", "failed"), ("error", "error"), ("cancelled", "cancelled"), ("odd", "with remarks"),
      ("passed", "passed"),
    ]
    let present = outcomes.map { kind, words in
      (kind, words, report.flows.count { Self.outcome($0) == kind })
    }.filter { $0.2 > 0 }
    guard present.count > 1 else { return "" }
    var text = "<fieldset class=\"filter\"><legend class=\"hidden\">Flows to show</legend>\n"
    text += "<label><input type=\"radio\" name=\"show\" id=\"show-all\" checked> all \(report.flows.count)</label>\n"
    for (kind, words, count) in present {
      text += "<label><input type=\"radio\" name=\"show\" id=\"show-\(kind)\"> "
      text += "<span class=\"tag \(kind)\">\(count) \(words)</span></label>\n"
    }
    return text + "</fieldset>\n"
  }
}
