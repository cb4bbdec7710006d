import JSONSyntax
import TestSupport
import Testing

/// Collections, exports and configurations that are imported and run against a server.
@Suite(.timeLimit(.minutes(2))) struct ForeignImportTests {
  private static func response(_ body: String) -> [ScriptedServer.Step] {
    [
      .send(
        Array(
          "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)".utf8)
      )
    ]
  }

  /// Posts since a day, their comments, and pages of orders; for whoever sends the token.
  private static func shop() throws -> ScriptedServer {
    try ScriptedServer { request in
      guard request["authorization"] == "Bearer t0ken-of-the-shop" else {
        return [.send(Array("HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n".utf8))]
      }
      let target = request.target
      if target.contains("/comments") {
        let post = target.split(separator: "/")[2]
        return response("{\"items\":[{\"no\":1,\"text\":\"on \(post)\"}],\"paging\":{\"next\":null}}")
      }
      if target.hasPrefix("/v1/posts") {
        let since = target.firstMatch(of: /since=2026-01-0([0-9])/).flatMap { Int($0.1) } ?? 1
        let posts = (since...3).map {
          "{\"id\":\($0),\"title\":\"post \($0)\",\"updated_at\":\"2026-01-0\($0)T00:00:00Z\",\"more\":{\"a\":[\($0)]}}"
        }
        return response("{\"items\":[\(posts.joined(separator: ","))],\"paging\":{\"next\":null}}")
      }
      let page = target.firstMatch(of: /page=([0-9]+)/).flatMap { Int($0.1) } ?? 1
      return response(
        "{\"data\":[{\"id\":\(page),\"placed_on\":\"2026-01-0\(page)\"}],\"page\":\(page),\"total_pages\":2}")
    }
  }

  private static let secrets = ["API_TOKEN": "t0ken-of-the-shop", "TOKEN": "t0ken-of-the-shop"]

  @Test func `an imported configuration of dlt pulls what is new`() async throws {
    let server = try Self.shop()
    defer { server.stop() }
    let workspace = try Workspace()
    try workspace.write(
      """
      { "client": { "base_url": "\(server.url)/v1/", "auth": { "token": "t0ken-of-the-shop" },
          "paginator": { "type": "json_link", "next_url_path": "paging.next" } },
        "resource_defaults": { "endpoint": { "data_selector": "items" } },
        "resources": [
          { "name": "posts", "primary_key": "id", "write_disposition": "merge",
            "endpoint": { "params": { "since": { "type": "incremental", "cursor_path": "updated_at", "initial_value": "2026-01-01T00:00:00Z" } } } },
          { "name": "log", "write_disposition": "append",
            "endpoint": { "path": "posts", "params": { "since": { "type": "incremental", "cursor_path": "updated_at", "initial_value": "2026-01-02T00:00:00Z" } } } },
          { "name": "comments", "write_disposition": "replace", "include_from_parent": ["title"],
            "endpoint": { "path": "posts/{resources.posts.id}/comments" } }] }
      """, to: "config.json")
    let imported = try await workspace.reactor("import", "dlt", "config.json", "-o", "flows/shop.yaml")
    #expect(imported.stdout == "flows/shop.yaml  3 flows, 3 without a loss\n", "\(imported.stdout)\(imported.stderr)")
    let text = try #require(workspace.text("flows/shop.yaml"))
    #expect(!text.contains("t0ken") && imported.stderr.contains("API_TOKEN"))
    let posts = (1...3).map {
      let whole =
        "{\"id\":\($0),\"title\":\"post \($0)\",\"updated_at\":\"2026-01-0\($0)T00:00:00Z\",\"more\":{\"a\":[\($0)]}}"
      return "\"record\":\(whole)"
    }
    for _ in 0..<2 {
      let run = try await workspace.start(["run"], environment: Self.secrets).end()
      #expect(run.status == 0, "\(run.stdout)\(run.stderr)\(text)")
      let lines = workspace.text("out/posts.jsonl")?.split(separator: "\n") ?? []
      #expect(lines.count == 3 && zip(lines, posts).allSatisfy { $0.contains($1) }, "\(lines)")
      // A record that comes again unchanged is stored once.
      #expect(workspace.text("out/log.jsonl")?.split(separator: "\n").count == 2)
      #expect(
        workspace.text("out/comments.jsonl")
          == (1...3).map { "{\"no\":1,\"text\":\"on \($0)\",\"_posts_title\":\"post \($0)\"}\n" }.joined(),
        "\(workspace.text("out/comments.jsonl") ?? "")")
    }
    let starts = server.requests.map(\.target).filter { $0.contains("since=") }
    #expect(starts.count == 4 && starts.count { $0.contains("since=2026-01-03") } == 2, "\(starts)")
  }

  @Test func `an imported collection of Postman pulls all pages of its request`() async throws {
    let server = try Self.shop()
    defer { server.stop() }
    let workspace = try Workspace()
    let body =
      #"{\"data\":[{\"id\":1,\"placed_on\":\"2026-01-01\"},{\"id\":2,\"placed_on\":\"2026-01-02\"}],\"page\":1,\"total_pages\":2}"#
    try workspace.write(
      """
      { "info": { "name": "Shop" },
        "auth": { "type": "bearer", "bearer": [{ "key": "token", "value": "{{token}}" }] },
        "variable": [{ "key": "base", "value": "\(server.url)" }, { "key": "token", "value": "t0ken-of-the-shop" }],
        "item": [
          { "name": "Orders", "request": { "method": "GET", "url": "{{base}}/v1/orders?page=1" },
            "response": [{ "name": "OK", "code": 200, "body": "\(body)" }] },
          { "name": "Delete", "request": { "method": "DELETE", "url": "{{base}}/v1/orders/1" } }] }
      """, to: "shop.json")
    let imported = try await workspace.reactor("import", "postman", "shop.json", "-o", "flows/shop.yaml")
    #expect(imported.stdout == "flows/shop.yaml  1 flow, 1 without a loss\n", "\(imported.stdout)\(imported.stderr)")
    #expect(imported.stderr.contains("--writes") && imported.stderr.contains("TOKEN"), "\(imported.stderr)")
    let run = try await workspace.start(["run"], environment: Self.secrets).end()
    #expect(run.status == 0, "\(run.stdout)\(run.stderr)\(workspace.text("flows/shop.yaml") ?? "")")
    #expect(
      workspace.text("out/orders.jsonl")
        == "{\"id\":1,\"placed_on\":\"2026-01-01\"}\n{\"id\":2,\"placed_on\":\"2026-01-02\"}\n")
    #expect(server.requests.allSatisfy { $0.method == "GET" })
    let writes = try await workspace.reactor(
      "import", "postman", "shop.json", "-o", "flows/shop.yaml", "--writes", "--force")
    #expect(writes.stdout == "flows/shop.yaml  2 flows, 2 without a loss\n", "\(writes.stdout)\(writes.stderr)")
  }

  @Test func `an imported export of Insomnia takes the values of an environment`() async throws {
    let server = try Self.shop()
    defer { server.stop() }
    let workspace = try Workspace()
    try workspace.write(
      """
      type: collection.insomnia.rest/5.0
      name: Shop
      collection:
        - name: Posts
          authentication: { type: bearer, token: t0ken-of-the-shop }
          children:
            - { name: List posts, method: GET, url: "{{ _.base }}/v1/posts" }
      environments: { name: Base, data: {}, subEnvironments: [{ name: Local, data: { base: "\(server.url)" } }] }
      """, to: "shop.yaml")
    let unknown = try await workspace.reactor("import", "insomnia", "shop.yaml", "--environment", "Other")
    #expect(unknown.status == 3 && unknown.stderr.contains("'Local'"), "\(unknown.stderr)")
    let imported = try await workspace.reactor(
      "import", "insomnia", "shop.yaml", "-o", "flows/shop.yaml", "--environment", "Local", "--report", "json")
    let json = try JSONValue(parsing: imported.stdout)
    #expect(json["requests"] == 1 && json["complete"] == ["list_posts"] && json["secrets"] == ["API_TOKEN"])
    let run = try await workspace.start(["run"], environment: Self.secrets).end()
    #expect(run.status == 0, "\(run.stdout)\(run.stderr)\(workspace.text("flows/shop.yaml") ?? "")")
    #expect(workspace.text("out/list_posts.jsonl")?.hasPrefix("{\"items\":[{\"id\":1,") ?? false)
  }

  @Test func `Python code is not run`() async throws {
    let workspace = try Workspace()
    try workspace.write("config = {}\n", to: "shop.py")
    let imported = try await workspace.reactor("import", "dlt", "shop.py")
    #expect(imported.status == 3 && imported.stderr.contains("json.dumps"), "\(imported.stderr)")
  }
}
