import Foundation
import Synchronization
import TestSupport
import Testing

/// Single-use tokens and jobs of servers in runs of several processes, with their state in a real PostgreSQL server.
@Suite(
  .serialized, .timeLimit(.minutes(5)),
  .enabled(if: (try? PostgreSQLServer.isAvailable(for: "tokens and jobs of several processes")) ?? true))
struct SharedDocumentProcessTests {
  private static let database = Result { try PostgreSQLServer() }
  private static let key = "q1Yx3d0vN9sD4o8mZ2c7kT5uQwErTyUiOpAsDfGhJkI="

  private let database: PostgreSQLServer
  private let workspace: Workspace
  private let run = "run \(UUID().uuidString)"

  init() throws {
    database = try Self.database.get()
    workspace = try Workspace()
  }

  private func environment(key: String? = SharedDocumentProcessTests.key, run: String? = nil) -> [String: String] {
    var variables = [
      "REACTOR_STATE": database.url, "REACTOR_RUN": run ?? self.run, "REACTOR_LEASE": "60s",
      "REFRESH": "first-refresh-token",
    ]
    variables["REACTOR_STATE_KEY"] = key
    return variables
  }

  private static func response(_ body: String, status: String = "200 OK") -> ScriptedServer.Step {
    .send(Array("HTTP/1.1 \(status)\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)".utf8))
  }

  /// An authorization server that accepts each refresh token once, and an API that accepts all of its access tokens.
  private final class Tokens: Sendable {
    struct State {
      var current = "first-refresh-token"
      var count = 0
      var running = 0
      var mostRunning = 0
      /// The processes' access tokens that the API got.
      var used: Set<String> = []
    }
    let state = Mutex(State())

    func steps(_ request: ScriptedServer.Request) -> [ScriptedServer.Step] {
      guard request.target == "/token" else {
        let token = request["authorization"] ?? ""
        state.withLock { _ = $0.used.insert(token) }
        guard token.hasPrefix("Bearer access-token-") else { return [response("{}", status: "401 Unauthorized")] }
        return [.pause(milliseconds: 150), response("[{\"id\":1}]")]
      }
      let sent = String(decoding: request.body, as: UTF8.self)
      let isGood = state.withLock { state in
        state.running += 1
        state.mostRunning = max(state.mostRunning, state.running)
        return sent.split(separator: "&").contains("refresh_token=\(state.current)")
      }
      let end: @Sendable (ScriptedServer) -> Bool = { _ in
        self.state.withLock { $0.running -= 1 }
        return true
      }
      guard isGood else {
        return [.until(end), response("{\"error\":\"invalid_grant\"}", status: "400 Bad Request")]
      }
      let body = state.withLock { state in
        state.count += 1
        state.current = "secret-refresh-token-number-\(state.count)"
        return "{\"access_token\":\"access-token-\(state.count)\",\"refresh_token\":\"\(state.current)\"}"
      }
      return [.pause(milliseconds: 200), .until(end), response(body)]
    }

    private func response(_ body: String, status: String = "200 OK") -> ScriptedServer.Step {
      SharedDocumentProcessTests.response(body, status: status)
    }
  }

  private func write(_ count: Int, to server: ScriptedServer) throws {
    let flows = (0..<count).map {
      "  f\($0): { resource: /f\($0), reachability: false, persistence: out/f\($0).jsonl }\n"
    }
    try workspace.write(
      """
      reactor: 1
      secrets: [REFRESH]
      http:
        base_url: "\(server.url)"
        auth: { oauth2: { grant: refresh_token, url: "\(server.url)/token", client_id: me, refresh_token: "{{ secrets.REFRESH }}" } }
      flows:
      \(flows.joined())
      """, to: "flows/a.yaml")
  }

  // MARK: - Tokens

