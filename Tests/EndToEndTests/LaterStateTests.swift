import Foundation
import TestSupport
import Testing

/// Files that a later version of the program has written.
@Suite(.timeLimit(.minutes(2))) struct LaterStateTests {
  private static let words = "was written by a later version of reactor"
  private static let help = "upgrade reactor, or use another folder"

  private static func server() throws -> ScriptedServer {
    try ScriptedServer { _ in
      [.send(Array("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n[{\"id\":1}]".utf8))]
    }
  }

  private static func workspace(_ server: ScriptedServer) throws -> Workspace {
    let workspace = try Workspace()
    let flow =
      "resource: /items, schema: { key: id, fields: { id: integer } }, persistence: { path: out/a.jsonl, expires_after: 1h }"
    try workspace.write(
      "reactor: 1\nhttp: { base_url: \"\(server.url)\" }\nflows:\n  a: { \(flow) }\n", to: "flows/x.yaml")
    return workspace
  }

  @Test(arguments: [[], ["--fresh=everything"], ["--fresh=validate"]])
  func `a result with a stamp of a later form is neither used nor replaced`(_ options: [String]) async throws {
    let server = try Self.server()
    defer { server.stop() }
    let workspace = try Self.workspace(server)
    #expect(try await workspace.reactor("run").status == 0)
    let stamps = try #require(workspace.text("out/.reactor.stamps"))
    // The checksum of a line does not cover its first field.
    let later = stamps.replacingOccurrences(of: "r1\t", with: "r2\t")
    #expect(later != stamps)
    try workspace.write(later, to: "out/.reactor.stamps")
    let outcome = try await workspace.start(["run"] + options).end()
    #expect(outcome.status == 74, "\(outcome.stdout)\(outcome.stderr)")
    #expect(outcome.stderr.contains("out/.reactor.stamps \(Self.words)"), "\(outcome.stderr)")
    #expect(outcome.stderr.contains(Self.help), "\(outcome.stderr)")
    #expect(workspace.text("out/.reactor.stamps") == later)
    #expect(workspace.text("out/a.jsonl") == "{\"id\":1}\n")
  }

  @Test func `an altered line of a stamp is no later form`() async throws {
    let server = try Self.server()
    defer { server.stop() }
    let workspace = try Self.workspace(server)
    #expect(try await workspace.reactor("run").status == 0)
    let stamps = try #require(workspace.text("out/.reactor.stamps"))
    try workspace.write(
      stamps.replacingOccurrences(of: "r1\t", with: "r2\t").replacingOccurrences(of: "a.jsonl", with: "b.jsonl"),
      to: "out/.reactor.stamps")
    #expect(try await workspace.reactor("run").status == 0)
    #expect(server.requests.count == 2)
  }

  @Test func `a recording of a later form is refused, whatever its keys are`() async throws {
    let workspace = try await FixtureShop.recorded()
    let path = "fixtures/shop.orders/cassette.yaml"
    let recorded = try #require(workspace.text(path))
    let later = recorded.replacingOccurrences(of: "cassette: 1", with: "cassette: 2\nclock: monotonic")
    #expect(later != recorded)
    try workspace.write(later, to: path)
    let outcome = try await workspace.reactor("test")
    #expect(outcome.status == 5, "\(outcome.stdout)\(outcome.stderr)")
    #expect(outcome.stderr.contains("\(path) \(Self.words)"), "\(outcome.stderr)")
    #expect(outcome.stderr.contains(Self.help), "\(outcome.stderr)")
    #expect(workspace.text(path) == later)
  }

  @Test func `lines of a later form stay in the history, and are counted`() async throws {
    let server = try Self.server()
    defer { server.stop() }
    let workspace = try Self.workspace(server)
    let later =
      "{\"v\":2,\"run\":{\"id\":\"x\"},\"flow\":\"x.a\",\"status\":\"failed\",\"started\":\"2030-01-01T00:00:00Z\"}\n"
    try workspace.write(later, to: ".reactor/history.jsonl")
    #expect(try await workspace.reactor("run").status == 0)
    let history = try await workspace.reactor("history")
    #expect(history.stderr.contains("1 line of './.reactor/history.jsonl' of a later version"), "\(history.stderr)")
    #expect(history.stdout.split(separator: "\n").count == 1, "\(history.stdout)")
    #expect(workspace.text(".reactor/history.jsonl")?.hasPrefix(later) == true)
  }
}
