/// The frame of all pages of a dashboard: navigation, heading, content and when it was made.
struct DashboardFrame {
  private let dashboard: Dashboard
  private let now: Int64

  init(_ dashboard: Dashboard, _ now: Int64) {
    self.dashboard = dashboard
    self.now = now
  }

  /// The document of a page.
  ///
  /// - Parameters:
  ///   - title: the heading as plain text
  ///   - name: the name of the page, which its own link says
  ///   - content: the elements below the heading
  func text(_ title: String, _ name: String, _ content: String) -> String {
    var links = [(Dashboard.start, "Overview")]
    if !dashboard.flows.isEmpty { links.append((FlowList.all.page(0), FlowList.all.title)) }
    if !dashboard.lineage.pages.isEmpty { links.append((FlowLineage.page(0), "Lineage")) }
    let navigation = links.map { page, words in
      "<a href=\"\(page)\"\(page == name ? " aria-current=\"page\"" : "")>\(words)</a>"
    }
    let content = """
      <a class="skip" href="#content">Skip to the content</a>
      <header>
      <nav aria-label="Pages">\(navigation.joined(separator: "\n"))</nav>
      </header>
      <main id="content">
      <h1>\(Dashboard.shown(title))</h1>
      \(content)</main>
      <footer>reactor \(Markup.text(dashboard.tool)) · made \(Moment(now).html) UTC</footer>

      """
    return Page(title, style: Self.style, content: content).text
  }

  private static let style = """
    nav { display: flex; flex-wrap: wrap; gap: 4px 20px; }
    nav a, .more a { padding: 4px 0; }
    nav a[aria-current] { color: var(--ink); font-weight: 600; text-decoration: none; }
    h1 { margin: 14px 0 12px; }
    .chart { margin: 0 0 18px; }
    .chart svg { display: block; width: 100%; height: 84px; border-bottom: 1px solid var(--line); background: var(--page); }
    .chart path { fill: none; stroke: var(--c, var(--load)); stroke-width: 4; }
    .chart .ends { display: flex; justify-content: space-between; gap: 12px; margin: 2px 0 0; }
    .charts { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 340px), 1fr)); gap: 0 28px; }
    .wide { overflow-x: auto; padding: 4px 0 8px; }
    .graph { display: block; font: 13px system-ui, sans-serif; }
    .graph rect { fill: var(--page); stroke: var(--c, var(--soft)); stroke-width: 1.5; }
    .graph .own rect { stroke-width: 3; }
    .graph text { fill: var(--ink); } .graph a text { fill: var(--link); text-decoration: underline; }
    .graph path { fill: none; stroke: var(--soft); stroke-width: 1.5; }
    .reason { display: block; color: var(--soft); font-size: 13px; overflow-wrap: anywhere; }
    .failures { padding-left: 20px; margin: 0; } .failures li { margin: 0 0 8px; overflow-wrap: anywhere; }
    .index { columns: 260px; column-gap: 28px; padding: 0; margin: 0; list-style: none; }
    .index li { overflow-wrap: anywhere; margin: 0 0 4px; break-inside: avoid; }
    .pages { margin: 12px 0 0; }

    """
}
