import Foundation
import JSONSyntax
import TestSupport
import Testing

/// Notices about a run in which two processes take part.
@Suite(
  .serialized, .timeLimit(.minutes(2)),
  .enabled(if: (try? PostgreSQLServer.isAvailable(for: "runs of several processes")) ?? true))
struct SharedRunNotifyTests {
  @Test func `the process that ends last tells what all have done, and the next run does not tell it again`()
    async throws
  {
    let server = try ScriptedServer { request in
      let isNotice = request.method == "POST"
      let status = isNotice ? "200 OK" : "500 Odd"
      return (isNotice ? [] : [.pause(milliseconds: 100)])
        + [.send(Array("HTTP/1.1 \(status)\r\nContent-Length: 2\r\n\r\n{}".utf8))]
    }
    defer { server.stop() }
    let workspace = try Workspace()
    let flows = (0..<6).map { "  f\($0): { resource: /\($0), reachability: false, retry: none }\n" }
    try workspace.write(
      "reactor: 1\nhttp: { base_url: \"\(server.url)\" }\nnotify: { chat: { webhook: \"\(server.url)/chat\" } }\nflows:\n"
        + flows.joined(), to: "flows/a.yaml")
    let database = try PostgreSQLServer()
    for run in ["monday", "tuesday"] {
      let processes = try (0..<2).map { _ in
        try workspace.start(
          ["run", "--jobs", "1"], environment: ["REACTOR_STATE": database.url, "REACTOR_RUN": run])
      }
      for process in processes {
        let outcome = await process.end()
        #expect(outcome.status == 5 && !outcome.stderr.contains("warning"), "\(outcome.stderr)")
      }
    }
    let notices = try server.requests.filter { $0.method == "POST" }.map { try JSONValue(parsing: $0.body) }
    #expect(notices.map { $0["title"]?.string } == ["6 flows failed"])
    #expect(notices.first?["run"]?.string == "monday")
    #expect(!workspace.files(hidden: true).contains { $0.hasPrefix(".reactor/notices") })
  }
}
