import Foundation
import TestSupport
import Testing

/// Several runs at once over one root.
@Suite(.timeLimit(.minutes(3)))
struct ConcurrentRunsTests {
  @Test func `runs that end together are all remembered`() async throws {
    let count = 40
    // Nobody gets a response before all have asked: the runs end together.
    let server = try ScriptedServer { _ in
      [
        .until { $0.requests.count >= count },
        .send(Array("HTTP/1.1 200 OK\r\nContent-Length: 2\r\nConnection: close\r\n\r\n[]".utf8)), .close,
      ]
    }
    defer { server.stop() }
    let workspace = try Workspace()
    let flows = (0..<count).map {
      "  f\($0): { resource: /\($0), reachability: false, persistence: out/\($0).jsonl }\n"
    }
    try workspace.write(
      "reactor: 1\nhttp: { base_url: \"\(server.url)\", timeout: 2m }\nflows:\n" + flows.joined(), to: "flows/a.yaml")
    let runs = try (0..<20).map { try workspace.start(["run", "-s", "f\(2 * $0) f\(2 * $0 + 1)"]) }
    for run in runs {
      let outcome = await run.end(within: 120)
      #expect(outcome.status == 0, "\(outcome.stdout)\(outcome.stderr)")
    }
    let memory = try #require(workspace.text("out/.reactor/last-run.json") ?? workspace.text(".reactor/last-run.json"))
    #expect(memory.ranges(of: "\"passed\"").count == count, "\(memory)")
    #expect(try await workspace.start(["run", "--last-failed"]).end().status == 4)
  }
}
