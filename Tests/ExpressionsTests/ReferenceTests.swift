import Foundation
import TestSupport
import Testing

@testable import Expressions

@Suite struct ReferenceTests {
  @Test func `the pages of the reference are those that the tables say, and short`() throws {
    let folder = Repository.root.appendingPathComponent("docs/reference")
    for (path, text) in ExpressionReference.pages {
      let page = folder.appendingPathComponent(path)
      if ProcessInfo.processInfo.environment["RECORD_SNAPSHOTS"] == "1" {
        try FileManager.default.createDirectory(
          at: page.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: page)
      }
      let written = try String(contentsOf: page, encoding: .utf8)
      #expect(
        written == text, "docs/reference/\(path) is not what the tables say; record it with RECORD_SNAPSHOTS=1")
      #expect(text.split(separator: "\n", omittingEmptySubsequences: false).count <= 400, "\(path)")
    }
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.appendingPathComponent("expressions").path)
    #expect(Set(files.map { "expressions/\($0)" }) == Set(ExpressionReference.pages.dropFirst().map(\.path)))
  }
}
