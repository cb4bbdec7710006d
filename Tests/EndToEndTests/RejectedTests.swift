import Foundation
import Synchronization
import TestSupport
import Testing

/// Rejected records, merged results and questions for changes, through the program.
@Suite(.timeLimit(.minutes(2)))
struct RejectedTests {
  private static func answer(_ body: String, _ fields: String = "", status: String = "200 OK") -> [ScriptedServer.Step]
  {
    let head = "HTTP/1.1 \(status)\r\n\(fields)Content-Length: \(body.utf8.count)\r\n\r\n"
    return [.send(Array(head.utf8)), .send(Array(body.utf8))]
  }

  private static func server(_ body: String, _ fields: String = "") throws -> ScriptedServer {
    try ScriptedServer { request in
      if request["If-None-Match"] == "\"v1\"" { return [.send(Array("HTTP/1.1 304 Not Modified\r\n\r\n".utf8))] }
      return answer(body, fields)
    }
  }

  private static func flow(_ server: ScriptedServer, _ keys: String = "") -> String {
    """
    reactor: 1
    http: { base_url: "\(server.url)" }
    flows:
      a:
        resource: /items
        schema: { key: id, fields: { id: integer } }
        persistence: { path: out/a.jsonl, mode: merge }
        rejected: out/a.rejected.jsonl
        \(keys)

    """
  }

  private static let mixed = #"[{"id":1},{"id":"x"},{"id":2},{"id":3}]"#

  @Test func `rejected records are in their file, and every report names it`() async throws {
    let server = try Self.server(Self.mixed)
    defer { server.stop() }
    let workspace = try Workspace()
    try workspace.write(Self.flow(server), to: "flows/a.yaml")
    let names = ["junit", "tap", "md", "html", "json"]
    let reports = names.flatMap { ["--report", "\($0)=reports/\($0)"] }
    let outcome = try await workspace.start(["run", "--no-timing"] + reports).end()
    #expect(outcome.status == 0, "\(outcome.stderr)")
    #expect(outcome.stdout.contains("1 rejected -> out/a.rejected.jsonl"), "\(outcome.stdout)")
    let kept = try #require(workspace.text("out/a.rejected.jsonl"))
    #expect(kept.hasPrefix(#"{"flow":"a.a","page":1,"index":1,"pointer":"/id","rule":"integer","#))
    #expect(kept.hasSuffix(#""record":{"id":"x"}}"# + "\n"))
    for name in names {
      #expect(workspace.text("reports/\(name)")?.contains("a.rejected.jsonl") == true, "\(name)")
    }
  }

