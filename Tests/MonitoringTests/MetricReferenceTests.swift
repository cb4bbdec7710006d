import Foundation
import TestSupport
import Testing

@testable import Monitoring

/// The table of docs/reference/metrics.md.
@Suite struct MetricReferenceTests {
  @Test func `The reference has each metric`() throws {
    let page = Repository.root.appendingPathComponent("docs/reference/metrics.md")
    let text = try String(contentsOf: page, encoding: .utf8)
    let (begin, end) = ("<!-- metrics -->\n", "<!-- end -->")
    let table = try #require(
      text.firstRange(of: begin).flatMap { first in
        text.firstRange(of: end).map { first.upperBound..<$0.lowerBound }
      })
    let rows = Metric.all.map { metric in
      let labels = metric.labels.map { "`\($0)`" }.joined(separator: " ")
      return "| `\(metric.prometheusName)` | \(labels) | \(metric.description) |\n"
    }
    let expected = "\n| Metric | Labels | |\n|---|---|---|\n\(rows.joined())\n"
    if ProcessInfo.processInfo.environment["RECORD_SNAPSHOTS"] == "1" {
      try Data(text.replacingCharacters(in: table, with: expected).utf8).write(to: page)
      Issue.record("recorded; run again without RECORD_SNAPSHOTS")
    } else {
      #expect(text[table] == expected)
    }
  }
}
