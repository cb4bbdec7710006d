import BatchRunner
import Foundation
import ReactorCore
import SourceDiagnostics
import TestSupport
import Testing

/// The recipes of docs/guides, done as they stand there.
@Suite(.timeLimit(.minutes(5))) struct GuideTests {
  /// Every recipe of every page.
  static let recipes: [Case] =
    (try? GuidePage.all(in: "docs/guides"))?.flatMap { page in
      page.recipes.map { Case(page: page, recipe: $0) }
    } ?? []

  struct Case: Sendable, CustomTestStringConvertible {
    var page: GuidePage
    var recipe: GuidePage.Recipe
    var testDescription: String { "\(page.name): \(recipe.title)" }
  }

  @Test(arguments: recipes) func `what a recipe shows is what comes out`(_ recipe: Case) async throws {
    var run = try RecipeRun(recipe.recipe, of: recipe.page)
    try await run.run()
  }

  @Test func `every page has recipes, and the index names each of them`() throws {
    let pages = try GuidePage.all(in: "docs/guides")
    #expect(pages.count == 27, "\(pages.map(\.name))")
    let index = try String(
      contentsOf: Repository.root.appendingPathComponent("docs/guides/README.md"), encoding: .utf8)
    for page in pages {
      #expect(!page.recipes.isEmpty, "\(page.path) has no recipe")
      #expect(index.contains("](\(page.name).md)"), "the index does not name \(page.name)")
      for recipe in page.recipes {
        #expect(index.contains("[\(recipe.title)](\(page.name).md#\(Self.anchor(recipe.title)))"), "\(recipe.title)")
        let isRun = recipe.steps.contains { step in
          switch step {
          case .session(let text, _): text.contains("$ reactor ")
          case .source: true
          case .file, .event, .idle: false
          }
        }
        #expect(isRun, "\(page.path): '\(recipe.title)' runs nothing")
      }
    }
    #expect(Self.recipes.count >= 45, "\(Self.recipes.count) recipes")
  }

  /// The anchor that Markdown viewers make of a heading.
  static func anchor(_ title: String) -> String {
    String(
      title.lowercased().unicodeScalars.compactMap { scalar -> Character? in
        if scalar == " " { return "-" }
        return scalar.properties.isAlphabetic || scalar.properties.numericType != nil
          || "-_".unicodeScalars.contains(scalar)
          ? Character(scalar) : nil
      })
  }

  @Test func `recordings are written into the pages when asked`() async throws {
    guard RecipeRun.isRecording else { return }
    for page in try GuidePage.all(in: "docs/guides") + [GuidePage("docs/mistakes.md")] {
      var blocks: [(lines: Range<Int>, text: String)] = []
      for recipe in page.recipes {
        var run = try RecipeRun(recipe, of: page)
        try await run.run()
        blocks += run.differences
      }
      guard !blocks.isEmpty else { continue }
      try Data(page.replacing(blocks).utf8).write(to: Repository.root.appendingPathComponent(page.path))
    }
  }

  @Test func `the code of the library's page runs flows and tells what is wrong`() async throws {
    let service = try GuideService(page: "library")
    defer { service.server.stop() }
    let workspace = try Workspace()
    let head = "reactor: 1\nhttp: { base_url: \"\(service.server.url)\" }\nflows:\n"
    let lines = await pull(
      [
        SourceFile(path: "typo.yaml", text: head + "  products: { resorce: /products }\n"),
        SourceFile(
          path: "shop.yaml", text: head + "  products: { resource: /products, persistence: out/products.jsonl }\n"),
      ], root: workspace.folder.path)
    #expect(lines == ["flow.unknown-key: unknown key 'resorce' in a flow", "shop.products: passed, 2 records"])
    #expect(workspace.text("out/products.jsonl") == "{\"sku\":\"TEA-1\"}\n{\"sku\":\"CUP-9\"}\n")
    let run = BatchRun(
      RunPlan([
        RunnableFlow(id: "a.b", host: "h", timeout: .seconds(9)) { _, _ in FetchSummary(source: .network, records: 1) }
      ]))
    #expect(await watch(run).flows.map(\.status) == [.passed])
  }

  @Test func `a page that shows something else is found`() async throws {
    let page = try GuidePage("docs/mistakes.md")
    var recipe = try #require(page.recipes.first)
    recipe.steps = recipe.steps.map { step in
      guard case .session(let text, let lines) = step else { return step }
      return .session(text: text.replacing("6 records", with: "7 records"), lines: lines)
    }
    var run = try RecipeRun(recipe, of: page)
    try await run.run(isRecording: true)
    #expect(run.differences.count == 1)
  }
}
