import Foundation
import RunViews
import Testing

/// The pages of a dashboard and of reports in a real browser, judged by axe.
@Suite(.serialized, .timeLimit(.minutes(5))) struct DashboardBrowserTests {
  static let purpose = "pages in Chromium"

  static func dashboard(_ name: String) -> Dashboard {
    let names =
      switch name {
      case "empty": [String]()
      case "hostile": DashboardTests.hostile
      case "huge": (0..<10_000).map { "team\($0 / 250).flow_\($0)" }
      default: ["shop.customers", "shop.orders", "shop.items"]
      }
    let entries = names.enumerated().flatMap { position, flow in
      ReportPageTests.runs(flow, name == "huge" ? 6 : 365) { entry, number in
        entry.rejected = number % 7 == 0 ? 3 : 0
        (entry.tool, entry.result) = (flow, flow)
        if position % 3 == 1 { (entry.freshness, entry.cursorAfter) = (60, flow) }
        if position % 3 == 0, number % 365 > 4 { entry.status = number % 2 == 0 ? .failed : .error }
      }
    }
    let links = names.prefix(200).enumerated().map { (id: $1, parents: $0 == 0 ? [] : [names[$0 / 2]]) }
    return Dashboard(entries, links: links, tool: "9.9.9")
  }

  /// The kinds of pages that a dashboard has, one of each.
  static func pages(_ dashboard: Dashboard) -> [String: [UInt8]] {
    let names = dashboard.names(at: DashboardTests.noon)
    let chosen = [
      Dashboard.start, "all-1.html", "failing-1.html", "lineage-1.html", names.first { $0.hasPrefix("flow-") } ?? "",
    ]
    return Dictionary(
      chosen.compactMap { name in dashboard.page(name, at: DashboardTests.noon).map { (name, $0) } }
    ) { first, _ in first }
  }

  private static func expectNothing(_ findings: [PageReading.Finding]) {
    for finding in findings {
      let place = "\(finding.url) \(finding.width) \(finding.scheme)"
      #expect(finding.console == [], "\(place)")
      #expect(finding.axe ?? [] == [], "\(place)")
      #expect(finding.overflow == 0, "\(place)")
      #expect(finding.title != "owned", "\(place)")
    }
  }

  @Test(arguments: ["empty", "failing", "hostile", "huge"])
  func `a dashboard has no finding in any width and scheme`(name: String) throws {
    let pages = Self.pages(Self.dashboard(name))
    #expect(pages.count == (name == "empty" ? 1 : 5))
    for (page, bytes) in pages { #expect(bytes.count < 300_000, "\(page)") }
    guard let findings = try PageReading.read(pages, for: Self.purpose) else { return }
    #expect(findings.count == pages.count * 6)
    Self.expectNothing(findings)
  }

  @Test func `reports have no finding in any width and scheme`() throws {
    var pages: [String: [UInt8]] = [:]
    for name in ["mixed", "hostile"] {
      var surroundings = RunSurroundings()
      surroundings.now = DashboardTests.noon
      let report = BrowserTests.report(name)
      surroundings.add(report.flows.flatMap { ReportPageTests.runs($0.id, 30) })
      pages["report-\(name).html"] = Array(HTMLReport(surroundings).text(report).utf8)
    }
    guard let findings = try PageReading.read(pages, for: Self.purpose) else { return }
    Self.expectNothing(findings)
  }

  @Test func `the choice of an outcome shows its flows only, without a script of the page`() throws {
    let page = HTMLReport().text(BrowserTests.report("mixed"))
    // Two of the six flows passed with remarks.
    let script = """
      document.querySelector('label:has(#show-odd)').click();
      [...document.querySelectorAll('.flows tbody tr')].filter(row => row.getClientRects().length).length
        * (document.querySelector('.flows tbody tr.odd').getClientRects().length ? 1 : -1)
      """
    guard let findings = try PageReading.read(["filter.html": Array(page.utf8)], script: script, for: Self.purpose)
    else {
      return
    }
    #expect(findings.count == 6)
    for finding in findings { #expect(finding.result == 2) }
  }

  @Test func `what is wrong with a page is found`() throws {
    let page = String(decoding: Self.pages(Self.dashboard("failing"))[Dashboard.start] ?? [], as: UTF8.self)
      .replacing("--soft: #565f6b", with: "--soft: #c9ccd0").replacing("<html lang=\"en\">", with: "<html>")
      .replacing("</main>", with: "<p style=\"width:3000px\">wide</p><script>1</script></main>")
    guard let findings = try PageReading.read(["wrong.html": Array(page.utf8)], for: Self.purpose) else { return }
    for finding in findings {
      #expect(!finding.console.isEmpty && finding.overflow > 0)
      guard let axe = finding.axe else { continue }
      #expect(axe.contains { $0.hasPrefix("html-has-lang") })
      if finding.scheme == "light" { #expect(axe.contains { $0.hasPrefix("color-contrast") }) }
    }
  }
}
