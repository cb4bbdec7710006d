import Foundation
import JSONSyntax
import TestSupport
import Testing

/// The pains of docs/pains.md that no other suite answers by itself, and the page's own truth.
@Suite(.timeLimit(.minutes(5))) struct PainTests {
  private typealias Step = ScriptedServer.Step

  private static func answer(_ body: String) -> [Step] {
    [.send(Array("HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)".utf8))]
  }

  /// Checks that every test which a page names exists; gives the rows that name one or more.
  private static func rowsWithTests(of page: String) throws -> [Substring] {
    let text = try String(contentsOf: Repository.root.appendingPathComponent(page), encoding: .utf8)
    return try text.split(separator: "\n").filter { row in
      let tests = row.matches(of: /\[(\w+)\]\(\.\.\/(Tests\/[^)]+)\): (.+?)(?=<br>| \|$)/)
      for test in tests {
        let source = try String(
          contentsOf: Repository.root.appendingPathComponent(String(test.2)), encoding: .utf8)
        let holdsSuite = source.contains("struct \(test.1)") || source.contains("extension \(test.1)")
        #expect(holdsSuite, "\(test.1) is not in \(test.2)")
        #expect(source.contains("func `\(test.3)`"), "\(test.2) has no test '\(test.3)'")
      }
      return !tests.isEmpty
    }
  }

  @Test func `each pain names its tests, and they exist`() throws {
    let rows = try Self.rowsWithTests(of: "docs/pains.md")
    #expect(rows.count == 29)
    for (index, row) in rows.enumerated() { #expect(row.hasPrefix("| \(index + 1) | ")) }
  }

  @Test func `each situation in which fewer records are a success has a test that exists`() throws {
    #expect(try Self.rowsWithTests(of: "docs/guarantees.md").count >= 30)
  }

  @Test func `two thousand partitions end with one job, one at a time`() async throws {
    let server = try ScriptedServer { request in
      guard request.target == "/customers" else { return Self.answer("[]") }
      return Self.answer("[" + (0..<2_000).map { "{\"id\":\($0)}" }.joined(separator: ",") + "]")
    }
    defer { server.stop() }
    let workspace = try Workspace()
    try workspace.write(
      """
      reactor: 1
      http: { base_url: "\(server.url)" }
      flows:
        customers: { resource: /customers }
        orders:
          resource: "/customers/{{ parent.id }}/orders"
          each: { flow: customers, concurrency: 1 }
          persistence: out/orders.jsonl

      """, to: "flows/shop.yaml")
    let outcome = try await workspace.reactor("run", "--jobs", "1", "--max-per-host", "1", within: 120)
    #expect(outcome.status == 0, "\(outcome.stdout)\(outcome.stderr)")
    #expect(server.requests.count == 2_001)
  }

  @Test func `texts that look like something else stay texts`() async throws {
    let server = try ScriptedServer { _ in Self.answer("[]") }
    defer { server.stop() }
    let workspace = try Workspace()
    let texts = ["478", "None", "null", "true", "no", "012", "1e3", "[1]", " 7 ", "2024-01-01"]
    let query = texts.indices.map { "q\($0): \"{{ vars.t\($0) }}\"" }.joined(separator: ", ")
    let members = texts.indices.map { "m\($0): \"{{ vars.t\($0) }}\"" }.joined(separator: ", ")
    try workspace.write(
      """
      reactor: 1
      vars: {\(texts.indices.map { " t\($0): '\(texts[$0])'" }.joined(separator: ",")), n: { type: integer, default: 478 } }
      http: { base_url: "\(server.url)" }
      flows:
        a:
          resource:
            { method: POST, path: /a, query: { \(query) }, body: { json: { \(members), n: "{{ vars.n }}", s: "{{ vars.n }}!" } } }

      """, to: "flows/a.yaml")
    let outcome = try await workspace.reactor("run")
    #expect(outcome.status == 0, "\(outcome.stdout)\(outcome.stderr)")
    let request = try #require(server.requests.first { $0.method == "POST" })
    let body = try JSONValue(parsing: request.body)
    for (index, text) in texts.enumerated() { #expect(body["m\(index)"] == .string(text)) }
    #expect(body["n"]?.int64 == 478)
    #expect(body["s"] == .string("478!"))
    let sent = URLComponents(string: request.target)?.queryItems?.map { $0.value ?? "" }
    #expect(sent == texts)
  }

  @Test func `the program starts without the libraries that only requests need`() async throws {
    let program = try Repository.program("reactor")
    let outcome = try await Workspace().shell("command -v ldd >/dev/null || exit 9; ldd '\(program)'")
    if outcome.status == 9 { return print("skipped: there is no ldd here to list what a program is linked with") }
    #expect(outcome.stdout.contains("libc.so"), "\(outcome.stdout)")
    for library in ["curl", "libFoundation.so", "ssl", "ICU"] {
      #expect(!outcome.stdout.contains(library), "\(library) in \(outcome.stdout)")
    }
  }

  @Test func `a hundred thousand records of one response need a bounded time`() async throws {
    let record = #"{"id":1,"name":"Sencha","price":7.45,"tags":["a","b"],"at":"2024-01-01T00:00:00Z"}"#
    let body = "[" + String(repeating: record + ",", count: 99_999) + record + "]"
    let answer = Self.answer(body)
    let server = try ScriptedServer { _ in answer }
    defer { server.stop() }
    let workspace = try Workspace()
    try workspace.write(
      """
      reactor: 1
      http: { base_url: "\(server.url)" }
      flows:
        a:
          resource: /
          schema: { fields: { id: integer, name: string, price: decimal, at: timestamp } }
          persistence: out/a.jsonl

      """, to: "flows/a.yaml")
    // A debug build on a busy machine; what a release build takes is in Benchmarks/results.md.
    let outcome = try await workspace.reactor("run", within: 60)
    #expect(outcome.status == 0, "\(outcome.stdout)\(outcome.stderr)")
    let line = #"{"id":1,"name":"Sencha","price":"7.45","at":"2024-01-01T00:00:00Z"}"#
    let text = try #require(workspace.text("out/a.jsonl"))
    #expect(text == String(repeating: line + "\n", count: 100_000))
  }

  /// The field's declaration, and what it makes of a record without the member and of one where it is null.
  static let missing: [(field: String, absent: String?, null: String?)] = [
    ("string", nil, nil),
    ("string?", #"{"id":1,"note":null}"#, #"{"id":2,"note":null}"#),
    ("{ type: string, default: none }", #"{"id":1,"note":"none"}"#, #"{"id":2,"note":"none"}"#),
  ]

  @Test(arguments: missing.indices) func `a missing member means what its field says`(_ index: Int) async throws {
    let row = Self.missing[index]
    let server = try ScriptedServer { _ in Self.answer(#"[{"id":1},{"id":2,"note":null},{"id":3,"note":"a"}]"#) }
    defer { server.stop() }
    let workspace = try Workspace()
    try workspace.write(
      """
      reactor: 1
      http: { base_url: "\(server.url)" }
      flows:
        a:
          resource: /
          schema: { fields: { id: integer, note: \(row.field) } }
          persistence: out/a.jsonl
          rejected: out/a.rejected.jsonl

      """, to: "flows/a.yaml")
    let outcome = try await workspace.reactor("run")
    #expect(outcome.status == 0, "\(outcome.stdout)\(outcome.stderr)")
    let kept = [row.absent, row.null, #"{"id":3,"note":"a"}"#].compactMap { $0 }
    #expect(workspace.text("out/a.jsonl") == kept.map { $0 + "\n" }.joined())
    // None is lost: what is not kept is in the file of what was rejected.
    let rejected = workspace.text("out/a.rejected.jsonl")?.split(separator: "\n") ?? []
    #expect(rejected.count == 3 - kept.count)
    #expect(rejected.allSatisfy { $0.contains(#""pointer":"/note","rule":"required""#) }, "\(rejected)")
  }
}