  @Test func `a rejected record that a cursor has passed is delivered by a retry`() async throws {
    let isMended = Atomic(false)
    let server = try ScriptedServer { request in
      let from = request.target.split(separator: "=").last.flatMap { Int($0) } ?? 0
      let id = isMended.load(ordering: .acquiring) ? "5" : "\"five\""
      let records = [(1, "{\"id\":1,\"seq\":1}"), (2, "{\"id\":\(id),\"seq\":2}"), (3, "{\"id\":3,\"seq\":3}")]
      return Self.answer("[" + records.filter { $0.0 >= from }.map(\.1).joined(separator: ",") + "]")
    }
    defer { server.stop() }
    let workspace = try Workspace()
    let flow = Self.flow(server, "cursor: { field: seq, query: from }")
      .replacingOccurrences(of: "{ id: integer }", with: "{ id: integer, seq: integer }")
    try workspace.write(flow, to: "flows/a.yaml")
    for _ in 0..<2 { #expect(try await workspace.reactor("run").status == 0) }
    #expect(
      workspace.text("out/a.rejected.jsonl")?.contains(#""cursor":{"start":"2"},"record":{"id":"five","seq":2}}"#)
        == true)
    let failed = try await workspace.reactor("run", "--fresh=rejected")
    #expect(failed.stderr.contains("1 rejected record is still not delivered"), "\(failed.stdout)\(failed.stderr)")
    isMended.store(true, ordering: .releasing)
    let outcome = try await workspace.reactor("run", "--fresh=rejected")
    #expect(outcome.status == 0, "\(outcome.stdout)\(outcome.stderr)")
    #expect(workspace.text("out/a.jsonl")?.contains(#"{"id":5,"seq":2}"#) == true)
    #expect(server.requests.map(\.target) == ["/items", "/items?from=3", "/items?from=2", "/items?from=2"])
  }

  @Test func `a pull that persists the pages before a failure says so in every report`() async throws {
    let server = try ScriptedServer { request in
      request.target.hasSuffix("page=1") ? Self.answer(#"[{"id":1}]"#) : Self.answer("{}", status: "404 Gone")
    }
    defer { server.stop() }
    let workspace = try Workspace()
    try workspace.write(Self.flow(server, "pages: { by: page, query: page, partial: keep }"), to: "flows/a.yaml")
    let names = ["junit", "tap", "md", "html", "json", "github"]
    let reports = names.flatMap { ["--report", "\($0)=reports/\($0)"] }
    let outcome = try await workspace.start(["run", "--no-timing"] + reports).end()
    #expect(outcome.status == 0, "\(outcome.stderr)")
    #expect(workspace.text("out/a.jsonl") == "{\"id\":1}\n")
    for name in names {
      let text = (workspace.text("reports/\(name)") ?? "").replacing("&#58;", with: ":")
      #expect(text.contains("page 2: "), "\(name): \(text)")
      if name != "json" { #expect(text.contains("these are not all records: page 2: "), "\(name): \(text)") }
    }
    // Who has to know by the exit code alone asks for it.
    #expect(try await workspace.start(["run", "--fresh", "--fail-on", "partial"]).end().status == 6)
  }

  @Test func `with --fail-on partial the exit code says that records were rejected`() async throws {
    for (body, status) in [(Self.mixed, Int32(6)), (#"[{"id":1}]"#, 0)] {
      let server = try Self.server(body)
      defer { server.stop() }
      let workspace = try Workspace()
      try workspace.write(Self.flow(server), to: "flows/a.yaml")
      let outcome = try await workspace.start(["run", "--fail-on", "partial", "--format", "json"]).end()
      #expect(outcome.status == status, "\(outcome.stderr)")
      #expect(outcome.stdout.contains("\"exit\":\(status),"), "\(outcome.stdout)")
    }
  }

  @Test(arguments: [("25%", 0), ("24%", 1), ("1", 0), ("0", 1), ("x", 2), ("101%", 2)])
  func `a run fails above what it allows to be rejected`(_ allowed: String, _ status: Int32) async throws {
    let server = try Self.server(Self.mixed)
    defer { server.stop() }
    let workspace = try Workspace()
    try workspace.write(Self.flow(server), to: "flows/a.yaml")
    let outcome = try await workspace.start(["run", "--fail-on", "rejected:\(allowed)"]).end()
    #expect(outcome.status == status, "\(outcome.stderr)")
    #expect((workspace.text("out/a.jsonl") != nil) == (status == 0))
    #expect((workspace.text("out/a.rejected.jsonl") != nil) == (status != 2))
    if status == 1 { #expect(outcome.stdout.contains("1 rejected -> out/a.rejected.jsonl"), "\(outcome.stdout)") }
  }

  @Test func `results are merged from run to run, and asked for again only when they changed`() async throws {
    let first = try Self.server(#"[{"id":1},{"id":2}]"#, "ETag: \"v1\"\r\n")
    defer { first.stop() }
    let workspace = try Workspace()
    try workspace.write("{\"id\":7}\n", to: "out/a.jsonl")
    try workspace.write(Self.flow(first), to: "flows/a.yaml")
    #expect(try await workspace.start(["run"]).end().status == 0)
    #expect(workspace.text("out/a.jsonl") == "{\"id\":7}\n{\"id\":1}\n{\"id\":2}\n")
    let again = try await workspace.start(["run", "--fresh=validate", "--format", "json"]).end()
    #expect(again.stdout.contains(#""source":"not_modified""#), "\(again.stdout)")
    #expect(workspace.text("out/a.jsonl") == "{\"id\":7}\n{\"id\":1}\n{\"id\":2}\n")
    let both = try await workspace.start(["run", "--fresh=validate", "--fresh"]).end()
    #expect(both.status == 2)
  }
}
