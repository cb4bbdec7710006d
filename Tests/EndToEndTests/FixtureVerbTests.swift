import Foundation
import TestSupport
import Testing

/// What is done with fixtures beside testing: serving, drift, interchange, first drafts.
@Suite struct FixtureVerbTests {
  private static let secret = ["SHOP_TOKEN": FixtureShop.token]

  /// Serves the recordings until the work is done.
  private static func serving(
    _ workspace: Workspace, _ arguments: [String] = [], _ work: (String, Program) async throws -> Void
  ) async throws {
    let program = try workspace.start(["serve"] + arguments)
    let isReady = await program.wait { $0.stdout.hasSuffix("\n") }
    #expect(isReady, "\(program.stdout)\(program.stderr)")
    try await work(program.stdout.trimmingCharacters(in: .whitespacesAndNewlines), program)
    program.signal(SIGTERM)
    _ = await program.end()
  }

  @Test func `recordings are served, and a run on them gives the same records`() async throws {
    let workspace = try await FixtureShop.recorded()
    try await Self.serving(workspace) { url, program in
      #expect(url.hasPrefix("http://127.0.0.1:"))
      let other = try Workspace()
      try other.write(FixtureShop.flows(url), to: "flows/shop.yaml")
      let outcome = try await other.reactor("run", environment: Self.secret)
      #expect(outcome.status == 0, "\(outcome.stdout)\(outcome.stderr)")
      #expect(other.text("out/customers.jsonl")?.contains("\(url)/c/1") ?? false)
      let drift = try await other.shell(
        "cp -r '\(workspace.folder.path)/fixtures' . && \"$REACTOR\" drift --values", environment: Self.secret)
      #expect(drift.status == 0, "\(drift.stdout)\(drift.stderr)")
      let (data, response) = try await Self.get(url + "/customers?limit=7")
      #expect(response == 404)
      #expect(data.contains("limit=7"), "\(data)")
      #expect(program.stderr.contains("GET /customers?limit=100"))
    }
  }

