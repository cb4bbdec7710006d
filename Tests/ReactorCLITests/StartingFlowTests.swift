import Foundation
import ReactorCLI
import TestSupport
import Testing

/// The examples of `reactor init --from`: those of `Examples/starts`, and all that there are.
@Suite(.timeLimit(.minutes(1))) struct StartingFlowTests {
  private static let repository = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
  private static let folder = repository.appendingPathComponent("Examples/starts")

  private static func text(_ path: String) throws -> String {
    try String(contentsOf: folder.appendingPathComponent(path), encoding: .utf8)
  }

  /// The names of the examples, in the order of the table of the folder's page.
  private static func names() throws -> [String] {
    try text("README.md").matches(of: /\| \[([a-z]+)\]\(flows\//).map { String($0.output.1) }
  }

  /// The paths of an example's files: the flow file, then its recordings.
  private static func paths(of name: String) throws -> [String] {
    let found = try FileManager.default.subpathsOfDirectory(atPath: folder.appendingPathComponent("fixtures").path)
    let recordings = found.filter { $0.hasPrefix(name + ".") && $0.contains("/") }.sorted()
    return ["flows/\(name).yaml"] + recordings.map { "fixtures/\($0)" }
  }

  /// Compares a text with a file of the repository, which `RECORD_SNAPSHOTS=1` writes anew.
  private static func check(_ text: String, _ path: String) throws {
    let file = repository.appendingPathComponent(path)
    if ProcessInfo.processInfo.environment["RECORD_SNAPSHOTS"] == "1" {
      try Data(text.utf8).write(to: file)
      Issue.record("recorded \(path); build and run again without RECORD_SNAPSHOTS")
      return
    }
    #expect(try text == String(contentsOf: file, encoding: .utf8), "\(path)")
  }

  @Test func `the program has the examples of the folder`() throws {
    var source = """
      // Written from Examples/starts; change the files there and run the tests with RECORD_SNAPSHOTS=1.

      /// An example flow with its recordings, for `reactor init --from`.
      package struct StartingFlow: Sendable {
        /// The name, which is that of the flow file.
        package let name: String
        /// The flow file, then its recordings; the paths are relative to the project.
        package let files: [(path: String, text: String)]

        /// All examples.
        package static let all: [StartingFlow] = [

      """
    for name in try Self.names() {
      source += "    StartingFlow(\n      name: \"\(name)\",\n      files: [\n"
      for path in try Self.paths(of: name) {
        let lines = try Self.text(path).split(separator: "\n", omittingEmptySubsequences: false).dropLast()
        source += "        (\n          \"\(path)\",\n          ##\"\"\"\n"
        source += lines.map { $0.isEmpty ? "\n" : "          \($0)\n" }.joined()
        source += "\n          \"\"\"##\n        ),\n"
      }
      source += "      ]),\n"
    }
    try Self.check(source + "  ]\n}\n", "Sources/ReactorCLI/Init/StartingFlow.swift")
  }

  @Test func `the page shows each example`() throws {
    var page = try Self.text("README.md")
    page = page.replacing(/\(flows\/([a-z]+)\.yaml\)/) { "(#\($0.output.1))" }
    page.insert(
      contentsOf: "\n\n<!-- Written from Examples/starts; change it and run the tests with RECORD_SNAPSHOTS=1. -->",
      at: try #require(page.firstIndex(of: "\n")))
    for name in try Self.names() {
      page += "\n## \(name)\n\n```yaml flows/\(name).yaml\n\(try Self.text("flows/\(name).yaml"))```\n"
    }
    try Self.check(page, "docs/starts.md")
  }

  @Test func `every flow of the folder is an example, under 40 lines`() throws {
    let files = try FileManager.default.contentsOfDirectory(
      atPath: Self.folder.appendingPathComponent("flows").path)
    #expect(Set(files) == Set(try Self.names().map { $0 + ".yaml" }))
    #expect(StartingFlow.all.map(\.name) == (try Self.names()))
    for file in files {
      #expect(try Self.text("flows/\(file)").split(separator: "\n", omittingEmptySubsequences: false).count <= 40)
    }
  }
}
