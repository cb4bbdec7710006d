/// A page with the lineage of flows, as graphs and as a table.
struct LineagePage {
  private let dashboard: Dashboard
  private let number: Int
  private let now: Int64

  init(_ dashboard: Dashboard, _ number: Int, _ now: Int64) {
    (self.dashboard, self.number, self.now) = (dashboard, number, now)
  }

  /// The document.
  var text: String {
    let lineage = dashboard.lineage
    let groups = lineage.pages[number]
    var content = "<section aria-labelledby=\"graph\">\n<h2 id=\"graph\">Graph</h2>\n"
    content += "<p class=\"soft\">A line leads from a flow, to the right, to those that take its records.</p>\n"
    for group in groups { content += LineageDrawing(dashboard, group).html }
    content += "</section>\n<section aria-labelledby=\"links\">\n<h2 id=\"links\">Links</h2>\n"
    var table = PageTable("Each flow with its parents", [.init("Flow"), .init("Takes the records of"), .init("State")])
    for flow in groups.joined() {
      let state = dashboard.flow(lineage.ids[flow])
      table.add(
        state.map { FlowRows.kind($0.health.state) } ?? "",
        [
          Self.link(lineage.ids[flow], dashboard), Self.links(lineage.parents[flow], dashboard),
          state.map { FlowRows.tags($0, now) } ?? "no run",
        ])
    }
    content += table.html
    if lineage.pages.count > 1 {
      content += "<nav class=\"pages\" aria-label=\"Pages of the lineage\">\n"
      if number > 0 { content += "<a href=\"\(FlowLineage.page(number - 1))\" rel=\"prev\">previous</a>\n" }
      content += "<span>page \(number + 1) of \(lineage.pages.count)</span>\n"
      if number + 1 < lineage.pages.count {
        content += "<a href=\"\(FlowLineage.page(number + 1))\" rel=\"next\">next</a>\n"
      }
      content += "</nav>\n"
    }
    return DashboardFrame(dashboard, now).text("Lineage", FlowLineage.page(number), content + "</section>\n")
  }

  /// The lineage of one flow, for its page; empty when it is linked to no other.
  static func neighbours(of flow: Dashboard.Flow, in dashboard: Dashboard) -> String {
    let lineage = dashboard.lineage
    guard let position = lineage.position(of: flow.id) else { return "" }
    var text = "<section aria-labelledby=\"lineage\">\n<h2 id=\"lineage\">Lineage</h2>\n"
    text += LineageDrawing(dashboard, lineage.neighbours(of: position), own: flow.id).html
    for (words, others) in [
      ("Takes the records of", lineage.parents[position]), ("Its records are taken by", lineage.children[position]),
    ] where !others.isEmpty {
      text += "<p>\(words): \(links(others, dashboard))</p>\n"
    }
    return text + "</section>\n"
  }

  /// The number of links that a list of flows has at most.
  private static let most = 30

  private static func links(_ flows: [Int], _ dashboard: Dashboard) -> String {
    let shown = flows.prefix(most).map { link(dashboard.lineage.ids[$0], dashboard) }.joined(separator: ", ")
    return flows.count > most ? "\(shown) and \(Quantity.grouped(flows.count - most)) more" : shown
  }

  private static func link(_ id: String, _ dashboard: Dashboard) -> String {
    let text = Dashboard.shown(id)
    return dashboard.flow(id).map { "<a href=\"\(Markup.text($0.page))\">\(text)</a>" } ?? text
  }
}
