import Foundation
import TestSupport
import Testing

/// Every mistake of docs/mistakes.md is made, and is found before anything runs or on the first page.
@Suite(.timeLimit(.minutes(3))) struct MistakeTableTests {
  /// When a mistake must be found.
  enum Moment: Sendable {
    /// Before anything is asked.
    case check
    /// With so many requests.
    case requests(Int)
  }

  /// What must be said of a mistake.
  struct Row: Sendable, CustomTestStringConvertible {
    var title: String
    var moment: Moment
    /// `line:column` in `flows/orders.yaml`; the flow's line where the file is not to blame.
    var location: String
    /// A diagnostic's code, or the kind of a run's error.
    var code: String
    /// A part of the remedy.
    var help: String
    var status: Int32 = 3
    /// A flow that may be right passes, and leaves its result.
    var severity = "error"
    var testDescription: String { title }
  }

  static let rows: [Row] = [
    Row(
      title: "An optional key is misspelt", moment: .check, location: "9:5", code: "flow.unknown-key",
      help: "did you mean 'pages'?"),
    Row(
      title: "A nested key is misspelt", moment: .check, location: "9:26", code: "flow.unknown-key",
      help: "did you mean 'from'?"),
    Row(
      title: "A required key is misspelt", moment: .check, location: "6:5", code: "flow.unknown-key",
      help: "did you mean 'resource'?"),
    Row(
      title: "A variable is misspelt", moment: .check, location: "6:58", code: "template.unknown-variable",
      help: "did you mean 'region'?"),
    Row(
      title: "A value is not allowed", moment: .check, location: "9:18", code: "flow.unknown-value",
      help: "did you mean 'cursor'?"),
    Row(
      title: "A type is unknown", moment: .check, location: "8:38", code: "flow.unknown-type",
      help: "did you mean 'integer'?"),
    Row(
      title: "The path to the records finds nothing", moment: .requests(1), location: "7:14", code: "run.parser",
      help: "did you mean '$.data[*]'?", status: 1),
    Row(
      title: "The path to the records finds something else", moment: .requests(1), location: "7:14", code: "run.parser",
      help: "compare 'records' and 'schema'", status: 1),
    Row(
      title: "A field's path is misspelt", moment: .requests(1), location: "8:47", code: "run.parser",
      help: "did you mean '$.customer'?", status: 1),
    Row(
      title: "The path to the next page finds nothing", moment: .requests(1), location: "9:32", code: "run.parser",
      help: "did you mean '$.next'?", status: 1),
    Row(
      title: "The path of `more` finds nothing", moment: .requests(1), location: "9:60",
      code: "run.parser", help: "did you mean '$.has_more'?", status: 1),
    Row(
      title: "The next page is expected in a header, but is in the body", moment: .requests(1), location: "9:18",
      code: "run.parser", help: "'pages: { by: cursor, from: $.next, query: … }'", status: 1),
    Row(
      title: "One page is read of a response that announces more", moment: .requests(1), location: "5",
      code: "run.parser",
      help: "or 'pages: none'", status: 1),
    Row(
      title: "The server repeats a page token", moment: .requests(2), location: "9:32", code: "run.server",
      help: "declare what ends the pull", status: 5),
    Row(
      title: "The server ignores the parameter of the page", moment: .requests(2), location: "5", code: "run.server",
      help: "compare the keys of 'pages'", status: 5),
    Row(
      title: "The server never answers", moment: .requests(1), location: "5", code: "run.timeout",
      help: "'http.timeout'", status: 5),
    Row(
      title: "The path of an optional field is misspelt", moment: .requests(3), location: "8:79",
      code: "run.missing-fields",
      help: "did you mean '$.customer'?", status: 0, severity: "warning"),
  ]

  @Test(arguments: rows) func `a mistake is found in time, at its location, with its remedy`(_ row: Row) async throws {
    let page = try GuidePage("docs/mistakes.md")
    let recipe = try #require(page.recipes.first { $0.title == row.title }, "docs/mistakes.md lacks it")
    var run = try RecipeRun(recipe, of: page)
    try await run.run()
    #expect(run.status == row.status, "\(run.screen)")
    #expect(
      run.screen.contains("flows/orders.yaml:\(row.location): \(row.severity): "), "\(row.location) in \(run.screen)")
    #expect(run.screen.contains("[\(row.code)]"), "\(run.screen)")
    #expect(run.screen.contains("= help: ") && run.screen.contains(row.help), "\(run.screen)")
    #expect(run.screen.utf8.count < 1_000, "one mistake takes more than a screen")
    #expect(run.workspace.files().contains { $0.hasPrefix("out/") } == (row.status == 0), "what was published")
    switch row.moment {
    case .check: #expect(run.service.server.requests.isEmpty)
    case .requests(let count): #expect(run.service.server.requests.count == count, "\(run.service.server.requests)")
    }
  }

  @Test(arguments: rows) func `a run stops at what a check finds, without a request`(_ row: Row) async throws {
    guard case .check = row.moment else { return }
    let page = try GuidePage("docs/mistakes.md")
    let recipe = try #require(page.recipes.first { $0.title == row.title })
    let workspace = try Workspace()
    for case .file(let name, _, let text, _) in recipe.steps { try workspace.write(text, to: name) }
    let outcome = try await workspace.reactor("run")
    #expect(outcome.status == 3)
    #expect(outcome.stderr.contains("[\(row.code)]"), "\(outcome.stderr)")
    #expect(workspace.files() == ["flows/orders.yaml"])
  }

  @Test func `the flow without a mistake pulls all pages`() async throws {
    let page = try GuidePage("docs/mistakes.md")
    var run = try RecipeRun(try #require(page.recipes.first), of: page)
    try await run.run()
    #expect(run.status == 0, "\(run.screen)")
    #expect(run.workspace.text("out/orders.jsonl")?.split(separator: "\n").count == 6)
  }

  @Test func `the page's table shows what is really said, row by row`() async throws {
    let page = try GuidePage("docs/mistakes.md")
    let text = try String(contentsOf: Repository.root.appendingPathComponent(page.path), encoding: .utf8)
    #expect(page.recipes.map(\.title).dropFirst() == Self.rows.map(\.title)[...])
    for recipe in page.recipes.dropFirst() {
      guard case .session(let session, _)? = recipe.steps.last else {
        Issue.record("\(recipe.title): no session")
        continue
      }
      let lines = session.split(separator: "\n")
      let said = try #require(lines.first { $0.contains(/: (error|warning):\ /) }, "\(recipe.title)")
      let line = "| \(recipe.title) | "
      let row = try #require(text.split(separator: "\n").first { $0.hasPrefix(line) }, "no row for \(recipe.title)")
      let words = said.replacing("flows/orders.yaml:", with: "").replacing("orders.orders: ", with: "")
      #expect(row.hasSuffix("| `\(words)` |"), "the row should end with | `\(words)` |")
    }
  }
}
