import Foundation
import JSONSyntax
import Synchronization
import TestSupport
import Testing

/// What the history has of a run, through the program.
@Suite(.timeLimit(.minutes(1)))
struct HistoryFactsTests {
  @Test func `the history has the declared age, the retries, and whether records are missing`() async throws {
    let isAsked = Atomic(false)
    let server = try ScriptedServer { _ in
      let isFirst = isAsked.compareExchange(expected: false, desired: true, ordering: .relaxed).exchanged
      let (status, body) = isFirst ? ("503 Busy", "") : ("200 OK", #"[{"id":1},{"id":"x"}]"#)
      return [.send(Array("HTTP/1.1 \(status)\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)".utf8))]
    }
    defer { server.stop() }
    let workspace = try Workspace()
    try workspace.write(
      """
      reactor: 1
      http: { base_url: "\(server.url)" }
      defaults: { expect: { freshness: 26h }, retry: { wait: 1ms }, reachability: false }
      flows:
        a: { resource: /items, schema: { fields: { id: integer } }, persistence: out/a.jsonl }
        b: { resource: /items, expect: { freshness: 1h } }

      """, to: "flows/shop.yaml")
    let outcome = try await workspace.start(["run", "--jobs", "1"]).end()
    #expect(outcome.status == 0, "\(outcome.stderr)")
    let lines = try #require(workspace.text(".reactor/history.jsonl")).split(separator: "\n")
    let runs = try lines.map { try JSONValue(parsing: Array($0.utf8)) }
    #expect(runs.map { $0["freshness_s"]?.int64 } == [93_600, 3600])
    #expect(runs.map { $0["retries"]?.int64 } == [1, nil])
    #expect(runs.map { $0["partial"]?.bool } == [true, nil])
  }
}