  @Test func `faults come on demand, by occurrence`() async throws {
    let workspace = try await FixtureShop.recorded()
    try await Self.serving(
      workspace,
      [
        "--fault", "customers#2=503", "--fault", "orders#1=cut", "--fault", "orders#2=reset", "--fault",
        "orders#3=delay:50ms",
      ]
    ) { url, _ in
      let path = url + "/customers?sort=name&limit=100"
      var statuses: [Int] = []
      for _ in 0..<3 { statuses.append(try await Self.get(path).status) }
      #expect(statuses == [200, 503, 200])
      for _ in 0..<2 { await #expect(throws: (any Error).self) { try await Self.get(url + "/orders") } }
      let late = try await Self.get(url + "/orders").status
      #expect(late == 200)
    }
  }

  private static func get(_ url: String) async throws -> (text: String, status: Int) {
    let output = try await Program(
      "/usr/bin/env", ["curl", "-sS", "-w", "\n%{http_code}", url], in: FileManager.default.temporaryDirectory
    ).end()
    guard output.status == 0, let end = output.stdout.lastIndex(of: "\n") else { throw POSIXError(.ECONNRESET) }
    return (String(output.stdout[..<end]), Int(output.stdout[output.stdout.index(after: end)...]) ?? 0)
  }

  @Test func `drift shows what a server does differently, and writes nothing`() async throws {
    let workspace = try await FixtureShop.recorded()
    let before = workspace.files().map { workspace.text($0) }
    let shop = try FixtureShop { request in
      request.target.hasPrefix("/orders")
        ? ([], #"[{"no":"a-1","lines":[3],"vat":"7"},{"no":5,"lines":[],"vat":"7"}]"#) : nil
    }
    defer { shop.server.stop() }
    try shop.write(to: workspace)
    let outcome = try await workspace.reactor("drift", environment: Self.secret)
    #expect(outcome.status == 1, "\(outcome.stdout)\(outcome.stderr)")
    for text in [
      "status 200 -> 404", "$[*].no  string -> number or string", "$[*].note  gone: null or string",
      "$[*].vat  new: string",
    ] {
      #expect(outcome.stdout.contains(text), "\(text) in \(outcome.stdout)")
    }
    try FixtureShop.flows("http://127.0.0.1:1").write(
      to: workspace.folder.appendingPathComponent("flows/shop.yaml"), atomically: true, encoding: .utf8)
    let gone = try await workspace.reactor("drift", environment: Self.secret)
    #expect(gone.status == 5, "\(gone.stdout)\(gone.stderr)")
    let after = workspace.files().map { workspace.text($0) }
    #expect(zip(before, after).filter { $0 != $1 }.count == 1)
  }

  @Test func `drift sends what may change the server only when told, and record says what it sends`() async throws {
    let server = try ScriptedServer { _ in
      [.send(Array("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 10\r\n\r\n[{\"id\":1}]".utf8))]
    }
    defer { server.stop() }
    let workspace = try Workspace()
    try workspace.write(
      """
      reactor: 1
      http: { base_url: "\(server.url)" }
      flows:
        reads: { resource: /a, schema: { fields: { id: integer } } }
        asks: { resource: { method: POST, path: /g, body: { graphql: "{ a }" } }, records: "$", schema: { fields: { id: integer } } }
        adds: { resource: { method: POST, path: /b, body: { json: { a: 1 } } }, schema: { fields: { id: integer } } }
        child: { each: adds, resource: "/c/{{ parent.id }}", schema: { fields: { id: integer } } }
      """, to: "flows/shop.yaml")
    let recorded = try await workspace.reactor("record")
    #expect(recorded.status == 0, "\(recorded.stdout)\(recorded.stderr)")
    #expect(recorded.stderr.contains("note: shop.adds sends POST, which may change the server"))
    #expect(!recorded.stderr.contains("shop.asks sends") && !recorded.stderr.contains("shop.reads sends"))
    let before = server.requests.count
    let drift = try await workspace.reactor("drift")
    #expect(drift.status == 0, "\(drift.stdout)\(drift.stderr)")
    #expect(server.requests.dropFirst(before).map(\.target).sorted() == ["/a", "/g"])
    for id in ["shop.adds", "shop.child"] { #expect(drift.stdout.contains("skip   \(id)"), "\(drift.stdout)") }
    let alone = try await workspace.reactor("drift", "-s", "shop.adds")
    #expect(alone.status != 0 && alone.stderr.contains("--writing"), "\(alone.stdout)\(alone.stderr)")
    let writing = try await workspace.reactor("drift", "--writing")
    #expect(writing.status == 0 && server.requests.map(\.target).filter { $0 == "/b" }.count == 2)
  }

  @Test func `a recording goes out as HAR and comes in again`() async throws {
    let workspace = try await FixtureShop.recorded()
    let before = workspace.text("fixtures/shop.customers/cassette.yaml")
    let exported = try await workspace.shell(
      "\"$REACTOR\" fixtures export --base-url http://127.0.0.1:18080 > a.har && rm -r fixtures && sed -i 's#base_url: .*#base_url: http://127.0.0.1:18080#' flows/shop.yaml"
    )
    #expect(exported.status == 0, "\(exported.stderr)")
    let outcome = try await workspace.reactor(
      "fixtures", "import", "a.har", "-s", "shop.customers", environment: Self.secret)
    #expect(outcome.status == 0, "\(outcome.stdout)\(outcome.stderr)")
    func content(_ text: String?) -> String? {
      text?.split(separator: "\n").filter { !$0.hasPrefix("recorded_at") }.joined(separator: "\n")
    }
    // The import reads the orders too: they were said to the same server.
    #expect(workspace.text("fixtures/shop.customers/cassette.yaml")?.contains("GET {{base}}/orders") ?? false)
    #expect(content(before)?.contains("GET {{base}}/customers?limit=100&sort=name") ?? false)
    let replay = try await workspace.reactor("test", "-s", "shop.customers", "--update", "new")
    #expect(replay.status == 0, "\(replay.stdout)\(replay.stderr)")
  }

  @Test func `a secret that is left in a recording is found and taken out`() async throws {
    let workspace = try await FixtureShop.recorded()
    let path = "fixtures/shop.orders/cassette.yaml"
    let text = try #require(workspace.text(path))
    try workspace.write(text.replacingOccurrences(of: "a-1", with: FixtureShop.token), to: path)
    let found = try await workspace.reactor("fixtures", "verify", environment: Self.secret)
    #expect(found.status == 5)
    #expect(found.stdout.contains("contains the secret 'SHOP_TOKEN'"), "\(found.stdout)")
    #expect(!found.stdout.contains(FixtureShop.token))
    let redacted = try await workspace.reactor("fixtures", "redact", environment: Self.secret)
    #expect(redacted.status == 0, "\(redacted.stderr)")
    #expect(workspace.text(path) == text.replacingOccurrences(of: "a-1", with: "{{secret:SHOP_TOKEN}}"))
    #expect(try await workspace.reactor("fixtures", "verify", environment: Self.secret).status == 0)
  }

  @Test func `what there is is listed`() async throws {
    let workspace = try await FixtureShop.recorded()
    let outcome = try await workspace.reactor("fixtures", "list")
    #expect(outcome.status == 0)
    #expect(outcome.stdout.split(separator: "\n").count == 2)
    #expect(outcome.stdout.contains("1 request"))
    let json = try await workspace.reactor("fixtures", "list", "--format", "json")
    #expect(json.stdout.contains(#""golden":true"#), "\(json.stdout)")
  }

  @Test(arguments: ["URL", "JSON", "curl", "HAR"])
  func `a first flow is drafted, checked and runs`(_ source: String) async throws {
    let shop = try FixtureShop.standard()
    defer { shop.server.stop() }
    let workspace = try Workspace()
    let outcome: Program.Outcome
    var environment: [String: String] = [:]
    switch source {
    case "URL":
      outcome = try await workspace.reactor("init", "\(shop.server.url)/orders?limit=5", "-o", "flows/a.yaml")
    case "JSON":
      try workspace.write(#"{"items":[{"id":1,"at":"2026-11-21T08:00:00Z","v":1.5}]}"#, to: "answer.json")
      outcome = try await workspace.reactor("init", "answer.json", "--base-url", shop.server.url, "-o", "flows/a.yaml")
    case "curl":
      environment = ["API_TOKEN": "abcdef-token"]
      outcome = try await workspace.reactor(
        "init", "--curl", "curl '\(shop.server.url)/orders' -H 'Authorization: Bearer abcdef-token' -H 'X-A: it'\\''s'",
        "-o", "flows/a.yaml")
      #expect(workspace.text("flows/a.yaml")?.contains("abcdef") == false)
    default:
      try workspace.write(
        #"{"log":{"entries":[{"request":{"method":"GET","url":"\#(shop.server.url)/orders","headers":[]},"response":{"status":200,"headers":[],"content":{"text":"[{\"no\":\"a\",\"lines\":[1]}]"}}}]}}"#,
        to: "a.har")
      outcome = try await workspace.reactor("init", "a.har", "-o", "flows/a.yaml")
    }
    #expect(outcome.status == 0, "\(outcome.stdout)\(outcome.stderr)")
    let text = workspace.text("flows/a.yaml") ?? ""
    #expect(text.contains("# guessed: "), "\(text)")
    let checked = try await workspace.reactor("check", environment: environment)
    #expect(checked.status == 0, "\(text)\(checked.stderr)")
    guard source != "JSON" else { return }
    let run = try await workspace.reactor("run", environment: environment)
    #expect(run.status == 0, "\(text)\(run.stderr)")
  }
}
