import Foundation
import TestSupport
import Testing

/// A recording and a golden that are larger than what `test` may hold in memory.
@Suite(.timeLimit(.minutes(5))) struct LargeFixtureTests {
  private static func record(_ id: Int) -> String {
    #"{"id":\#(id),"name":"customer number \#(id)","note":"\#(String(repeating: "n", count: 1000))"}"#
  }

  /// A workspace with a recording of so many kilobytes and its golden, whose last record is `last`.
  private static func workspace(of count: Int, last: String? = nil) throws -> Workspace {
    let workspace = try Workspace()
    try workspace.write(
      """
      reactor: 1
      http: { base_url: "http://127.0.0.1:9" }
      flows:
        a:
          resource: /x
          schema: { key: id, fields: { id: integer, name: string, note: string } }
          persistence: out/a.jsonl

      """, to: "flows/f.yaml")
    try workspace.write(
      """
      cassette: 1
      flow: "f.a"
      recorded_at: "2026-11-28T01:05:48Z"
      tool: "0.1.0"
      entries:
        - request: "GET {{base}}/x"
          status: 200
          headers: ["Content-Type: application/json"]
          body_file: "bodies/001-x.json"

      """, to: "fixtures/f.a/cassette.yaml")
    try workspace.write(
      """
      {
        "status": "passed",
        "records": \(count),
        "rejected": 0,
        "pages": 1,
        "requests": [
          "GET {{base}}/x -> 200"
        ],
        "waits_ms": [],
        "fields": [
          "id: integer",
          "name: string",
          "note: string"
        ],
        "key": [
          "id"
        ]
      }

      """, to: "fixtures/f.a/flow.json")
    let lines = (0..<count).map(record)
    try workspace.write("[" + lines.joined(separator: ",") + "]", to: "fixtures/f.a/bodies/001-x.json")
    try workspace.write(
      (lines.dropLast() + [last ?? lines[count - 1], ""]).joined(separator: "\n"), to: "fixtures/f.a/records.jsonl")
    return workspace
  }

  /// Runs `reactor test`; the status, what it said, and the most memory it had at once in KiB.
  private static func test(_ workspace: Workspace) async throws -> (Program.Outcome, peak: Int) {
    let outcome = try await workspace.shell(
      """
      exec python3 -c 'import os,resource,subprocess,sys
      status = subprocess.call([os.environ["REACTOR"], "test"])
      print("peak", resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
      sys.exit(status)'
      """, environment: ["CI": "1"])
    let peak = outcome.stdout.split(separator: "\n").last { $0.hasPrefix("peak ") }
    return (outcome, Int(peak?.dropFirst(5) ?? "") ?? .max)
  }

  @Test(.enabled(if: !Sanitizer.isOn)) func `a recording of 60 MB is judged in less than 100 MB`() async throws {
    let (outcome, peak) = try await Self.test(try Self.workspace(of: 60_000))
    #expect(outcome.status == 0, "\(outcome.stdout)\(outcome.stderr)")
    #expect(peak < 100_000, "\(peak) KiB")
  }

  @Test func `one record of many that differs is found`() async throws {
    let last = Self.record(3_999).replacingOccurrences(of: "customer", with: "customers")
    let (outcome, _) = try await Self.test(try Self.workspace(of: 4_000, last: last))
    #expect(outcome.status == 1, "\(outcome.stdout)\(outcome.stderr)")
    #expect(outcome.stderr.contains("customers number 3999"), "\(outcome.stdout)\(outcome.stderr)")
  }
}
