import Foundation
import TestSupport
import Testing

/// Whatever the files are called, whichever flow is done first: what is said of a flow is the same, byte by byte.
@Suite(.timeLimit(.minutes(5))) struct FixtureShuffleTests {
  private static let reports = ["junit", "tap", "md", "html", "json", "ndjson"]

  /// Twelve flows of three pages each, some of which differ from their goldens, miss a recording or have no golden.
  private static func recorded() async throws -> Workspace {
    let workspace = try Workspace()
    let server = try ScriptedServer { request in
      let page = Int(request.target.split(separator: "=").last ?? "") ?? 1
      let body = #"{"pages":3,"data":[{"id":\#(page),"name":"n\#(page)"},{"id":"bad"}]}"#
      return [.send(Array("HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)".utf8))]
    }
    defer { server.stop() }
    for file in 0..<4 {
      let flows = (0..<3).map {
        """
          f\($0):
            resource: /f\(file)\($0)
            records: $.data[*]
            pages: { by: page, query: page, count: $.pages, parallel: 3 }
            prune: true
            schema: { key: id, fields: { id: integer, name: string } }
        """
      }
      try workspace.write(
        "reactor: 1\nhttp: { base_url: \(server.url), timeout: 60s, rate: { max: 5/1s } }\nflows:\n\(flows.joined(separator: "\n"))\n",
        to: "flows/s\(file).yaml")
    }
    let outcome = try await workspace.reactor("record")
    #expect(outcome.status == 0, "\(outcome.stdout)\(outcome.stderr)")
    func change(_ path: String, _ from: String, _ to: String) throws {
      let text = try #require(workspace.text(path))
      #expect(text.contains(from))
      try workspace.write(text.replacingOccurrences(of: from, with: to), to: path)
    }
    try change("fixtures/s0.f1/cassette.yaml", "\"n2\"", "\"m2\"")
    try change("fixtures/s1.f2/cassette.yaml", "page=3", "page=4")
    try change("fixtures/s3.f0/flow.json", "\"pages\": 3", "\"pages\": 2")
    try FileManager.default.removeItem(at: workspace.folder.appendingPathComponent("fixtures/s2.f0/records.jsonl"))
    return workspace
  }

  @Test func `fifty shuffled runs give the same bytes`() async throws {
    let workspace = try await Self.recorded()
    let files = (0..<4).map { "flows/s\($0).yaml" }
    var random = SystemRandomNumberGenerator()
    var seen: [String: Set<String>] = [:]
    for round in 0..<50 {
      let jobs = [1, 16, Int.random(in: 2...12, using: &random)][round % 3]
      // Files in any order on the command line, and on the disk.
      for file in files.shuffled(using: &random) {
        try workspace.write(try #require(workspace.text(file)), to: file)
      }
      var arguments = ["test", "--no-timing", "--jobs", "\(jobs)", "--max-per-host", "\(jobs)", "--patch", "r/patch"]
      for report in Self.reports { arguments += ["--report", "\(report)=r/\(report)"] }
      let outcome = try await workspace.start(
        arguments + files.shuffled(using: &random), environment: ["CI": "1"]
      ).end()
      #expect(outcome.status == 5, "\(outcome.stdout)\(outcome.stderr)")
      seen["stdout", default: []].insert(outcome.stdout)
      seen["stderr", default: []].insert(outcome.stderr)
      for report in Self.reports + ["patch"] {
        seen[report, default: []].insert(try #require(workspace.text("r/\(report)")))
      }
    }
    for (report, texts) in seen { #expect(texts.count == 1, "\(report)") }
    #expect(seen["ndjson"]?.first?.contains("run.finished") ?? false)
  }
}
