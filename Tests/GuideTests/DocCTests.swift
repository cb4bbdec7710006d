import Foundation
import JSONSyntax
import ReactorCore
import ReactorState
import SourceDiagnostics
import Synchronization
import TestSupport
import Testing

/// The Swift code in the references of the libraries is compiled: it stands in the recipes of this target.
@Suite(.timeLimit(.minutes(1))) struct DocCTests {
  /// The modules whose documentation is published, as the Swift Package Index lists them.
  static func modules() throws -> [String] {
    let file = Repository.root.appendingPathComponent(".spi.yml")
    let list = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "documentation_targets:\n").last
    return (list ?? "").split(separator: "\n").map { $0.trimmingCharacters(in: CharacterSet(charactersIn: " -")) }
  }

  /// A block of code and the line before it.
  private struct Snippet {
    let location: String
    let lines: [String]
  }

  /// The blocks of a page, or of the documentation comments of a source file.
  private func snippets(of file: URL) throws -> [Snippet] {
    let isPage = file.pathExtension == "md"
    var snippets: [Snippet] = []
    var block: [String]?
    for (index, line) in try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n").enumerated() {
      var text = line
      if !isPage {
        guard let comment = line.firstMatch(of: /^ *\/\/\/ ?/) else { continue }
        text.removeSubrange(comment.range)
      }
      if text == "```swift" {
        block = []
      } else if text == "```", let lines = block {
        snippets.append(Snippet(location: "\(file.lastPathComponent):\(index + 1 - lines.count)", lines: lines))
        block = nil
      } else {
        block?.append(text)
      }
    }
    return snippets
  }

  private func files(of module: String) throws -> [URL] {
    let folder = Repository.root.appendingPathComponent(
      module == "ReactorTesting" ? "Tests/\(module)" : "Sources/\(module)")
    let names = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
    return names.filter { $0.hasSuffix(".md") || $0.hasSuffix(".swift") }.sorted().map(folder.appendingPathComponent)
  }

  private static func recipes() throws -> [[String]] {
    let folder = Repository.root.appendingPathComponent("Tests/GuideTests")
    return try ["DocCFlowRecipe.swift", "DocCStateRecipe.swift", "DocCSyntaxRecipe.swift"].map { name in
      try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8).components(separatedBy: "\n")
    }
  }

  /// Whether the lines stand in a source one after the other, all moved to the right by the same number of spaces.
  private func stands(_ lines: [String], in source: [String]) -> Bool {
    guard let first = lines.first(where: { !$0.isEmpty }) else { return false }
    return source.indices.contains { start in
      guard source[start].hasSuffix(first), start + lines.count <= source.count else { return false }
      let indent = source[start].dropLast(first.count)
      guard indent.allSatisfy({ $0 == " " }) else { return false }
      return zip(lines, source[start...]).allSatisfy { line, present in
        line.isEmpty ? present.isEmpty : present == indent + line
      }
    }
  }

  @Test func `the pages of five modules have snippets`() throws {
    let modules = try Self.modules()
    for module in ["BatchRunner", "FlowRuntime", "HTTPTransport", "ReactorCore", "ReactorState"] {
      #expect(modules.contains(module))
      #expect(try files(of: module).contains { try !snippets(of: $0).isEmpty })
    }
  }

  @Test(arguments: try modules()) func `each snippet is compiled`(_ module: String) throws {
    let recipes = try Self.recipes()
    for file in try files(of: module) {
      for snippet in try snippets(of: file) {
        let imports = snippet.lines.filter { $0.hasPrefix("import ") }
        let lines = Array(snippet.lines.drop { $0.isEmpty || $0.hasPrefix("import ") })
        let isCompiled = recipes.contains { source in stands(lines, in: source) && imports.allSatisfy(source.contains) }
        #expect(isCompiled, "\(snippet.location) is in no recipe:\n\(lines.joined(separator: "\n"))")
      }
    }
  }

  @Test func `what the references show runs`() async throws {
    let server = StubConnection(bodies: ["/articles": #"[{"title": "Tea"}, {}]"#])
    #expect(try DocCSyntax.point(into: try JSONValue(parsing: #"{"a/b":["x"]}"#))?.string == "x")
    #expect(
      try DocCSyntax.select(in: #"{"orders":[{"id":"a","total":50},{"id":"b","total":150}]}"#).map(\.string) == ["b"])
    #expect(DocCSyntax.write(try JSONValue(parsing: #"{"a":[1,2]}"#)).line == Array(#"{"a":[1,2]}"#.utf8))
    DocCSyntax.compare()
    DocCSyntax.explain()
    let file = "reactor: 1\nhttp: { base_url: https://a.example }\nflows:\n  a: { resource: /a }\n"
    #expect(DocCSyntax.order(DocCSyntax.load(Array(file.utf8))) == ["shop.a"])
    #expect(!DocCSyntax.conflicts([]).hasErrors)
    await DocCState.checkContract()
    try await DocCFlow.fetch(server)
    #expect(try await DocCFlow.articles(server).map(\.title) == ["Tea"])
    let connection = DocCFlow.BytesConnection(baseURL: "http://h") { url in
      (200, Array("[{\"title\": \"\(url)\"}]".utf8))
    }
    #expect(try await DocCFlow.articles(connection).map(\.title) == ["http://h/articles"])
    let store = DocCState.share()
    var users = store.states.makeAsyncIterator()
    while await users.next() != "Ada" {}
    let drawn = Mutex<[Int]>([])
    #expect(await DocCState.test { number in drawn.withLock { $0.append(number) } }.isEmpty)
  }
}
