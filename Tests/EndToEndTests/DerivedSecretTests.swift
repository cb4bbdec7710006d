import Foundation
import TestSupport
import Testing

/// What a flow makes of a secret while it runs, such as the signature of a request, is a secret too.
@Suite(.timeLimit(.minutes(2))) struct DerivedSecretTests {
  private static let key = "k3y-0f-the-sh0p"

  /// A server that returns the signature of each request, and refuses what `refuses` says.
  private static func server(refuses: @escaping @Sendable (String) -> Bool = { _ in false }) throws -> ScriptedServer {
    try ScriptedServer { request in
      let signature = request.target.components(separatedBy: "sig=").last ?? ""
      let id = request.target.components(separatedBy: "id=").last.map { $0.prefix { $0.isNumber } } ?? ""
      let isRefused = refuses(String(id))
      let body =
        isRefused
        ? #"{"error":"the signature \#(signature) is not right"}"# : #"[{"id":\#(id),"note":"signed \#(signature)"}]"#
      let head =
        "HTTP/1.1 \(isRefused ? "403 no \(signature)" : "200 OK")\r\nX-Seen: \(signature)\r\n"
        + "Content-Length: \(body.utf8.count)\r\n\r\n"
      return [.send(Array((head + body).utf8))]
    }
  }

  private static func flow(_ base: String, _ signature: String) -> String {
    """
    reactor: 1
    secrets: [KEY]
    http: { base_url: \(base) }
    flows:
      detail:
        each: { file: ids.jsonl, concurrency: 1 }
        resource: { path: /d, query: { id: "{{ parent.id }}", sig: "\(signature)" } }
        schema: { key: id, fields: { id: integer } }

    """
  }

  /// The signatures that the server got.
  private func signatures(_ server: ScriptedServer) -> [String] {
    server.requests.map { $0.target.components(separatedBy: "sig=").last ?? "" }
  }

  private func expectNothing(of secrets: [String], in outcome: Program.Outcome, _ workspace: Workspace) {
    for secret in secrets + [Self.key] {
      #expect(!(outcome.stdout + outcome.stderr).contains(secret), "\(secret): \(outcome.stdout)\(outcome.stderr)")
      for file in workspace.files(hidden: true) where !file.hasPrefix("flows/") {
        #expect(workspace.text(file)?.contains(secret) != true, "\(secret) in \(file)")
      }
    }
  }

  @Test(arguments: [
    "{{ sha256(secrets.KEY + string(parent.id)) }}", "{{ hmac_sha256(string(parent.id), secrets.KEY) }}",
    "{{ secrets.KEY + '-' + string(parent.id) }}",
  ])
  func `a signature is neither shown nor recorded, and its requests are replayed`(_ signature: String) async throws {
    let server = try Self.server()
    defer { server.stop() }
    let workspace = try Workspace()
    try workspace.write(Self.flow(server.url, signature), to: "flows/a.yaml")
    try workspace.write("{\"id\":1}\n{\"id\":2}\n", to: "ids.jsonl")
    let recorded = try await workspace.start(["record"], environment: ["KEY": Self.key]).end()
    #expect(recorded.status == 0, "\(recorded.stdout)\(recorded.stderr)")
    let sent = signatures(server)
    #expect(sent.count == 2 && Set(sent).count == 2)
    expectNothing(of: sent, in: recorded, workspace)
    let cassette = workspace.text("fixtures/a.detail/cassette.yaml") ?? ""
    #expect(cassette.contains("sig={{secret:derived}}") || cassette.contains("sig={{secret:KEY}}-1"), "\(cassette)")
    let replay = try await workspace.reactor("test", environment: ["CI": "1"])
    #expect(replay.status == 0, "\(replay.stdout)\(replay.stderr)")
  }

  @Test(arguments: [
    "{{ sha256(secrets.KEY + string(parent.id)) }}", "{{ (secrets.KEY + string(parent.id)).replace('k', 'q') }}",
    "{{ split(secrets.KEY, '-')[parent.id] + '-' + split(secrets.KEY, '-')[0] }}",
  ]) func `a server that tells the signature of a refused request tells nobody else`(_ signature: String) async throws {
    let server = try Self.server { $0 == "2" }
    defer { server.stop() }
    let workspace = try Workspace()
    try workspace.write(Self.flow(server.url, signature), to: "flows/a.yaml")
    try workspace.write("{\"id\":1}\n{\"id\":2}\n", to: "ids.jsonl")
    let reports = ["html", "junit", "md", "tap", "json", "ndjson"].flatMap { ["--report", "\($0)=r/\($0)"] }
    let outcome = try await workspace.start(["run", "-v"] + reports, environment: ["KEY": Self.key]).end()
    #expect(outcome.stderr.contains("403"), "\(outcome.stderr)")
    #expect(outcome.stderr.contains("the signature *** is not right"), "\(outcome.stderr)")
    expectNothing(of: signatures(server), in: outcome, workspace)
  }

  @Test func `a text that a secret only chooses is no secret`() async throws {
    let server = try Self.server { $0 == "1" }
    defer { server.stop() }
    let workspace = try Workspace()
    let chosen = "{{ secrets.KEY == 'x' ? 'a text' : 'the-other-text-' + string(parent.id) }}"
    try workspace.write(Self.flow(server.url, chosen), to: "flows/a.yaml")
    try workspace.write("{\"id\":1}\n", to: "ids.jsonl")
    let outcome = try await workspace.start(["run"], environment: ["KEY": Self.key]).end()
    #expect(outcome.stderr.contains("the-other-text-1"), "\(outcome.stderr)")
  }
}
