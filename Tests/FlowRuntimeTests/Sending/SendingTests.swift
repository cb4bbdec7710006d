import FlowCompiler
import FlowRuntime
import FlowSpec
import FlowTesting
import Foundation
import JSONSyntax
import ReactorCore
import SourceDiagnostics
import Testing
import TestSupport

/// Records of a file sent to a server that keeps what it gets.
@Suite struct SendingTests {
  static let people = """
    {"id":1,"name":"A","city":"Rome","joined":"2024-01-02T03:04:05Z","note":null}
    {"id":2,"name":"B","city":"Oslo","joined":"1969-12-31T23:59:59.5Z","note":"x"}
    {"id":3,"name":"C","city":"Bern","joined":"2024-01-02T03:04:05.250Z","note":null}

    """
  static let top = """
    vars: { region: eu }
    schemas:
      person:
        key: id
        fields:
          id: { from: $.external_id, type: integer }
          name: { from: $.profile.name, type: string }
          city: { from: $.profile.address.city, type: string }
          joined: { type: timestamp, format: epoch_s }
          note: string?
          label: { value: "{{ record.name }} of {{ vars.region }}" }
    """

  /// A flow that sends the people.
  static func keys(
    each: String = "", request: String = "", body: String = "person", _ more: String = ""
  ) -> String {
    """
    each: { file: people.jsonl, as: person\(each.isEmpty ? "" : ", " + each) }
    resource: { method: POST, path: /people, body: { records: \(body) }\(request.isEmpty ? "" : ", " + request) }
    schema: { fields: { id: integer } }
    persistence: { path: users.jsonl, expires_after: 1h }
    rejected: bad.jsonl\(more.isEmpty ? "" : "\n" + more)
    """
  }

  static func bodies(_ rig: Rig) -> [String] {
    rig.server.requests.filter { $0.method == "POST" }.map { String(decoding: $0.body, as: UTF8.self) }
  }

  /// What the server says: the request's `external_id` as `id`, or an error for some.
  static func server(
    refusing refused: [Int64] = [], status: String = "422 Unprocessable Content", reason: String = "no"
  ) -> @Sendable (ScriptedServer.Request) -> [ScriptedServer.Step] {
    { request in
      guard request.method == "POST" else { return ok("{}") }
      let body = try? JSONValue(parsing: request.body)
      let id = body?["external_id"]?.int64 ?? 0
      if refused.contains(id) { return answer(status, "{\"error\":\"\(reason)\"}") }
      return answer("201 Created", "{\"id\":\(id)}")
    }
  }

  static func letters(_ rig: Rig) throws -> [JSONValue] {
    try (rig.scratch.text("bad.jsonl") ?? "").split(separator: "\n").map { try JSONValue(parsing: Array($0.utf8)) }
  }

  static func retrying() -> FlowCompiler.Inputs {
    var inputs = FlowCompiler.Inputs()
    inputs.isRetryingRejected = true
    return inputs
  }

  private static let encoded = [
    #"{"external_id":1,"profile":{"name":"A","address":{"city":"Rome"}},"label":"A of eu","joined":1704164645}"#,
    #"{"external_id":2,"profile":{"name":"B","address":{"city":"Oslo"}},"label":"B of eu","joined":-0.5,"note":"x"}"#,
    #"{"external_id":3,"profile":{"name":"C","address":{"city":"Bern"}},"label":"C of eu","joined":1704164645.25}"#,
  ]

  /// Members in one order: what is computed comes where the schema names it.
  private static func sorted(_ text: String) throws -> JSONValue { try JSONValue(parsing: Array(text.utf8)) }

  @Test func `each record is sent as the schema writes it, and the responses are kept`() async throws {
    try await Rig.with { rig in
      try rig.scratch.write(Self.people.utf8, to: "people.jsonl")
      rig.answer(Self.server())
      let run = await rig.run(try rig.flow(Self.keys(each: "concurrency: 1"), top: Self.top))
      #expect(run.error == nil && run.kept == 3)
      #expect(try Self.bodies(rig).map(Self.sorted).map(\.text) == Self.encoded.map(Self.sorted).map(\.text))
      #expect(rig.server.requests.last?["content-type"] == "application/json")
      #expect(rig.result == "{\"id\":1}\n{\"id\":2}\n{\"id\":3}\n")
      #expect(rig.scratch.text("bad.jsonl") == "")
    }
  }

