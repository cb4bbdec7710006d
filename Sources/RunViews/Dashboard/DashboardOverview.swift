/// The start of a dashboard: the flows that need attention, then all flows or the pages that have them.
struct DashboardOverview {
  /// The number of flows of each list that are shown here. The whole list has pages of its own.
  private static let rows = 15

  private let dashboard: Dashboard
  private let now: Int64

  init(_ dashboard: Dashboard, _ now: Int64) {
    self.dashboard = dashboard
    self.now = now
  }

  /// The document.
  var text: String {
    let frame = DashboardFrame(dashboard, now)
    guard let newest = dashboard.flows.lazy.map(\.health.last).max(by: { $0.started < $1.started }) else {
      return frame.text(
        "No runs", Dashboard.start,
        "<section>\n<p>No run is in the history yet. <code>reactor run</code> adds one.</p>\n</section>\n")
    }
    let lists = FlowList.urgent.map { list in (list, dashboard.flows.filter { list.has($0, at: now) }) }
    var content = "<dl class=\"facts card\">\n"
    content += "<div><dt>Flows</dt><dd>\(Quantity.grouped(dashboard.flows.count))</dd></div>\n"
    for (list, flows) in lists {
      let count = Quantity.grouped(flows.count)
      content += "<div><dt>\(list.title)</dt><dd>"
      content += flows.isEmpty ? "0" : "<a href=\"#\(list.rawValue)\">\(count)</a>"
      content += "</dd></div>\n"
    }
    content += "<div><dt>Newest run (UTC)</dt><dd>\(FlowRows.moment(newest, now))</dd></div>\n</dl>\n"
    for (list, flows) in lists where !flows.isEmpty {
      content += "<section aria-labelledby=\"\(list.rawValue)\">\n<h2 id=\"\(list.rawValue)\">\(list.title)</h2>\n"
      content += FlowRows(at: now).table(Self.caption(list, shown: Self.rows, of: flows.count), flows.prefix(Self.rows))
      if flows.count > Self.rows {
        content += "<p class=\"more\"><a href=\"\(list.page(0))\">all \(Quantity.grouped(flows.count)) flows: "
        content += "\(list.title.lowercased())</a></p>\n"
      }
      content += "</section>\n"
    }
    return frame.text(title(lists.map { ($0, $1.count) }), Dashboard.start, content + all)
  }

  private func title(_ lists: [(list: FlowList, count: Int)]) -> String {
    let words = lists.filter { $0.count > 0 }.map {
      "\(Quantity.grouped($0.count)) \($0.list == .missing ? "missing records" : $0.list.rawValue)"
    }
    let flows = dashboard.flows.count == 1 ? "1 flow" : "\(Quantity.grouped(dashboard.flows.count)) flows"
    return "\(flows): \(words.isEmpty ? "all as usual" : words.joined(separator: ", "))"
  }

  /// All flows, or the pages of their list.
  private var all: String {
    let (list, flows) = (FlowList.all, dashboard.flows)
    var text = "<section aria-labelledby=\"all\">\n<h2 id=\"all\">\(list.title)</h2>\n"
    if flows.count <= FlowList.rows {
      text += FlowRows(at: now).table(Self.caption(list, shown: flows.count, of: flows.count), flows)
    } else {
      text += "<ul class=\"index\">\n"
      for number in 0..<list.pages(of: flows.count) {
        let range = number * FlowList.rows..<min((number + 1) * FlowList.rows, flows.count)
        text += "<li><a href=\"\(list.page(number))\">\(Dashboard.shown(flows[range.lowerBound].id, limit: 80)) to "
        text += "\(Dashboard.shown(flows[range.upperBound - 1].id, limit: 80))</a></li>\n"
      }
      text += "</ul>\n"
    }
    return text + "</section>\n"
  }

  static func caption(_ list: FlowList, shown: Int, of count: Int) -> String {
    let meaning = "\(list.meaning.prefix(1).uppercased())\(list.meaning.dropFirst())"
    return shown < count ? "\(meaning); the first \(shown) of \(Quantity.grouped(count))" : meaning
  }
}

/// One page of a list of flows.
struct FlowListPage {
  private let dashboard: Dashboard
  private let list: FlowList
  private let number: Int
  private let now: Int64
  private let flows: [Dashboard.Flow]

  /// Creates a page; nil when the list has less of them.
  init?(_ dashboard: Dashboard, _ list: FlowList, _ number: Int, _ now: Int64) {
    flows = dashboard.flows.filter { list.has($0, at: now) }
    guard number < list.pages(of: flows.count) else { return nil }
    (self.dashboard, self.list, self.number, self.now) = (dashboard, list, number, now)
  }

  /// The document.
  var text: String {
    let range = number * FlowList.rows..<min((number + 1) * FlowList.rows, flows.count)
    let count = list.pages(of: flows.count)
    var content = "<section>\n"
    content += FlowRows(at: now).table(
      "\(DashboardOverview.caption(list, shown: flows.count, of: flows.count)); "
        + "\(Quantity.grouped(range.lowerBound + 1)) to \(Quantity.grouped(range.upperBound)) of "
        + Quantity.grouped(flows.count), flows[range])
    if count > 1 {
      content += "<nav class=\"pages\" aria-label=\"Pages of this list\">\n"
      if number > 0 { content += "<a href=\"\(list.page(number - 1))\" rel=\"prev\">previous</a>\n" }
      content += "<span>page \(number + 1) of \(count)</span>\n"
      if number + 1 < count { content += "<a href=\"\(list.page(number + 1))\" rel=\"next\">next</a>\n" }
      content += "</nav>\n"
    }
    return DashboardFrame(dashboard, now).text(list.title, list.page(number), content + "</section>\n")
  }
}
