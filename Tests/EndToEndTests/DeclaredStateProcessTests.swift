import Foundation
import TestSupport
import Testing

/// The key `state` in `defaults`, with a real PostgreSQL server.
@Suite(
  .serialized, .timeLimit(.minutes(5)),
  .enabled(if: (try? PostgreSQLServer.isAvailable(for: "declared shared state")) ?? true))
struct DeclaredStateProcessTests {
  private static let database = Result { try PostgreSQLServer() }

  private let database: PostgreSQLServer
  private let workspace: Workspace
  private let run = "run-\(UUID().uuidString)"

  init() throws {
    database = try Self.database.get()
    workspace = try Workspace()
  }

  private func write(_ name: String, to server: ScriptedServer, state: String, top: String = "") throws {
    try workspace.write(
      """
      reactor: 1
      \(top)
      http: { base_url: "\(server.url)" }
      defaults: { state: "\(state)", reachability: false }
      flows: { \(name): { resource: /\(name), persistence: out/\(name).jsonl } }
      """, to: "flows/\(name).yaml")
  }

  private func server() throws -> ScriptedServer {
    try ScriptedServer { _ in [.send(Array("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n[{\"id\":1}]".utf8))] }
  }

  private func runs() throws -> String {
    // Without a run, the table does not exist.
    (try? database.sql("SELECT count(*) FROM reactor_shared_runs WHERE run = '\(run)'")) ?? "0"
  }

  @Test func `a run has the shared state that its files declare, unless the command line names another`() async throws {
    let server = try server()
    defer { server.stop() }
    try write("a", to: server, state: "{{ secrets.STATE_URL }}", top: "secrets: [STATE_URL]")
    try write("b", to: server, state: "{{ secrets.STATE_URL }}", top: "secrets: [STATE_URL]")
    let unset = try await workspace.reactor("run", "--run", run)
    #expect(unset.status == 3 && unset.stderr.contains("STATE_URL"), "\(unset.stdout)\(unset.stderr)")
    let wrong = try await workspace.reactor("run", "--run", run, environment: ["STATE_URL": "https://a.example/hidden"])
    #expect(wrong.status == 2 && wrong.stderr.contains("'state' at flows/a.yaml:4 is not the URL"), "\(wrong.stderr)")
    let local = try await workspace.reactor("run", "--state", "none", "--root", "own")
    #expect(local.status == 0 && local.stdout.contains("2 flows: 2 passed"), "\(local.stdout)\(local.stderr)")
    #expect(try runs() == "0")

    let environment = ["STATE_URL": database.url]
    let first = try await workspace.reactor("run", "--run", run, environment: environment)
    #expect(first.status == 0 && first.stdout.contains("2 flows: 2 passed"), "\(first.stdout)\(first.stderr)")
    #expect(try runs() == "1")
    let again = try await workspace.reactor("run", "--run", run, "--root", "other", environment: environment)
    #expect(again.status == 0 && again.stdout.contains("nothing is left to do"), "\(again.stdout)\(again.stderr)")
    #expect(server.requests.count == 4)
    // The variable wins over the file.
    let other = try await workspace.reactor(
      "run", "--run", run, environment: ["STATE_URL": "https://a.example", "REACTOR_STATE": database.url])
    #expect(other.status == 0 && other.stdout.contains("nothing is left to do"), "\(other.stdout)\(other.stderr)")
    // A selection by result asks the declared state.
    let selected = try await workspace.reactor(
      "run", "--run", run + "-next", "-s", "result:failed", environment: environment)
    #expect(selected.stdout.contains("no flow is selected") || selected.stderr.contains("no flow is selected"))
  }

  @Test func `files that declare two shared states are refused`() async throws {
    let server = try server()
    defer { server.stop() }
    try write("a", to: server, state: database.url)
    try write("b", to: server, state: "postgresql:///other")
    let outcome = try await workspace.reactor("run", "--run", run)
    #expect(outcome.status == 3, "\(outcome.stdout)\(outcome.stderr)")
    #expect(outcome.stderr.contains("[flow.state-conflict]") && outcome.stderr.contains("flows/a.yaml:4"))
    for (name, number) in [("a", 1), ("b", 2)] {
      try write(
        name, to: server, state: "postgresql:///{{ vars.database }}", top: "vars: { database: shop\(number) }")
    }
    let values = try await workspace.reactor("run", "--run", run)
    #expect(values.status == 3, "\(values.stdout)\(values.stderr)")
    #expect(
      values.stderr.contains("one value at flows/a.yaml:4 and another one at flows/b.yaml:4"), "\(values.stderr)")
    #expect(server.requests.isEmpty)
    #expect(try runs() == "0")
  }
}
