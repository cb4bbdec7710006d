import Foundation
import RunViews
import Testing

/// The pages of a dashboard: which there are, what they say, and that names stay text.
@Suite(.timeLimit(.minutes(2))) struct DashboardTests {
  static let noon = ReportPageTests.noon

  static let hostile = [
    "<script>document.title='owned'</script>", "\"><img src=x onerror=alert(1)>", "a'b\"c&amp;<!--",
    "\u{202E}evil\u{2069}", String(repeating: "wide", count: 100), "漢字の流れ", "]]></style><style>*{display:none}",
    "../../etc/passwd", "x\u{0}\u{1B}[31m", "Shop.orders", "shop.orders", "", ".", "..",
  ]

  static func text(_ dashboard: Dashboard, _ name: String) throws -> String {
    String(decoding: try #require(dashboard.page(name, at: noon), "\(name)"), as: UTF8.self)
  }

  static func failing(_ flow: String) -> [HistoryEntry] {
    ReportPageTests.runs(flow, 6) { entry, number in if number > 3 { entry.status = .failed } }
  }

  /// The hrefs of a page.
  static func links(_ page: String) -> [String] {
    page.components(separatedBy: "href=\"").dropFirst().map { String($0.prefix { $0 != "\"" }) }
  }

  @Test func `the overview begins with what needs attention, and says why`() throws {
    let entries =
      ReportPageTests.runs("a.good", 6)
      + Self.failing("b.failing")
      + ReportPageTests.runs("c.stale", 6) { entry, _ in entry.freshness = 60 }
      + ReportPageTests.runs("d.missing", 6) { entry, number in entry.isPartial = number == 5 }
      + ReportPageTests.runs("e.slower", 6) { entry, number in if number == 5 { entry.duration = 60_000 } }
      + ReportPageTests.runs("f.smaller", 6) { entry, number in if number == 5 { entry.records = 1 } }
    let page = try Self.text(Dashboard(entries, tool: "9.9.9"), Dashboard.start)
    #expect(page.contains("<h1>6 flows: 1 failing, 1 stale, 1 missing records, 1 slower, 1 smaller</h1>"))
    var position = page.startIndex
    for (heading, flow) in [
      ("Failing", "b.failing"), ("Stale", "c.stale"), ("Missing records", "d.missing"), ("Slower", "e.slower"),
      ("Smaller", "f.smaller"), ("All flows", "a.good"),
    ] {
      let found = try #require(page[position...].range(of: ">\(heading)</h2>"), "\(heading)")
      let row = try #require(page[found.upperBound...].range(of: "<th scope=\"row\">"))
      #expect(page[row.upperBound...].hasPrefix("<a href=\"flow-\(flow).html\">"), "\(heading)")
      position = row.upperBound
    }
  }

  @Test func `an empty history has a page that says so`() throws {
    let dashboard = Dashboard([], tool: "9.9.9")
    #expect(dashboard.names(at: Self.noon) == [Dashboard.start])
    #expect(try Self.text(dashboard, Dashboard.start).contains("No run is in the history yet"))
  }

  @Test func `every link of every page leads to a page, and every page is named`() throws {
    let ids = (0..<250).map { "team.flow_\($0)" } + Self.hostile
    let links = ids.indices.map { (id: ids[$0], parents: $0 % 3 == 0 ? [] : [ids[$0 / 3 * 3]]) }
    let dashboard = Dashboard(ids.flatMap(Self.failing), links: links, tool: "9.9.9")
    let names = Set(dashboard.names(at: Self.noon))
    #expect(names.count == dashboard.names(at: Self.noon).count)
    for name in names {
      #expect(Dashboard.isPage(name) && name.utf8.count < 130, "\(name)")
      let page = try Self.text(dashboard, name)
      let inside = Set(page.components(separatedBy: "id=\"").dropFirst().map { "#" + $0.prefix { $0 != "\"" } })
      for link in Self.links(page) {
        #expect(link.hasPrefix("#") ? inside.contains(link) : names.contains(link), "\(link)")
      }
    }
    for name in [
      "", "x.html", "flow-x.html", "all-0.html", "all-01.html", "all-99.html", "lineage-0.html", "../index.html",
    ] {
      #expect(dashboard.page(name, at: Self.noon) == nil, "\(name)")
    }
  }

  @Test func `names, messages and cursors are text on every page`() throws {
    let failed = #"""
      {"run":"","flow":"","status":"failed","started":"","records":0,"rejected":0,"bytes":0,"tool":"",\#
      "error":{"kind":"<script>","message":"<script>\u0001<img>"}}
      """#
    let failure = try #require(HistoryEntry(line: failed.utf8)?.failure)
    let entries = Self.hostile.flatMap { flow in
      ReportPageTests.runs(flow, 3) { entry, number in
        entry.failure = failure
        (entry.run, entry.tool, entry.result, entry.cursorAfter) = (flow, flow, flow, flow)
        (entry.started, entry.version, entry.cursorBefore) = (number == 0 ? flow : entry.started, flow, flow)
        if number == 2 { entry.status = .failed }
      }
    }
    let links = Self.hostile.map { (id: $0, parents: [Self.hostile[0]]) }
    let dashboard = Dashboard(entries, links: links, tool: "<b>9")
    for name in dashboard.names(at: Self.noon) {
      let page = try Self.text(dashboard, name)
      #expect(page.components(separatedBy: "<style>").count == 2 && !page.contains("<script") && !page.contains("<img"))
      for scalar in page.unicodeScalars where scalar != "\n" {
        #expect(scalar.value >= 0x20 && !(0x7F...0x9F).contains(scalar.value) && scalar.value != 0x202E)
      }
    }
  }

  @Test func `the page of a flow has its charts in words, its failures, its cursor and its lineage`() throws {
    let entries = ReportPageTests.runs("shop.orders", 300) { entry, number in
      entry.cursorAfter = "2026-01-\(number)"
      if number == 200 { (entry.status, entry.records) = (.error, 0) }
    }
    let links: [(id: String, parents: [String])] = [
      ("shop.customers", []), ("shop.orders", ["shop.customers"]), ("shop.items", ["shop.orders", "gone"]),
    ]
    let page = try Self.text(Dashboard(entries, links: links, tool: "9.9.9"), "flow-shop.orders.html")
    #expect(page.contains("aria-label=\"Duration of 300 runs: 0.100 s to 0.399 s, median 0.250 s\""))
    #expect(page.contains("Each bar is the greatest of 3 runs in a row"))
    #expect(page.contains("aria-label=\"Records of 300 runs: 0 to 309"))
    #expect(page.contains("2026-01-299") && page.contains(">Last failures</h2>"))
    #expect(page.contains("Takes the records of: shop.customers"))
    #expect(page.contains("Its records are taken by: shop.items"))
    #expect(page.components(separatedBy: "<rect").count - 1 == 3)
  }

  @Test func `a page of many flows with a year of history stays small`() throws {
    let entries = (0..<2000).flatMap { Self.failing("team\($0 / 100).flow_with_a_name_of_usual_length_\($0)") }
    let year = ReportPageTests.runs("one.year", 365 * 24) { entry, number in
      (entry.cursorAfter, entry.status) = ("2026-01-01T00:00:00.000000Z", number % 2 == 0 ? .failed : .passed)
    }
    let dashboard = Dashboard(entries + year, tool: "9.9.9")
    for name in [Dashboard.start, "failing-1.html", "all-2.html", "flow-one.year.html"] {
      #expect(try #require(dashboard.page(name, at: Self.noon)).count < 300_000, "\(name)")
    }
  }
}
