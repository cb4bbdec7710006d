import Foundation
import TestSupport
import Testing

/// The pages that give our name for each name of another library.
@Suite struct NameTableTests {
  @Test(arguments: [
    ("from-reactor", ["ReactorCore", "HTTPTransport", "Storage"], 40), ("from-reactorkit", ["ReactorState"], 25),
  ])
  func `every name of ours in a table is in the sources`(page: String, modules: [String], leastRows: Int) throws {
    let words = try Set(modules.flatMap { try Self.words(of: $0) } + ["JSONValue", "Result"])
    let text = try String(
      contentsOf: Repository.root.appendingPathComponent("docs/guides/\(page).md"), encoding: .utf8)
    let rows = text.split(separator: "\n").filter { $0.hasPrefix("| `") }
      .map { $0.split(separator: "|").map(String.init) }
    #expect(rows.count >= leastRows)
    for row in rows {
      try #require(row.count == 3, "\(row)")
      let code = row[1].split(separator: "`", omittingEmptySubsequences: false).enumerated()
        .filter { !$0.offset.isMultiple(of: 2) }.map(\.element)
      for name in code.joined(separator: " ").split(whereSeparator: { !$0.isLetter && !$0.isNumber }) {
        #expect(words.contains(String(name)), "\(name) of '\(row[1])' is not in \(modules)")
      }
    }
    let index = try String(
      contentsOf: Repository.root.appendingPathComponent("docs/guides/README.md"), encoding: .utf8)
    #expect(index.contains("](\(page).md)"))
  }

  private static func words(of module: String) throws -> [String] {
    let folder = Repository.root.appendingPathComponent("Sources/\(module)")
    let files = try FileManager.default.subpathsOfDirectory(atPath: folder.path).filter { $0.hasSuffix(".swift") }
    return try files.flatMap { file in
      try String(contentsOf: folder.appendingPathComponent(file), encoding: .utf8)
        .split { !$0.isLetter && !$0.isNumber }.map(String.init)
    }
  }
}
