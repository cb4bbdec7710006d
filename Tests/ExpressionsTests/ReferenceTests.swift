import Foundation
import TestSupport
import Testing

@testable import Expressions

@Suite struct ReferenceTests {
  @Test func `the page of the reference is the one that the tables say`() throws {
    let page = Repository.root.appendingPathComponent("docs/reference/expressions.md")
    if ProcessInfo.processInfo.environment["RECORD_SNAPSHOTS"] == "1" {
      try Data(ExpressionReference.markdown.utf8).write(to: page)
    }
    let written = try String(contentsOf: page, encoding: .utf8)
    #expect(
      written == ExpressionReference.markdown,
      "docs/reference/expressions.md is not what the tables say; record it with RECORD_SNAPSHOTS=1")
  }
}
