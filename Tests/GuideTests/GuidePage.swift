import Foundation
import TestSupport
import Testing

/// A page of `docs` whose recipes are run as they stand there.
///
/// The convention is that of docs/guides/README.md: a `##` section with fenced blocks is a recipe.
struct GuidePage: Sendable, CustomTestStringConvertible {
  /// What a recipe does, in the order of its blocks.
  enum Step: Sendable {
    /// A fenced block with a file's name: in YAML and other input it is written, as `json…` output it is compared.
    case file(name: String, isResult: Bool, text: String, lines: Range<Int>)
    /// A shell session: lines after `$ ` are run, the others are what comes out.
    case session(text: String, lines: Range<Int>)
    /// Something that happens at the server: `<!-- server: EVENT -->`.
    case event(String)
    /// A part of a file of the repository: Swift code of a test's own source, or text that a test has seen printed.
    case source(name: String, text: String)
    /// A block that nothing runs: a mistake of the page.
    case idle(String)
  }

  /// One task with all it needs.
  struct Recipe: Sendable {
    var title: String
    var steps: [Step]
    /// Its first line in the page, from 1.
    var line: Int
  }

  /// Below the repository.
  let path: String
  let title: String
  let recipes: [Recipe]
  private let lines: [String]

  var testDescription: String { path }

  /// The concept: `docs/guides/pages.md` is `pages`.
  var name: String { String(path.split(separator: "/").last?.dropLast(3) ?? "") }

  init(_ path: String) throws {
    self.path = path
    let text = try String(contentsOf: Repository.root.appendingPathComponent(path), encoding: .utf8)
    lines = text.components(separatedBy: "\n")
    title = lines.first { $0.hasPrefix("# ") }.map { String($0.dropFirst(2)) } ?? ""
    var recipes: [Recipe] = []
    var index = 0
    while index < lines.count {
      let line = lines[index]
      if line.hasPrefix("## ") {
        recipes.append(Recipe(title: String(line.dropFirst(3)), steps: [], line: index + 1))
      } else if let event = line.wholeMatch(of: /<!-- server: (.+) -->/) {
        recipes.last.map { _ in recipes[recipes.count - 1].steps.append(.event(String(event.1))) }
      } else if line.hasPrefix("```") {
        let start = index + 1
        index = start
        while index < lines.count, lines[index] != "```" { index += 1 }
        let step = Self.step(String(line.dropFirst(3)), lines[start..<index])
        if recipes.isEmpty { recipes.append(Recipe(title: title, steps: [], line: 1)) }
        recipes[recipes.count - 1].steps.append(step)
      }
      index += 1
    }
    self.recipes = recipes.filter { !$0.steps.isEmpty }
  }

  private static func step(_ info: String, _ lines: ArraySlice<String>) -> Step {
    let text = lines.map { $0 + "\n" }.joined()
    let words = info.split(separator: " ").map(String.init)
    if words == ["console"] { return .session(text: text, lines: lines.indices) }
    guard words.count == 2 else { return .idle("```" + info) }
    if words[0] == "swift" || words[0] == "text" { return .source(name: words[1], text: text) }
    return .file(
      name: words[1], isResult: words[1].hasPrefix("out/") || words[1].hasPrefix("fixtures/"), text: text,
      lines: lines.indices)
  }

  /// The page with other text in some of its blocks.
  func replacing(_ blocks: [(lines: Range<Int>, text: String)]) -> String {
    var lines = lines
    for block in blocks.sorted(by: { $0.lines.lowerBound > $1.lines.lowerBound }) {
      var text = block.text
      if text.hasSuffix("\n") { text.removeLast() }
      lines.replaceSubrange(block.lines, with: text.isEmpty ? [] : text.components(separatedBy: "\n"))
    }
    return lines.joined(separator: "\n")
  }

  /// The pages of a folder with recipes: not the index, nor the tables of names (`from-….md`).
  static func all(in folder: String) throws -> [GuidePage] {
    let names = try FileManager.default.contentsOfDirectory(
      atPath: Repository.root.appendingPathComponent(folder).path)
    return try names.filter { $0.hasSuffix(".md") && $0 != "README.md" && !$0.hasPrefix("from-") }.sorted()
      .map { try GuidePage("\(folder)/\($0)") }
  }
}
