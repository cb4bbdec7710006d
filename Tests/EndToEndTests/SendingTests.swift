import Foundation
import JSONSyntax
import Synchronization
import TestSupport
import Testing

/// Records of one flow sent by another, through the program.
@Suite(.timeLimit(.minutes(3))) struct SendingTests {
  /// A server that gives people and takes each once by its key, refusing some.
  private final class Shop: Sendable {
    let refused = Mutex<Set<Int64>>([])
    let taken = Mutex<[String: Int64]>([:])

    func answer(_ request: ScriptedServer.Request) -> [ScriptedServer.Step] {
      guard request.method == "POST" else {
        return Self.answer(
          "[{\"id\":1,\"home\":{\"city\":\"Rome\"}},{\"id\":2,\"home\":{\"city\":\"Oslo\"}},{\"id\":3,\"home\":{\"city\":\"Bern\"}}]"
        )
      }
      let body = try? JSONValue(parsing: request.body)
      guard let id = body?["ref"]?.int64, let key = request["idempotency-key"] else {
        return Self.answer("{}", status: "400 Bad Request")
      }
      if refused.withLock({ $0.contains(id) }) { return Self.answer("{\"error\":\"no\"}", status: "422 No") }
      taken.withLock { $0[key] = id }
      return Self.answer("{\"ref\":\(id),\"status\":\"new\"}", status: "201 Created")
    }

    private static func answer(_ body: String, status: String = "200 OK") -> [ScriptedServer.Step] {
      [.send(Array("HTTP/1.1 \(status)\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)".utf8))]
    }
  }

  private static func file(_ server: ScriptedServer) -> String {
    """
    reactor: 1
    http: { base_url: "\(server.url)" }
    schemas:
      person: { key: id, fields: { id: integer, city: { from: $.home.city, type: string } } }
      contact: { fields: { id: { from: $.ref, type: integer }, city: { from: $.address.town, type: string } } }
    flows:
      people: { resource: /people, schema: person, persistence: out/people.jsonl }
      mirror:
        each: { flow: people, as: person, concurrency: 1 }
        resource:
          method: POST
          path: /contacts
          body: { records: contact }
          idempotency: Idempotency-Key
        schema: { fields: { ref: integer, status: string } }
        persistence: out/mirror.jsonl
        rejected: out/mirror.rejected.jsonl

    """
  }

  @Test func `records move from one server to another, and what failed is sent again alone`() async throws {
    let shop = Shop()
    let server = try ScriptedServer { shop.answer($0) }
    defer { server.stop() }
    let workspace = try Workspace()
    try workspace.write(Self.file(server), to: "flows/crm.yaml")
    shop.refused.withLock { $0 = [2] }
    let first = try await workspace.reactor("run", "--report", "json=report.json")
    #expect(first.status == 0, "\(first.stdout)\(first.stderr)")
    #expect(first.stdout.contains("1 rejected -> out/mirror.rejected.jsonl"))
    let report = try JSONValue(parsing: [UInt8](try #require(workspace.bytes("report.json"))))
    #expect(report["rejected"]?.int64 == 1)
    let letter = try JSONValue(parsing: Array(try #require(workspace.text("out/mirror.rejected.jsonl")).utf8))
    #expect(letter["each"]?["person"]?["city"]?.string == "Oslo" && letter["status"]?.int64 == 422)
    let before = server.requests.count
    shop.refused.withLock { $0 = [] }
    let again = try await workspace.reactor("run", "--fresh=rejected")
    #expect(again.status == 0 && again.stdout.contains("1 flow:"), "\(again.stdout)\(again.stderr)")
    let requests = server.requests.dropFirst(before).filter { $0.method != "HEAD" }
    #expect(requests.map(\.method) == ["POST"])
    #expect(requests.first?["idempotency-key"] == letter["request"]?["key"]?.string)
    #expect(workspace.text("out/mirror.rejected.jsonl") == "")
    #expect(
      workspace.text("out/mirror.jsonl") == [1, 3, 2].map { "{\"ref\":\($0),\"status\":\"new\"}\n" }.joined())
    #expect(shop.taken.withLock { $0.values.sorted() } == [1, 2, 3])
  }

  @Test func `sending again asks for nothing else`() async throws {
    let shop = Shop()
    let server = try ScriptedServer { shop.answer($0) }
    defer { server.stop() }
    let workspace = try Workspace()
    try workspace.write(Self.file(server), to: "flows/crm.yaml")
    for flag in ["--fresh", "--fresh=never", "--fresh=everything", "--since=1"] {
      let outcome = try await workspace.reactor("run", "--fresh=rejected", flag)
      #expect(outcome.status == 2 && outcome.stderr.contains("cannot be used together"))
    }
    let none = try await workspace.reactor("run", "--fresh=rejected", "-s", "people")
    #expect(none.status == 4)
    #expect(server.requests.isEmpty)
  }
}
