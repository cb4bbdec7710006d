import Foundation
import JSONSyntax
import TestSupport
import Testing

/// Asking only for what is new, through the program.
@Suite(.timeLimit(.minutes(2))) struct CursorTests {
  private static func server() throws -> ScriptedServer {
    try ScriptedServer { request in
      let body = #"[{"id":1,"t":"2024-01-01T00:00:00Z"},{"id":2,"t":"2024-01-02T00:00:00Z"}]"#
      if request.target.hasPrefix("/shops"), request.target.contains("/2") {
        return [.send(Array("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n[]".utf8))]
      }
      return [.send(Array("HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)".utf8))]
    }
  }

  private static func flows(_ server: ScriptedServer) -> String {
    """
    reactor: 1
    http: { base_url: "\(server.url)" }
    schemas: { item: { key: id, fields: { id: integer, t: timestamp } } }
    flows:
      a:
        resource: /items
        schema: item
        persistence: { path: out/a.jsonl, mode: merge }
        cursor: { field: t, start: 2023-12-01, query: since }
      b:
        resource: "/shops/{{ value }}"
        each: { values: [1, 2] }
        schema: item
        persistence: { path: out/b.jsonl, mode: merge }
        cursor: { field: t, query: since }
      plain: { resource: /items }

    """
  }

  private static func asked(_ server: ScriptedServer) -> [String] {
    server.requests.map { $0.target.removingPercentEncoding ?? "" }
  }

  @Test func `runs continue, begin elsewhere and begin again`() async throws {
    let server = try Self.server()
    defer { server.stop() }
    let workspace = try Workspace()
    try workspace.write(Self.flows(server), to: "flows/x.yaml")
    let runs: [(arguments: [String], bound: String)] = [
      ([], "2023-12-01T00:00:00Z"), ([], "2024-01-02T00:00:00Z"),
      (["--since", "2023-12-24"], "2023-12-24T00:00:00Z"), (["--fresh=everything"], "2023-12-01T00:00:00Z"),
    ]
    for run in runs {
      let dry = try await workspace.start(["run", "-s", "x.a", "--dry-run"] + run.arguments).end()
      #expect(dry.stdout.contains(" since=\(run.bound)"), "\(dry.stdout)")
      let outcome = try await workspace.start(["run", "-s", "x.a"] + run.arguments).end()
      #expect(outcome.status == 0, "\(outcome.stderr)")
      #expect(Self.asked(server).last == "/items?since=\(run.bound)")
    }
    #expect(server.requests.count == runs.count)
    let explained = try await workspace.start(["explain", "x.a"]).end()
    #expect(explained.stdout.contains("since=2024-01-02T00:00:00Z"), "\(explained.stdout)")
    for wrong in [
      ["--since", "x"], ["--since", "2024-01-01", "--fresh=everything"], ["--fresh=never", "--since", "2024-01-01"],
    ] {
      let outcome = try await workspace.start(["run", "-s", "x.a"] + wrong).end()
      #expect([2, 3].contains(outcome.status), "\(outcome.stderr)")
    }
  }

  @Test func `what is remembered is shown, set and forgotten`() async throws {
    let server = try Self.server()
    defer { server.stop() }
    let workspace = try Workspace()
    try workspace.write(Self.flows(server), to: "flows/x.yaml")
    let early = try await workspace.start(["state", "set", "2024-01-01", "-s", "x.a"]).end()
    #expect(early.status == 74, "\(early.stderr)")
    #expect(try await workspace.start(["run"]).end().status == 0)
    let count = server.requests.count
    let shown = try await workspace.start(["state", "show"]).end()
    #expect(
      shown.stdout == """
        x.a  t  2024-01-02T00:00:00Z
        x.b  t  1 parent
          1  2024-01-02T00:00:00Z

        """, "\(shown.stderr)")
    let set = try await workspace.start(["state", "set", "2024-01-01", "-s", "x.a"]).end()
    #expect(set.stdout == "x.a  t  2024-01-01T00:00:00Z\n", "\(set.stderr)")
    let parent = try await workspace.start(["state", "set", "2024-01-01", "--parent", "2", "-s", "x.b"]).end()
    #expect(parent.status == 0, "\(parent.stderr)")
    let reset = try await workspace.start(["state", "reset", "--parent", "1", "-s", "x.b"]).end()
    #expect(reset.stdout == "x.b  t  1 parent\n  2  2024-01-01T00:00:00Z\n", "\(reset.stderr)")
    let json = try await workspace.start(["state", "show", "--format", "json"]).end()
    let flows = try #require(try JSONValue(parsing: Array(json.stdout.utf8))["flows"]?.array)
    #expect(flows.map { $0["value"]?.string } == ["2024-01-01T00:00:00Z", nil])
    #expect(flows[1]["parents"]?["2"]?.string == "2024-01-01T00:00:00Z")
    #expect(server.requests.count == count)
    for (arguments, status) in [
      (["state", "set", "x", "-s", "x.a"], 2), (["state", "set", "2024-01-01", "-s", "x.b"], 2),
      (["state", "show", "-s", "x.plain"], 4), (["state"], 0),
    ] as [([String], Int32)] {
      let outcome = try await workspace.start(arguments).end()
      #expect(outcome.status == status, "\(arguments) \(outcome.stderr)")
    }
    #expect(try await workspace.start(["run", "-s", "x.a"]).end().status == 0)
    #expect(Self.asked(server).last == "/items?since=2024-01-01T00:00:00Z")
  }
}
