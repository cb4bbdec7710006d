import Foundation
import ReactorCLI
import Synchronization
import TestSupport
import Testing

#if canImport(Glibc)
  import Glibc
#endif

/// Authorization through the program as a process.
@Suite(.timeLimit(.minutes(2))) struct AuthProcessTests {
  /// An authorization server with single-use refresh tokens, and an API that may hang.
  private final class Server: Sendable {
    private struct State {
      var current = "first-refresh-token"
      var count = 0
      var hangs = false
      var refused = 0
    }
    private let state = Mutex(State())

    func hang(_ hangs: Bool) { state.withLock { $0.hangs = hangs } }
    var refused: Int { state.withLock { $0.refused } }

    func start() throws -> ScriptedServer {
      try ScriptedServer { request in
        let (status, body): (String, String) = self.state.withLock { state in
          guard request.target == "/token" else { return ("200 OK", "[{\"id\":1}]") }
          guard String(decoding: request.body, as: UTF8.self).contains("refresh_token=\(state.current)") else {
            state.refused += 1
            return ("400 Bad", "{\"error\":\"invalid_grant\"}")
          }
          state.count += 1
          state.current = "refresh-token-\(state.count)"
          return (
            "200 OK", "{\"access_token\":\"access-token-\(state.count)\",\"refresh_token\":\"\(state.current)\"}"
          )
        }
        if request.target != "/token", self.state.withLock({ $0.hangs }) { return [.hold] }
        return [.send(Array("HTTP/1.1 \(status)\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)".utf8))]
      }
    }
  }

  private static func bench(_ server: ScriptedServer, flows: Int = 1) throws -> Workbench {
    let bench = try Workbench([
      "flows/shop.yaml": """
      reactor: 1
      secrets: [REFRESH, CLIENT]
      http:
        base_url: \(server.url)
        auth:
          oauth2:
            grant: refresh_token
            url: \(server.url)/token
            client_id: me
            client_secret: "{{ secrets.CLIENT }}"
            refresh_token: "{{ secrets.REFRESH }}"
      flows:

      """ + (0..<flows).map { "  f\($0): { resource: /f\($0) }\n" }.joined()
    ])
    try bench.write("REFRESH=first-refresh-token\nCLIENT=client-pass\n", to: "secrets.txt")
    return bench
  }

  private static let line = "\"$REACTOR\" run --secret-file secrets.txt --root out"

  @Test func `a single-use refresh token goes from run to run`() async throws {
    let server = Server()
    let listening = try server.start()
    defer { listening.stop() }
    let bench = try Self.bench(listening, flows: 20)
    for run in 1...3 {
      let ended = try await ProcessTests().shell(Self.line, in: bench)
      #expect(ended.code == 0, "\(ended.err)")
      #expect(listening.requests.last?["authorization"] == "Bearer access-token-\(run)")
    }
    #expect(server.refused == 0 && listening.requests.count == 3 * 21)
  }

  @Test func `runs at the same time renew one after the other`() async throws {
    let server = Server()
    let listening = try server.start()
    defer { listening.stop() }
    let bench = try Self.bench(listening)
    let line =
      "for i in 1 2 3 4 5 6; do \(Self.line) > log$i 2>&1 & pids=\"$pids $!\"; done; "
      + "code=0; for p in $pids; do wait $p || code=$?; done; cat log*; exit $code"
    let ended = try await ProcessTests().shell(line, in: bench)
    #expect(ended.code == 0, "\(ended.out)\(ended.err)")
    #expect(server.refused == 0)
  }

  @Test func `a run that is killed after the renewal has stored the new token`() async throws {
    let server = Server()
    let listening = try server.start()
    defer { listening.stop() }
    let bench = try Self.bench(listening)
    server.hang(true)
    let killed = try TestSupport.Program(
      ProcessTests.binary.path, ["run", "--secret-file", "secrets.txt", "--root", "out"], in: bench.folder)
    #expect(await listening.wait { $0.requests.contains { $0.target == "/f0" } })
    killed.signal(SIGKILL)
    #expect(await killed.end().status == 137)
    server.hang(false)
    let ended = try await ProcessTests().shell(Self.line, in: bench)
    #expect(ended.code == 0, "\(ended.err)")
    #expect(server.refused == 0)
  }

  @Test func `dry runs and explanations show the kind and send no request`() async throws {
    let listening = try Server().start()
    defer { listening.stop() }
    let bench = try Self.bench(listening)
    let dry = try await ProcessTests().shell("\(Self.line) --dry-run", in: bench)
    #expect(dry.code == 0 && dry.out.contains("ask   GET \(listening.url)/f0 [oauth2]"), "\(dry.out)\(dry.err)")
    let json = try await ProcessTests().shell("\(Self.line) --dry-run --format json", in: bench)
    #expect(json.out.contains("\"auth\":\"oauth2\""), "\(json.out)")
    let explained = try await ProcessTests().shell("\"$REACTOR\" explain shop.f0 --root out", in: bench)
    #expect(
      explained.out.contains("oauth2 refresh_token of \(listening.url)/token, client me, secret {{ secrets.CLIENT }}"))
    #expect(listening.acceptedConnections == 0)
    #expect(!FileManager.default.fileExists(atPath: bench.path("out")))
  }

  @Test func `a refused token request is reported without secrets`() async throws {
    let listening = try Server().start()
    defer { listening.stop() }
    let bench = try Self.bench(listening, flows: 3)
    try bench.write("REFRESH=another-refresh-token\nCLIENT=client-pass\n", to: "secrets.txt")
    let ended = try await ProcessTests().shell("\(Self.line) -j 1", in: bench)
    #expect(ended.code == 5 && ended.err.contains("status 400: invalid_grant"), "\(ended.err)")
    #expect(!ended.err.contains("another-refresh") && !ended.err.contains("client-pass"))
    #expect(listening.requests.count == 1)
  }
}
