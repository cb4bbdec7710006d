/// The page of one flow: how it is, charts of its runs, what went wrong, and its last runs.
struct FlowPage {
  /// The numbers of failures and of runs that are shown.
  private static let (failures, runs) = (10, 50)

  private let dashboard: Dashboard
  private let flow: Dashboard.Flow
  private let now: Int64

  init(_ dashboard: Dashboard, _ flow: Dashboard.Flow, _ now: Int64) {
    (self.dashboard, self.flow, self.now) = (dashboard, flow, now)
  }

  /// The document.
  var text: String {
    DashboardFrame(dashboard, now).text(
      flow.id, flow.page, facts + failures + charts + LineagePage.neighbours(of: flow, in: dashboard) + table)
  }

  private var facts: String {
    let health = flow.health
    var facts = [("State", FlowRows.tags(flow, now)), ("Last run (UTC)", FlowRows.moment(health.last, now))]
    if let first = health.firstFailure {
      facts.append(("Failing since (UTC)", FlowRows.moment(first, now)))
      facts.append(("Runs that did not pass", Quantity.grouped(health.failures)))
      facts.append(("Last success (UTC)", health.lastSuccess.map { FlowRows.moment($0, now) } ?? "none"))
    }
    if let pull = health.lastPull {
      facts.append(("Result of (UTC)", FlowRows.moment(pull, now)))
      let usual = health.usualRecords.map { " <span class=\"soft small\">usual \(Quantity.grouped($0))</span>" }
      facts.append(("Records", Quantity.grouped(pull.records) + (usual ?? "")))
      if let duration = pull.duration {
        let usual = health.usualDuration.map {
          " <span class=\"soft small\">usual \(Quantity.seconds(milliseconds: $0)) s</span>"
        }
        facts.append(("Duration", "\(Quantity.seconds(milliseconds: duration)) s\(usual ?? "")"))
      }
      if let result = pull.result { facts.append(("Result", "<span class=\"place\">\(Markup.text(result))</span>")) }
    }
    if let freshness = health.freshness {
      facts.append(("Declared maximum age", Quantity.age(.seconds(freshness))))
    }
    if let cursor = health.runs.last(where: { $0.cursorAfter != nil })?.cursorAfter {
      facts.append(("Cursor", "<span class=\"place\">\(Markup.text(cursor, limit: 200))</span>"))
    }
    return "<dl class=\"facts card \(FlowRows.kind(health.state))\">\n"
      + facts.map { "<div><dt>\($0)</dt><dd>\($1)</dd></div>\n" }.joined() + "</dl>\n"
  }

  private var charts: String {
    let runs = flow.health.runs
    var text = "<section aria-labelledby=\"charts\">\n<h2 id=\"charts\">\(Quantity.count(runs.count, "run"))</h2>\n"
    text += "<div class=\"charts\">\n"
    text += RunChart("Duration", runs, value: \.duration) { "\(Quantity.seconds(milliseconds: $0)) s" }.html
    text +=
      RunChart("Records", runs) {
        Int64($0.records)
      } words: {
        Quantity.grouped(Int($0))
      }.html
    text +=
      RunChart("Rejected records", runs) {
        Int64($0.rejected)
      } words: {
        Quantity.grouped(Int($0))
      }.html
    return text + "</div>\n</section>\n"
  }

  private var failures: String {
    let failed = flow.health.runs.reversed().lazy.filter { $0.status != .passed || $0.failure != nil }
      .prefix(Self.failures)
    guard !failed.isEmpty else { return "" }
    var text =
      "<section aria-labelledby=\"failures\">\n<h2 id=\"failures\">Last failures</h2>\n<ol class=\"failures\">\n"
    for entry in failed {
      text +=
        "<li>\(FlowRows.moment(entry, now)) <span class=\"tag \(entry.status.rawValue)\">\(entry.status.rawValue)</span>"
      if let failure = entry.failure {
        text += " <code>\(Markup.text(failure.kind))</code><br>\(Markup.text(failure.message, limit: 500))"
      }
      text += "</li>\n"
    }
    return text + "</ol>\n</section>\n"
  }

  private var table: String {
    let shown = flow.health.runs.reversed().prefix(Self.runs)
    let hasCursor = shown.contains { $0.cursorAfter != nil }
    var columns: [PageTable.Column] = [
      .init("Started (UTC)"), .init("Status"), .init("Seconds", isNumber: true), .init("Records", isNumber: true),
      .init("Rejected", isNumber: true), .init("Received", isNumber: true), .init("Retries", isNumber: true),
      .init("Waited", isNumber: true),
    ]
    if hasCursor { columns.append(.init("Cursor")) }
    columns.append(.init("Program"))
    var table = PageTable("The last \(Quantity.count(shown.count, "run")), the newest first", columns)
    for entry in shown {
      let isPersisted = entry.source == "persistence"
      var cells: [(html: String, isOdd: Bool)] = [
        (Moment(entry.started).html, false), ("<span class=\"tag\">\(entry.status.rawValue)</span>", false),
        (entry.duration.map { Quantity.seconds(milliseconds: $0) } ?? "-", false),
        (Quantity.grouped(entry.records), false),
        (Quantity.grouped(entry.rejected), entry.rejected > 0),
        (isPersisted ? "persisted" : Quantity.bytes(entry.bytes), false),
        (Quantity.grouped(entry.retries), entry.retries > 0),
        (entry.waited > 0 ? Quantity.seconds(milliseconds: entry.waited) + " s" : "-", false),
      ]
      if hasCursor {
        let cursor = entry.cursorAfter.map { Markup.text($0, limit: 80) } ?? "-"
        cells.append(("<span class=\"place\">\(cursor)</span>", false))
      }
      cells.append(("<span class=\"place\">\(Markup.text(entry.tool, limit: 40))</span>", false))
      table.add(entry.isPartial ? "odd" : entry.status.rawValue, cells)
    }
    return "<section aria-labelledby=\"runs\">\n<h2 id=\"runs\">Last runs</h2>\n\(table.html)</section>\n"
  }
}
