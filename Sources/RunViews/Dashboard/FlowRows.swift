/// A table of flows with their state, last run and charts of their last runs.
struct FlowRows {
  private let now: Int64

  init(at now: Int64) { self.now = now }

  /// The elements of a table.
  ///
  /// - Parameter caption: what the table has, as plain text
  func table(_ caption: String, _ flows: some Sequence<Dashboard.Flow>) -> String {
    var table = PageTable(
      caption,
      [
        .init("Flow"), .init("State"), .init("Last run (UTC)"), .init("Records", isNumber: true),
        .init("Rejected", isNumber: true), .init("Seconds", isNumber: true), .init("Result"),
        .init("Last \(RunStrip.runs) runs"),
      ])
    for flow in flows { add(flow, to: &table) }
    return table.html
  }

  private func add(_ flow: Dashboard.Flow, to table: inout PageTable) {
    let last = flow.health.last
    var name = "<a href=\"\(Markup.text(flow.page))\"><b>\(Dashboard.shown(flow.id))</b></a>"
    if let failure = last.failure {
      name += "<span class=\"reason\">\(Markup.text(failure.message, limit: 160))</span>"
    }
    let records = Quantity.grouped(last.records)
    table.add(
      Self.kind(flow.health.state),
      [
        (name, false), (Self.tags(flow, now), false), (Self.moment(last, now), false),
        (
          flow.isSmaller ? "\(records)<br>usual \(Quantity.grouped(flow.health.usualRecords ?? 0))" : records,
          flow.isSmaller
        ),
        (Quantity.grouped(last.rejected), last.rejected > 0),
        (seconds(flow), flow.isSlower), (age(flow), flow.health.isStale(at: now)),
        (RunStrip(flow.health.runs).html, false),
      ])
  }

  private func seconds(_ flow: Dashboard.Flow) -> String {
    guard let duration = flow.health.last.duration else { return "-" }
    let text = Quantity.seconds(milliseconds: duration)
    guard flow.isSlower, let usual = flow.health.usualDuration else { return text }
    return "\(text)<br>usual \(Quantity.seconds(milliseconds: usual))"
  }

  private func age(_ flow: Dashboard.Flow) -> String {
    guard let age = flow.health.age(at: now) else { return "none" }
    guard flow.health.isStale(at: now), let freshness = flow.health.freshness else {
      return "<span class=\"age\">\(Moment.age(age))</span>"
    }
    return "<span class=\"age\">\(Moment.age(age))</span><br>"
      + "<span class=\"age small\">declared \(Quantity.age(.seconds(freshness)))</span>"
  }

  // MARK: - Parts that other pages have too

  /// The class of a state, which has its colour.
  static func kind(_ state: FlowHealth.State) -> String {
    switch state {
    case .failing: "failed"
    case .missing: "odd"
    case .passing: "passed"
    case .unknown: "cancelled"
    }
  }

  /// The state and what is unusual, in words.
  static func tags(_ flow: Dashboard.Flow, _ now: Int64) -> String {
    var text =
      "<span class=\"tag\">\(flow.health.state == .missing ? "missing records" : flow.health.state.rawValue)</span>"
    for list in [FlowList.stale, .slower, .smaller] where list.has(flow, at: now) {
      text += " <span class=\"tag odd\">\(list.rawValue)</span>"
    }
    return text
  }

  /// When a run started, and how long ago that is.
  static func moment(_ entry: HistoryEntry, _ now: Int64) -> String {
    let age = entry.startedAt.map {
      " <span class=\"age soft small\">\(Quantity.age(.seconds(max(0, now - $0)))) ago</span>"
    }
    return Moment(entry.started).html + (age ?? "")
  }
}