  @Test func `processes of a run use a single-use refresh token one after the other`() async throws {
    let tokens = Tokens()
    let server = try ScriptedServer { tokens.steps($0) }
    defer { server.stop() }
    try write(8, to: server)
    let processes = try (0..<2).map {
      try workspace.start(["run", "--root", "root\($0)", "--jobs", "1", "--verbose"], environment: environment())
    }
    var texts = ""
    for process in processes {
      let outcome = await process.end()
      #expect(outcome.status == 0, "\(outcome.stdout)\(outcome.stderr)")
      texts += outcome.stdout + outcome.stderr
    }
    let state = tokens.state.withLock { $0 }
    #expect(state.mostRunning == 1)
    #expect(state.count == 2 && state.used == ["Bearer access-token-1", "Bearer access-token-2"], "\(state)")
    let row = "SELECT encode(bytes, 'escape') FROM reactor_documents WHERE kind = 'tokens'"
    let stored = try database.sql(row)
    #expect(!stored.isEmpty && !stored.contains("token-number") && !stored.contains("refresh_token"), "\(stored)")
    #expect(!workspace.files(hidden: true).contains { $0.contains("auth") }, "\(workspace.files(hidden: true))")
    #expect(!texts.contains(Self.key) && !texts.contains("token-number"))

    // A run of another machine goes on with the newest token.
    let next = try await workspace.reactor(
      "run", "--root", "elsewhere", environment: environment(run: run + " next"))
    #expect(next.status == 0, "\(next.stdout)\(next.stderr)")
    #expect(tokens.state.withLock { $0.count } == 3)

    // With another key nothing is sent, and the error says what to do.
    let other = try await workspace.reactor(
      "run", "--root", "other", environment: environment(key: String(repeating: "0f", count: 32), run: run + " other"))
    #expect(
      other.status != 0 && (other.stdout + other.stderr).contains("was sealed with another key"),
      "\(other.stdout)\(other.stderr)")
    #expect(tokens.state.withLock { $0.count } == 3)
  }

  @Test func `a token without a key, and a text that is no key, are refused`() async throws {
    let tokens = Tokens()
    let server = try ScriptedServer { tokens.steps($0) }
    defer { server.stop() }
    try write(1, to: server)
    let none = try await workspace.reactor("run", environment: environment(key: nil))
    #expect(none.status == 3 && none.stderr.contains("openssl rand -base64 32"), "\(none.stdout)\(none.stderr)")
    let wrong = try await workspace.reactor("run", environment: environment(key: "my-secret-text"))
    #expect(wrong.status == 2 && wrong.stderr.contains("REACTOR_STATE_KEY is neither 32 bytes"), "\(wrong.stderr)")
    #expect(!wrong.stderr.contains("my-secret-text"))
    #expect(server.requests.isEmpty)
  }

  // MARK: - Jobs

  @Test(arguments: [nil, SharedDocumentProcessTests.key])
  func `a job that is not finished when a process ends is continued on another machine`(_ key: String?) async throws {
    let isDone = Atomic(false)
    let server = try ScriptedServer { request in
      switch "\(request.method) \(request.target)" {
      case "POST /exports": [Self.response("{\"id\":\"j-17\"}")]
      case "GET /exports/j-17":
        [Self.response("{\"state\":\"\(isDone.load(ordering: .acquiring) ? "done" : "running")\"}")]
      default: [Self.response("[{\"id\":1}]")]
      }
    }
    defer { server.stop() }
    try workspace.write(
      """
      reactor: 1
      http: { base_url: "\(server.url)" }
      flows:
        export:
          resource: { method: POST, path: /exports, body: { json: { of: users } } }
          reachability: false
          job: { id: response.id, poll: "/exports/{{ job.id }}", wait: 100ms, done: "response.state == 'done'", download: "/exports/{{ job.id }}/1" }
          persistence: out/users.jsonl
      """, to: "flows/jobs.yaml")
    let first = try workspace.start(
      ["run", "--root", "one", "--grace", "0s"], environment: environment(key: key))
    #expect(await first.wait { _ in server.requests.count >= 3 })
    first.signal(SIGKILL)
    _ = await first.end()
    let stored = try database.sql("SELECT encode(bytes, 'escape') FROM reactor_documents WHERE kind = 'jobs'")
    #expect(!stored.isEmpty && stored.contains("j-17") == (key == nil), "\(stored)")
    isDone.store(true, ordering: .releasing)
    let second = try await workspace.reactor(
      "run", "--root", "two", environment: environment(key: key, run: run + " next"))
    #expect(second.status == 0, "\(second.stdout)\(second.stderr)")
    #expect(server.requests.count { $0.method == "POST" } == 1)
    #expect(workspace.text("two/out/users.jsonl") == "{\"id\":1}\n")
    #expect(try database.sql("SELECT count(*) FROM reactor_documents WHERE kind = 'jobs'") == "0")
  }
}
