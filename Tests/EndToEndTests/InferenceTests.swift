import Foundation
import JSONSyntax
import Synchronization
import TestSupport
import Testing

/// Fields that a flow does not name: inferred by the first run, locked, and held to.
@Suite(.timeLimit(.minutes(3))) struct InferenceTests {
  /// Invoices with items, as `billing` below asks for them.
  private final class Billing: Sendable {
    let invoices = Mutex(
      """
      {"id":1,"total":"7.50","customer":{"name":"Ada","city":"Rome"},"tags":["a"],"note":null,"changed":"2026-01-05T00:00:00Z"},
      {"id":2,"total":"9.00","customer":{"name":"Ben","city":"Oslo"},"tags":[],"note":"x","changed":"2026-02-05T00:00:00Z"}
      """)

    func answer(_ request: ScriptedServer.Request) -> [ScriptedServer.Step] {
      var body = "{\"items\":[{\"pos\":1,\"sku\":\"A\",\"price\":1.5}]}"
      if request.target == "/invoices" { body = "{\"data\":[\(invoices.withLock { $0 })]}" }
      if request.target.hasPrefix("/invoices?") {
        let record = invoices.withLock { String($0.split(separator: "\n").last ?? "") }
        body = "{\"data\":[\(record)]}"
      }
      return [.send(Array("HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)".utf8))]
    }
  }

  private static func file(_ server: ScriptedServer) -> String {
    """
    reactor: 1
    http: { base_url: "\(server.url)" }
    stores: { local: { sqlite: out/billing.db } }
    flows:
      invoices:
        resource: /invoices
        records: $.data[*]
        change: { flatten: true }
        schema: { key: id }
        cursor: { field: changed, query: since }
        persistence: { store: local, table: invoices, mode: merge }
      items:
        each: { flow: invoices, as: invoice }
        resource: "/invoices/{{ invoice.id }}/items"
        records: $.items[*]
        schema: { key: [invoice, pos], fields: { invoice: { value: "{{ invoice.id }}" } } }
        persistence: { store: local, table: items, mode: merge }

    """
  }

  private static let lock = """
    # Written by 'reactor run': fields that flows of the file beside this one do not name. Review it, correct it and
    # commit it: later runs read the fields from it. To infer the fields of a flow anew, delete its part.
    reactor: 1
    schemas:
      invoices:
        fields:
          id: integer
          total: string
          customer_name: string
          customer_city: string
          tags: [string]
          note: string?
          changed: timestamp  # guessed: all texts of the sample are ISO 8601 times with a zone
      items:
        fields:
          pos: integer
          sku: string
          price: decimal  # guessed: numbers with a fraction; 'number' would read them as doubles

    """

  private let billing = Billing()
  private let server: ScriptedServer
  private let workspace: Workspace

  init() throws {
    let billing = billing
    server = try ScriptedServer { billing.answer($0) }
    workspace = try Workspace()
    try workspace.write(Self.file(server), to: "flows/billing.yaml")
  }

  @Test func `the first run writes the fields into a lock file, and tables have them`() async throws {
    defer { server.stop() }
    let checked = try await workspace.reactor("check")
    #expect(checked.status == 0 && checked.stderr.contains("[schema.not-inferred]"), "\(checked.stderr)")
    #expect(checked.stdout == "ok  0 flows in 1 file, 2 flows with fields to infer\n")
    #expect(workspace.text("flows/billing.lock") == nil)
    let explained = try await workspace.reactor("explain", "billing.invoices")
    #expect(explained.status == 3 && explained.stderr.contains("the fields of 'billing.invoices' are not known yet"))

    let first = try await workspace.reactor("run")
    #expect(first.status == 0, "\(first.stdout)\(first.stderr)")
    #expect(workspace.text("flows/billing.lock") == Self.lock)
    #expect(
      first.stderr.contains("note: flows/billing.lock now has the fields of 'billing.invoices', inferred from 2"))
    #expect(first.stdout.contains("billing.items          2 records"), "\(first.stdout)")
    // The fields of the invoices, then those of the items with the invoices above them, then the results.
    #expect(server.requests.count == 1 + 3 + 3)

    let quiet = try await workspace.reactor("check")
    #expect(quiet.status == 0 && quiet.stderr.isEmpty && quiet.stdout.contains("2 flows"), "\(quiet.stderr)")
    _ = try await workspace.reactor("run")
    #expect(
      server.requests.count == 7 + 3, "\(server.requests.map(\.line)): a later run asks as often as any other flow")
    #expect(workspace.text("flows/billing.lock") == Self.lock)
  }

  @Test func `what the server sends later is held to the lock file`() async throws {
    defer { server.stop() }
    _ = try await workspace.reactor("run")
    billing.invoices.withLock { $0 = $0.replacingOccurrences(of: "\"id\"", with: "\"due\":\"soon\",\"id\"") }
    let more = try await workspace.reactor("run", "--fresh=everything")
    #expect(more.status == 0)
    #expect(
      more.stderr.contains("records have members that the lock file does not know: 'due' [run.new-members]"),
      "\(more.stderr)")
    billing.invoices.withLock { $0 = $0.replacingOccurrences(of: "\"7.50\"", with: "7.5") }
    let other = try await workspace.reactor("run", "--fresh=everything")
    #expect(other.status == 5 && other.stderr.contains("/total"), "\(other.status) \(other.stderr)")
    #expect(workspace.text("flows/billing.lock") == Self.lock)
  }

  @Test func `a part that is deleted is inferred anew, and the rest of the file stays`() async throws {
    defer { server.stop() }
    _ = try await workspace.reactor("run")
    let kept = try #require(Self.lock.components(separatedBy: "  items:").first) + "  # checked by us"
    try workspace.write(kept, to: "flows/billing.lock")
    #expect(try await workspace.reactor("run").status == 0)
    let text = try #require(workspace.text("flows/billing.lock"))
    #expect(text.hasPrefix(kept + "\n  items:\n    fields:\n      pos: integer\n"), "\(text)")
  }

  @Test func `runs at the same time write each flow into the lock file once`() async throws {
    defer { server.stop() }
    let runs = try [workspace.start(["run"]), workspace.start(["run"]), workspace.start(["run"])]
    for run in runs { _ = await run.end() }
    let text = try #require(workspace.text("flows/billing.lock"))
    #expect(text == Self.lock, "\(text)")
    #expect(try await workspace.reactor("check").status == 0)
  }

  @Test func `nothing is inferred in CI, offline and in a dry run`() async throws {
    defer { server.stop() }
    let inCI = try await workspace.start(["run"], environment: ["CI": "1"]).end()
    #expect(inCI.status == 3)
    #expect(inCI.stderr.contains("the fields of 'billing.invoices' are not known, and nothing is inferred in CI"))
    #expect(try await workspace.reactor("run", "--fresh=never").status == 3)
    let dry = try await workspace.reactor("run", "--dry-run")
    #expect(dry.status == 4 && dry.stderr.contains("'reactor run' without --dry-run infers them"), "\(dry.stderr)")
    #expect(server.requests.isEmpty && workspace.text("flows/billing.lock") == nil)
  }

  @Test func `a flow without records or that changes the server keeps the others going`() async throws {
    defer { server.stop() }
    billing.invoices.withLock { $0 = "" }
    try workspace.write(
      Self.file(server) + """
          send:
            resource: { path: /invoices/7/items, method: POST }
            records: $.items[*]
            schema: {}
            persistence: out/send.jsonl
          sure:
            resource: /invoices/7/items
            records: $.items[*]
            schema: { fields: { pos: integer } }
            persistence: out/sure.jsonl

        """, to: "flows/billing.yaml")
    let run = try await workspace.reactor("run")
    #expect(run.status == 5, "\(run.stdout)\(run.stderr)")
    #expect(
      run.stderr.contains("the fields of 'billing.invoices' cannot be inferred: the server sent no valid records"))
    #expect(run.stderr.contains("the fields of 'billing.send' cannot be inferred: its requests may change the server"))
    #expect(workspace.text("out/sure.jsonl") == "{\"pos\":1}\n")
    #expect(workspace.text("flows/billing.lock") == nil)
  }

  @Test func `an error in the lock file is one of the configuration`() async throws {
    defer { server.stop() }
    try workspace.write(
      Self.lock.replacingOccurrences(of: "id: integer", with: "id: intger"), to: "flows/billing.lock")
    let run = try await workspace.reactor("run")
    #expect(run.status == 3 && run.stderr.contains("flows/billing.lock:7:11: error: "), "\(run.stderr)")
    #expect(server.requests.isEmpty)
  }
}
