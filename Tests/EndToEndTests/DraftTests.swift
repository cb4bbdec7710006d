import Foundation
import TestSupport
import Testing

/// Flows that `reactor init` drafts, checked and run as they stand.
@Suite(.timeLimit(.minutes(2))) struct DraftTests {
  /// A practice with pets on pages of two and visits of each, for those who have the token.
  private static func practice() throws -> ScriptedServer {
    try ScriptedServer { request in
      guard request["authorization"] == "Bearer s3cret-token" else { return [.send(response("[]", status: "401 No"))] }
      let parts = request.target.split(separator: "?", maxSplits: 1)
      var query: [String: String] = [:]
      for pair in (parts.count > 1 ? parts[1] : "").split(separator: "&") {
        let sides = pair.split(separator: "=")
        if sides.count == 2 { query[String(sides[0])] = String(sides[1]) }
      }
      let words = parts[0].split(separator: "/")
      switch words.count {
      case 1 where words[0] == "pets":
        let page = Int(query["page"] ?? "1") ?? 1
        let size = Int(query["per_page"] ?? "2") ?? 2
        let ids = Array(1...5).dropFirst((page - 1) * size).prefix(size)
        let pets = ids.map { #"{"id":\#($0),"name":"p\#($0)"}"# }.joined(separator: ",")
        return [.send(response(#"{"pets":[\#(pets)],"page":\#(page),"total":5}"#))]
      case 2: return [.send(response(#"{"id":\#(words[1]),"name":"p\#(words[1])","weight":1.5}"#))]
      case 3: return [.send(response(#"[{"id":1,"why":"teeth"},{"id":2,"why":"ears"}]"#))]
      default: return [.send(response("{}", status: "404 No"))]
      }
    }
  }

  private static func response(_ body: String, status: String = "200 OK") -> [UInt8] {
    Array(
      "HTTP/1.1 \(status)\r\nContent-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)".utf8)
  }

  private static func lines(_ workspace: Workspace, _ path: String) -> Int {
    workspace.text(path)?.split(separator: "\n").count ?? 0
  }

  @Test func `a curl line with a bearer token gives a flow that pulls all pages`() async throws {
    let server = try Self.practice()
    defer { server.stop() }
    let workspace = try Workspace()
    let drafted = try await workspace.reactor(
      "init", "--curl", "curl '\(server.url)/pets?page=1&per_page=2' -H 'Authorization: Bearer s3cret-token'",
      "-o", "flows/practice.yaml")
    #expect(drafted.status == 0, "\(drafted.stderr)")
    let text = workspace.text("flows/practice.yaml") ?? ""
    #expect(text.contains(#"auth: { bearer: "{{ secrets.API_TOKEN }}" }"#), "\(text)")
    #expect(!text.contains("s3cret-token"))
    let environment = ["API_TOKEN": "s3cret-token"]
    let checked = try await workspace.reactor("check", environment: environment)
    #expect(checked.status == 0 && !checked.stderr.contains("warning"), "\(text)\(checked.stderr)")
    let run = try await workspace.reactor("run", environment: environment)
    #expect(run.status == 0, "\(text)\(run.stdout)\(run.stderr)")
    #expect(Self.lines(workspace, "out/pets.jsonl") == 5, "\(run.stdout)")
  }

  @Test func `an OpenAPI document gives parents and children that pull everything`() async throws {
    let server = try Self.practice()
    defer { server.stop() }
    let workspace = try Workspace()
    try workspace.write(Self.document(server.url), to: "api.yaml")
    let drafted = try await workspace.reactor("init", "api.yaml", "-o", "flows/practice.yaml")
    #expect(drafted.status == 0, "\(drafted.stderr)")
    let text = workspace.text("flows/practice.yaml") ?? ""
    let environment = ["TOKEN": "s3cret-token"]
    let checked = try await workspace.reactor("check", environment: environment)
    #expect(checked.status == 0 && !checked.stderr.contains("warning"), "\(text)\(checked.stderr)")
    let run = try await workspace.reactor("run", environment: environment)
    #expect(run.status == 0, "\(text)\(run.stdout)\(run.stderr)")
    #expect(Self.lines(workspace, "out/pets.jsonl") == 5, "\(run.stdout)")
    #expect(Self.lines(workspace, "out/pet.jsonl") == 5, "\(run.stdout)")
    #expect(Self.lines(workspace, "out/visits.jsonl") == 10, "\(run.stdout)")
    #expect(workspace.text("out/visits.jsonl")?.contains(#"{"id":2,"why":"ears","pet_id":5}"#) == true)
  }

  private static func document(_ base: String) -> String {
    """
    openapi: 3.0.3
    info: { title: Practice }
    servers: [{ url: "\(base)" }]
    security: [{ token: [] }]
    paths:
      /pets:
        get:
          parameters:
            - { name: page, in: query, schema: { type: integer, default: 1 } }
            - { name: per_page, in: query, schema: { type: integer, maximum: 3 } }
          responses:
            "200":
              content:
                application/json:
                  schema:
                    type: object
                    properties:
                      total: { type: integer }
                      page: { type: integer }
                      pets: { type: array, items: { $ref: "#/components/schemas/Pet" } }
      /pets/{petId}:
        get:
          operationId: pet
          responses:
            "200": { content: { application/json: { schema: { $ref: "#/components/schemas/Pet" } } } }
      /pets/{petId}/visits:
        get:
          responses:
            "200":
              content:
                application/json:
                  schema:
                    type: array
                    items: { type: object, properties: { id: { type: integer }, why: { type: string } } }
    components:
      securitySchemes: { token: { type: http, scheme: bearer } }
      schemas:
        Pet:
          type: object
          properties: { id: { type: integer }, name: { type: string }, weight: { type: number } }
    """
  }
}
