import Foundation
import JSONSyntax
import TestSupport
import Testing

/// The metrics, trace and lineage of a run in which two processes take part.
@Suite(
  .serialized, .timeLimit(.minutes(2)),
  .enabled(if: (try? PostgreSQLServer.isAvailable(for: "runs of several processes")) ?? true))
struct SharedRunMonitoringTests {
  @Test func `the process that ends last writes what all have done`() async throws {
    let server = try ScriptedServer { request in
      let pause: [ScriptedServer.Step] = request.method == "POST" ? [] : [.pause(milliseconds: 100)]
      let body = request.method == "POST" ? "{}" : #"[{"id":1}]"#
      return pause + [.send(Array("HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)".utf8))]
    }
    defer { server.stop() }
    let workspace = try Workspace()
    let ids = (0..<8).map { "f\($0)" }
    let flows = ids.map { "  \($0): { resource: /\($0), reachability: false, persistence: out/\($0).jsonl }\n" }
    try workspace.write(
      "reactor: 1\nhttp: { base_url: \"\(server.url)\" }\nflows:\n" + flows.joined(), to: "flows/a.yaml")
    let database = try PostgreSQLServer()
    let processes = try (0..<2).map { number in
      try workspace.start(
        [
          "run", "--jobs", "1", "--metrics", "\(number).prom", "--openlineage", "\(number).ndjson", "--otlp",
          server.url,
        ], environment: ["REACTOR_STATE": database.url, "REACTOR_RUN": "monday"])
    }
    for process in processes {
      let outcome = await process.end()
      #expect(outcome.status == 0 && !outcome.stderr.contains("warning"), "\(outcome.stderr)")
    }
    let written = workspace.files().filter { $0.hasSuffix(".prom") || $0.hasSuffix(".ndjson") }
    try #require(written.count == 2, "\(written)")
    let lineage = try #require(workspace.text(written[0])), metrics = try #require(workspace.text(written[1]))
    #expect(lineage.split(separator: "\n").count == 18)
    #expect(metrics.matches(of: /\nreactor_flow_records\{[^}]*\} 1/).count == 8, "\(metrics)")
    let traces = server.requests.filter { $0.target == "/v1/traces" }
    try #require(traces.count == 1)
    let spans = try JSONValue(parsing: traces[0].body)["resourceSpans"]?.array?.first?["scopeSpans"]?.array?.first?[
      "spans"]
    let names = spans?.array?.compactMap { $0["name"]?.string } ?? []
    #expect(Set(names).isSuperset(of: ids.map { "a.\($0)" }), "\(names)")
  }
}
