import TestSupport
import Testing

/// Configurations of dlt, of which a server sees the same requests as from dlt 1.31.
@Suite(.timeLimit(.minutes(2))) struct DltImportTests {
  private static func response(_ body: String) -> [ScriptedServer.Step] {
    [
      .send(
        Array(
          "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)".utf8)
      )
    ]
  }

  /// Ten records in pages of four by the last id, by number and by offset; users; days; and an error with status 200.
  private static func shop() throws -> ScriptedServer {
    try ScriptedServer { request in
      let target = request.target
      func parameter(_ name: String) -> Int? {
        target.split { "?&".contains($0) }.first { $0.hasPrefix("\(name)=") }.flatMap {
          Int($0.dropFirst(name.count + 1))
        }
      }
      func page(from first: Int) -> [Step] {
        let records = (first..<max(first, min(first + 4, 11))).map { "{\"id\":\($0)}" }.joined(separator: ",")
        return response("{\"items\":[\(records)],\"more\":\(first + 4 < 11),\"pages\":3,\"total\":10}")
      }
      if target.hasPrefix("/last") { return page(from: (parameter("after") ?? 0) + 1) }
      if target.hasPrefix("/numbered") {
        let number = parameter("page") ?? 1
        guard number <= 3 else { return [.send(Array("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n".utf8))] }
        return page(from: number * 4 - 3)
      }
      if target.hasPrefix("/offset") { return page(from: (parameter("offset") ?? 0) + 1) }
      if target == "/users" { return response("[{\"slug\":\"a/b c\",\"key\":\"k1\"},{\"slug\":\"d\",\"key\":\"k2\"}]") }
      if target.hasPrefix("/error") { return response("{\"error\": \"Not found\"}") }
      if target.hasPrefix("/days") {
        let days = (1...4).map { "{\"id\":\($0),\"at\":\"2026-01-0\($0)T00:00:00Z\"}" }
        return response("[\(days.joined(separator: ","))]")
      }
      return response("[{\"seen\":true}]")
    }
  }

  private typealias Step = ScriptedServer.Step

  /// Imports resources, each JSON in braces without them, and runs their flows.
  private static func run(
    _ resources: [String], on server: ScriptedServer, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> (workspace: Workspace, targets: [String]) {
    let workspace = try Workspace()
    try workspace.write(
      """
      { "client": { "base_url": "\(server.url)", "paginator": "single_page" },
        "resource_defaults": { "write_disposition": "replace" },
        "resources": [\(resources.map { "{ \($0) }" }.joined(separator: ",\n"))] }
      """, to: "config.json")
    let imported = try await workspace.reactor("import", "dlt", "config.json", "-o", "flows/shop.yaml")
    #expect(
      imported.stdout.contains("\(resources.count) without a loss"), "\(imported.stdout)\(imported.stderr)",
      sourceLocation: sourceLocation)
    let run = try await workspace.start(["run", "--jobs", "1"]).end()
    #expect(
      run.status == 0, "\(run.stdout)\(run.stderr)\(workspace.text("flows/shop.yaml") ?? "")",
      sourceLocation: sourceLocation)
    return (workspace, server.requests.map(\.target))
  }

  private static func count(_ name: String, _ workspace: Workspace) -> Int {
    workspace.text("out/\(name).jsonl")?.split(separator: "\n").count ?? 0
  }

  @Test func `pages end where they end in dlt`() async throws {
    let server = try Self.shop()
    defer { server.stop() }
    func resource(_ name: String, _ path: String, _ paginator: String) -> String {
      """
      "name": "\(name)", "endpoint": { "path": "\(path)", "data_selector": "items", "paginator": { \(paginator) } }
      """
    }
    let (workspace, targets) = try await Self.run(
      [
        resource(
          "last", "last",
          """
          "type": "cursor", "cursor_path": "items[-1].id", "cursor_param": "after", "has_more_path": "more"
          """),
        resource(
          "numbered", "numbered",
          """
          "type": "page_number", "base_page": 1, "page": 2, "total_path": "pages"
          """),
        resource("offset", "offset", "\"type\": \"offset\", \"limit\": 4, \"offset\": 3"),
        resource("most", "offset", "\"type\": \"offset\", \"limit\": 4, \"maximum_offset\": 6"),
      ], on: server)
    #expect(Self.count("last", workspace) == 10)
    #expect(Self.count("numbered", workspace) == 6)
    #expect(Self.count("offset", workspace) == 7)
    #expect(Self.count("most", workspace) == 8)
    #expect(targets.filter { $0.hasPrefix("/last") } == ["/last", "/last?after=4", "/last?after=8"])
    #expect(targets.filter { $0.hasPrefix("/numbered") } == ["/numbered?page=2", "/numbered?page=3"])
  }

  @Test func `values of a parent stand in the request as they are`() async throws {
    let server = try Self.shop()
    defer { server.stop() }
    let (_, targets) = try await Self.run(
      [
        "\"name\": \"users\", \"endpoint\": { \"path\": \"users\", \"data_selector\": \"$\" }",
        """
        "name": "files", "endpoint": { "path": "users/{resources.users.slug}/files", "data_selector": "$",
          "headers": { "X-Api-Key": "{resources.users.key}" } }
        """,
      ], on: server)
    // Requests for different records run at once.
    #expect(targets.filter { $0.hasSuffix("/files") }.sorted() == ["/users/a/b%20c/files", "/users/d/files"])
    #expect(server.requests.compactMap { $0["x-api-key"] }.sorted() == ["k1", "k2"])
  }

  @Test func `records outside of the range, and errors that are ignored, are left out`() async throws {
    let server = try Self.shop()
    defer { server.stop() }
    let (workspace, targets) = try await Self.run(
      [
        """
        "name": "days", "primary_key": "id", "write_disposition": "merge", "endpoint": { "path": "days", "data_selector": "$",
          "incremental": { "cursor_path": "at", "initial_value": "2026-01-02T00:00:00.000Z",
            "end_value": "2026-01-04T00:00:00.000Z", "start_param": "since" } }
        """,
        """
        "name": "error", "endpoint": { "path": "error", "data_selector": "$",
          "response_actions": [{ "content": "\\"error\\": \\"Not found\\"", "action": "ignore" }] }
        """,
      ], on: server)
    #expect(Self.count("days", workspace) == 2)
    #expect(targets.contains("/days?since=2026-01-02T00%3A00%3A00.000Z"), "\(targets)")
    #expect(Self.count("error", workspace) == 0)
  }
}