  @Test(arguments: [
    ("{ schema: person, empty: keep }", #""note":null"#), ("{ path: $.data }", #"{"data":{"id":1,"#),
    ("{ schema: person, path: $.a.b, json: { a: { x: 1 }, dry: false } }", #"{"a":{"x":1,"b":{"external_id":1,"#),
    ("{ schema: { fields: { id: integer } } }", #"{"id":1}"#), ("{ format: jsonl }", "\"note\":null}\n"),
  ])
  func `forms of a body`(_ body: String, _ part: String) async throws {
    try await Rig.with(ok("{\"id\":1}")) { rig in
      try rig.scratch.write(Self.people.utf8, to: "people.jsonl")
      #expect(await rig.run(try rig.flow(Self.keys(each: "max: 1", body: body), top: Self.top)).kept == 1)
      #expect(Self.bodies(rig).first?.contains(part) == true, "\(Self.bodies(rig))")
    }
  }

  @Test(arguments: [
    ("person", "application/json"), ("{ schema: person, format: jsonl }", "application/x-ndjson"),
  ])
  func `a batch holds an array, or a line for each`(_ body: String, _ type: String) async throws {
    try await Rig.with(ok("{\"id\":1}")) { rig in
      try rig.scratch.write(Self.people.utf8, to: "people.jsonl")
      let keys = Self.keys(
        each: "batch: 2, concurrency: 1", request: "query: { n: \"{{ length(person) }}\" }", body: body)
      #expect(await rig.run(try rig.flow(keys, top: Self.top)).kept == 2)
      let requests = rig.server.requests.filter { $0.method == "POST" }
      #expect(requests.map(\.target) == ["/people?n=2", "/people?n=1"])
      #expect(requests.allSatisfy { $0["content-type"] == type })
      let found = try requests.map { request -> [JSONValue] in
        let text = String(decoding: request.body, as: UTF8.self)
        if type == "application/json" { return try Self.sorted(text).array ?? [] }
        return try text.split(separator: "\n").map { try Self.sorted(String($0)) }
      }
      #expect(found.map(\.count) == [2, 1])
      #expect(try found.joined().map(\.text) == Self.encoded.map(Self.sorted).map(\.text))
    }
  }

  @Test func `a record that does not fit is not sent, alone or in a batch`() async throws {
    for each in ["concurrency: 1", "batch: 10"] {
      try await Rig.with(ok("{\"id\":1}")) { rig in
        let bad = Self.people.replacing("\"Oslo\"", with: "7")
        try rig.scratch.write(bad.utf8, to: "people.jsonl")
        let run = await rig.run(try rig.flow(Self.keys(each: each), top: Self.top))
        #expect(run.error == nil && run.outcome?.report.rejected == 1)
        let sent = Self.bodies(rig).joined()
        #expect(sent.contains("\"A\"") && !sent.contains("\"B\"") && sent.contains("\"C\""))
        let letter = try #require(try Self.letters(rig).first)
        #expect(letter["rule"]?.string == "string" && letter["pointer"]?.string == "/city")
        #expect(letter["each"]?["person"]?["id"]?.int64 == 2)
      }
    }
  }

  @Test func `an item that a batch's response refuses is a rejected record`() async throws {
    try await Rig.with { rig in
      try rig.scratch.write(Self.people.utf8, to: "people.jsonl")
      rig.answer(ok(#"{"items":[{"id":1},{"error":{"message":"no B"}},{"id":3}]}"#))
      let batch =
        "batch: { size: 10, records: $.items, failed: has(result.error), message: string(result.error.message) }"
      let keys = Self.keys(each: batch, "records: $.items\nwhere: \"!has(source.error)\"")
      let run = await rig.run(try rig.flow(keys, top: Self.top))
      #expect(run.error == nil && run.kept == 2 && run.outcome?.report.rejected == 1)
      let letters = try Self.letters(rig)
      #expect(letters.map { $0["reason"]?.string } == ["no B"] && letters.first?["rule"]?.string == "refused")
      #expect(letters.first?["each"]?["person"]?["id"]?.int64 == 2 && letters.first?["batch"]?.int64 == 0)
      // A number of results that does not fit says nothing of any of them.
      rig.answer(ok(#"{"items":[{"id":1}]}"#))
      let other = await rig.run(try rig.flow(keys, top: Self.top), .fresh)
      #expect(other.message.contains("the response has 1 result at $.items for 3 records"))
      #expect(try Self.letters(rig).count == 3)
    }
  }

  private static let sources: [(body: String, each: String, code: String)] = [
    ("person", "{ values: [1] }", "sending.records"),
    ("person", "[{ file: a.jsonl }, { values: [1], as: v }]", "sending.records"),
    ("person", "{ file: a.jsonl, schema: { fields: { id: string, name: string } } }", "sending.field"),
    (
      "person",
      "{ file: a.jsonl, schema: { fields: { id: boolean, name: string, city: string, joined: timestamp } } }",
      "sending.field"
    ),
  ]

  @Test(arguments: sources)
  func `what cannot be sent is found when the file is loaded`(_ body: String, _ each: String, _ code: String)
    async throws
  {
    try await Rig.with { rig in
      let keys = "each: \(each)\nresource: { method: POST, path: /p, body: { records: \(body) } }"
      let compilation = rig.compile(rig.text(keys, top: Self.top))
      #expect(compilation.diagnostics.diagnostics.map(\.code.rawValue) == [code])
    }
  }
}

extension JSONValue {
  /// As text with members by name.
  fileprivate var text: String {
    switch self {
    case .object(let object):
      "{" + object.members.sorted { $0.name < $1.name }.map { "\($0.name):\($0.value.text)" }.joined(separator: ",")
        + "}"
    case .array(let elements): "[" + elements.map(\.text).joined(separator: ",") + "]"
    default: String(decoding: JSONWriter.bytes(self), as: UTF8.self)
    }
  }
}
