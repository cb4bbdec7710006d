import Foundation
import TestSupport
import Testing

@Suite struct CoverageTests {
  private static let tests = Result { try TestIndex() }

  @Test(arguments: CoveredSystem.ids) func `each construct has a row, and what it names exists`(_ id: String) throws {
    var findings = try CoverageFindings(tests: Self.tests.get())
    findings.check(try CoveredSystem.read(id))
    #expect(findings.texts.isEmpty, "\(findings.texts.joined(separator: "\n"))")
  }

  @Test func `each key of the language is in a row`() throws {
    let findings = try Self.findings(CoveredSystem.all())
    #expect(findings.isEmpty, "\(findings.sorted().joined(separator: "\n"))")
  }

  @Test func `each file of the folder is in the page`() throws {
    let files = try FileManager.default.contentsOfDirectory(atPath: CoveredSystem.folder.path)
    #expect(Set(files) == Set(CoveredSystem.ids.map { "\($0).txt" }))
  }

  @Test func `the page is what the data says`() throws {
    let text = try CoveragePage(systems: CoveredSystem.all(), tests: Self.tests.get()).markdown
    let file = Repository.root.appendingPathComponent("docs/coverage.md")
    let page = try? String(contentsOf: file, encoding: .utf8)
    guard ProcessInfo.processInfo.environment["RECORD_SNAPSHOTS"] == "1" else {
      #expect(text == page, "docs/coverage.md has drifted; RECORD_SNAPSHOTS=1 writes it anew")
      return
    }
    guard text != page else { return }
    try Data(text.utf8).write(to: file)
    Issue.record("recorded docs/coverage.md; run again without RECORD_SNAPSHOTS")
  }

  /// A right row, with one part replaced, and what is found.
  static let mistakes: [(part: String, by: String, finding: String)] = [
    ("Paging |", "Paging |", ""),
    ("pages.by=link", "pages.bye", "no key 'pages.bye'"),
    ("pages.by=link", "page.by", "no key 'page.by'"),
    ("pages.by=link", "pages.by=links", "'pages.by' cannot be 'links'"),
    ("pages.by=link", "pages.max=3", "'pages.max' has no list of words"),
    ("flow.pages pages.by=link", "", "no key"),
    (
      "flow.pages pages.by=link", "cursor.lookback",
      "the recipe 'Pull a Link-paged API every night' shows none of the keys"
    ),
    ("pages#pull-a-link", "pages#push-a-link", "no recipe 'guides/pages#push-a-link-paged-api-every-night'"),
    ("pages#pull-a-link", "page#pull-a-link", "no recipe 'guides/page#pull-a-link-paged-api-every-night'"),
    ("pages#pull-a-link-paged-api-every-night", "key:pages.lnk", "no key 'pages.lnk'"),
    ("pages#pull-a-link-paged-api-every-night", "pages", "no recipe 'pages'"),
    ("pages#pull-a-link-paged-api-every-night", "", "no recipe"),
    (
      "PagesTests: the Link", "PageTests: the Link",
      "no test 'the Link header leads on, among others and relative' in PageTests"
    ),
    (
      "the Link header leads on", "the header leads on",
      "no test 'the header leads on, among others and relative' in PagesTests"
    ),
    ("PagesTests: the Link header leads on, among others and relative", "", "no test"),
    ("| full |", "| partly |", "does not say what is missing"),
    ("| full |", "| no |", "no reason\n'no' with keys, a recipe or a test"),
    ("Paging |", "Pagination |", "not in 'names'\nno row"),
    ("Paging |", "Other | no | | | | Why.\nOther |", "second row\nno row"),
  ]

  @Test(arguments: mistakes.indices) func `a row that does not hold is found`(_ index: Int) throws {
    let mistake = Self.mistakes[index]
    let row = """
      Paging | full | flow.pages pages.by=link | pages#pull-a-link-paged-api-every-night \
      | PagesTests: the Link header leads on, among others and relative |
      """
    try #require(row.contains(mistake.part))
    let text =
      "system: S\nof: s\nversion: 1\nnames: Paging Other\n\n"
      + row.replacingOccurrences(of: mistake.part, with: mistake.by)
      + (mistake.by.contains("Other") ? "" : "\nOther | no | | | | Why.")
    var findings = try CoverageFindings(tests: Self.tests.get())
    findings.check(try CoveredSystem(id: "s", text: text))
    let found = findings.texts.map { $0.split(separator: ": ", maxSplits: 1).last.map(String.init) ?? $0 }
    #expect(found.joined(separator: "\n") == mistake.finding)
  }

  @Test(arguments: [
    "Paging | full | pages.by |", "Paging | fully | | | | ", "| no | | | | Why.", "systems: S", "Paging",
  ])
  func `a line of another form is an error`(_ line: String) {
    #expect(throws: CoveredSystem.UnreadableLine.self) { try CoveredSystem(id: "s", text: "system: S\n\(line)\n") }
  }

  @Test func `a key that no row has, and one that has a counterpart, are found`() throws {
    var systems = try CoveredSystem.all()
    let before = try Self.findings(systems)
    for index in systems.indices { systems[index].rows.removeAll { $0.keys.contains { $0.path == "http.max_bytes" } } }
    #expect(try Self.findings(systems).subtracting(before) == ["http.max_bytes: in no row"])

    let own = try #require(systems.firstIndex { $0.isOwn })
    systems[own].rows.append(try #require(CoverageRow("a | full | http.max_bytes pages.by | | | ")))
    #expect(try Self.findings(systems).subtracting(before) == ["own.txt: pages.by has a counterpart"])
  }

  private static func findings(_ systems: [CoveredSystem]) throws -> Set<String> {
    var findings = try CoverageFindings(tests: tests.get())
    findings.checkKeys(of: systems)
    return Set(findings.texts)
  }
}
