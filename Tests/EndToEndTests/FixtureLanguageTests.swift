import Foundation
import Synchronization
import TestSupport
import Testing

/// What flows can say beside one request: each must be recorded whole, replayed the same, and decided as its golden
/// says.
@Suite(.timeLimit(.minutes(3))) struct FixtureLanguageTests {
  /// Answers by target; the first of some requests may be refused.
  private final class Shop: Sendable {
    private let counts = Mutex<[String: Int]>([:])
    private let asked = Mutex<[ScriptedServer.Request]>([])
    /// Statuses with a header field, by target, for the first requests of it.
    let refusals: [String: [(status: Int, field: String)]]
    let body: @Sendable (String) -> String?

    init(refusals: [String: [(Int, String)]] = [:], _ body: @escaping @Sendable (String) -> String?) {
      (self.refusals, self.body) = (refusals, body)
    }

    var requests: [ScriptedServer.Request] { asked.withLock { $0 } }

    func start() throws -> ScriptedServer {
      try ScriptedServer { request in
        self.asked.withLock { $0.append(request) }
        let count = self.counts.withLock { counts in
          counts[request.target, default: 0] += 1
          return (counts[request.target] ?? 1) - 1
        }
        if let refusals = self.refusals[request.target], count < refusals.count {
          let (status, field) = refusals[count]
          return [.send(Array("HTTP/1.1 \(status) No\r\n\(field)Content-Length: 0\r\n\r\n".utf8))]
        }
        if request["if-none-match"] == "\"v1\"" {
          return [.send(Array("HTTP/1.1 304 Not Modified\r\nETag: \"v1\"\r\n\r\n".utf8))]
        }
        guard let body = self.body(request.target) else {
          return [.send(Array("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n".utf8))]
        }
        let head = "HTTP/1.1 200 OK\r\nETag: \"v1\"\r\nContent-Length: \(body.utf8.count)\r\n\r\n"
        return [.send(Array("\(head)\(body)".utf8))]
      }
    }
  }

  private static func fixtures(_ workspace: Workspace) -> [String: Data] {
    var files: [String: Data] = [:]
    for file in workspace.files() where file.hasPrefix("fixtures/") { files[file] = workspace.bytes(file) }
    return files
  }

  /// Records twice and replays for several numbers of jobs; all must say the same.
  private static func prove(
    _ shop: () -> Shop, _ flows: (String) -> String,
    _ check: (Workspace, Shop) throws -> Void = { _, _ in }
  ) async throws {
    let workspace = try Workspace()
    let first = shop()
    let server = try first.start()
    try workspace.write(flows(server.url), to: "flows/x.yaml")
    let recorded = try await workspace.reactor("record")
    server.stop()
    #expect(recorded.status == 0, "\(recorded.stdout)\(recorded.stderr)")
    let before = fixtures(workspace)
    try check(workspace, first)
    var outputs: Set<String> = []
    for jobs in [1, 2, 16] {
      let replay = try await workspace.reactor(
        "test", "--no-timing", "--jobs", "\(jobs)", "--report", "junit=r.xml", "--report", "json=r.json",
        environment: ["CI": "1"])
      #expect(replay.status == 0, "\(replay.stdout)\(replay.stderr)")
      outputs.insert(replay.stdout + replay.stderr + (workspace.text("r.xml") ?? "") + (workspace.text("r.json") ?? ""))
    }
    #expect(outputs.count == 1)
    let other = try shop().start()
    defer { other.stop() }
    try workspace.write(flows(other.url), to: "flows/x.yaml")
    let again = try await workspace.reactor("record")
    #expect(again.status == 0, "\(again.stdout)\(again.stderr)")
    for (file, bytes) in fixtures(workspace) where before[file] != bytes {
      Issue.record("\(file) is another one: \(String(decoding: bytes, as: UTF8.self))")
    }
  }

  @Test func `parallel pages with retries keep their order, their waits and their requests`() async throws {
    try await Self.prove {
      Shop(refusals: [
        "/items?page=2": [(503, ""), (503, "")], "/items?page=3": [(429, "Retry-After: 1\r\n")],
        "/items?page=5": [(502, "")],
      ]) { target in
        let page = Int(target.split(separator: "=").last ?? "") ?? 1
        return #"{"pages":6,"data":[{"id":\#(page)}]}"#
      }
    } _: { url in
      """
      reactor: 1
      http: { base_url: \(url) }
      flows:
        items:
          retry: { max: 3, wait: 200ms }
          resource: /items
          records: $.data[*]
          pages: { by: page, query: page, count: $.pages, parallel: 6 }
          schema: { key: id, fields: { id: integer } }

      """
    } _: { workspace, _ in
      let decisions = workspace.text("fixtures/x.items/flow.json") ?? ""
      #expect(decisions.contains(#""pages": 6"#), "\(decisions)")
      #expect(decisions.contains("GET {{base}}/items?page=2 -> 503") && decisions.contains("page=2 #3 -> 200"))
      let waits = decisions.split(separator: "waits_ms").last?.prefix { $0 != "]" }.filter { !$0.isWhitespace }
      #expect(waits?.split(separator: ",").count == 4, "\(decisions)")
      #expect(waits?.contains(",1000,") ?? false, "\(decisions)")
    }
  }

  @Test func `flows of one host that keep to a rate do not wait for each other in a replay`() async throws {
    try await Self.prove {
      Shop { target in
        let page = Int(target.split(separator: "=").last ?? "") ?? 1
        return #"{"pages":3,"data":[{"id":\#(page)}]}"#
      }
    } _: { url in
      let flows = (0..<6).map {
        """
          f\($0):
            resource: /f\($0)
            records: $.data[*]
            pages: { by: page, query: page, count: $.pages }
            schema: { key: id, fields: { id: integer } }
        """
      }
      return """
        reactor: 1
        http: { base_url: \(url), rate: { max: 20/1s } }
        flows:
        \(flows.joined(separator: "\n"))

        """
    }
  }

  @Test func `one request for each parent, nested, with partitions that fail`() async throws {
    try await Self.prove {
      Shop(refusals: ["/a/2/b": [(404, ""), (404, ""), (404, "")]]) { target in
        switch target {
        case "/a": #"[{"id":1},{"id":2},{"id":3}]"#
        case "/a/1/b", "/a/3/b":
          #"[{"no":"\#(target.dropFirst(3).first ?? "0")-x"},{"no":"\#(target.dropFirst(3).first ?? "0")-y"}]"#
        default: target.hasPrefix("/b/") ? #"[{"deep":"\#(target)"}]"# : nil
        }
      }
    } _: { url in
      """
      reactor: 1
      http: { base_url: \(url) }
      flows:
        a: { resource: /a, schema: { key: id, fields: { id: integer } } }
        b:
          each: { flow: a, as: a, concurrency: 8 }
          resource: "/a/{{ a.id }}/b"
          schema: { key: no, fields: { no: string } }
        c:
          each: { flow: b, as: b, concurrency: 8 }
          resource: "/b/{{ b.no }}"
          schema: { key: deep, fields: { deep: string } }

      """
    } _: { workspace, _ in
      let decisions = workspace.text("fixtures/x.b/flow.json") ?? ""
      #expect(decisions.contains("GET {{base}}/a/2/b -> 404"), "\(decisions)")
      #expect(decisions.contains(#""rejected": 1"#), "\(decisions)")
      #expect(workspace.text("fixtures/x.c/records.jsonl")?.split(separator: "\n").count == 4)
    }
  }

  @Test func `what is new, merged and rejected stands in the goldens`() async throws {
    try await Self.prove {
      Shop { target in
        target.hasPrefix("/shops")
          ? #"[{"id":1,"t":"2024-01-02T00:00:00Z"}]"#
          : #"[{"id":1,"t":"2024-01-01T00:00:00Z","n":"old"},{"id":"x"},{"id":2,"t":"2024-01-03T00:00:00Z"},{"id":1,"t":"2024-01-02T00:00:00Z","n":"new"}]"#
      }
    } _: { url in
      """
      reactor: 1
      http: { base_url: \(url) }
      flows:
        news:
          resource: /items
          schema: { key: id, fields: { id: integer, t: timestamp, n: string? } }
          prune: true
          persistence: { path: out/news.jsonl, mode: merge }
          rejected: out/news.rejected.jsonl
          cursor: { field: t, start: 2023-12-01, query: since }
        shops:
          resource: "/shops/{{ value }}"
          each: { values: [1, 2] }
          schema: { key: id, fields: { id: integer, t: timestamp } }
          persistence: { path: out/shops.jsonl, mode: append }
          cursor: { field: t, query: since, start: 2023-12-01, bounds: "(]" }

      """
    } _: { workspace, _ in
      let decisions = workspace.text("fixtures/x.news/flow.json") ?? ""
      #expect(decisions.contains(#""cursor": "2024-01-03T00:00:00Z""#), "\(decisions)")
      #expect(decisions.contains(#""pointer": "/id""#), "\(decisions)")
      #expect(decisions.contains("since=2023-12-01T00"), "\(decisions)")
      let records = workspace.text("fixtures/x.news/records.jsonl") ?? ""
      #expect(records.contains(#""n":"new""#) && !records.contains("old"), "merged: \(records)")
      let shops = workspace.text("fixtures/x.shops/flow.json") ?? ""
      #expect(shops.contains(#""1": "2024-01-02T00:00:00Z""#), "\(shops)")
      #expect(workspace.files().allSatisfy { $0.hasPrefix("fixtures/") || $0.hasPrefix("flows/") })
    }
  }

  @Test func `a persisted result is neither used nor requested conditionally`() async throws {
    let workspace = try Workspace()
    let shop = Shop { _ in #"[{"id":1}]"# }
    let server = try shop.start()
    try workspace.write(
      """
      reactor: 1
      http: { base_url: \(server.url) }
      flows:
        a: { resource: /a, schema: { key: id, fields: { id: integer } }, persistence: out/a.jsonl, conditional: true }

      """, to: "flows/x.yaml")
    #expect(try await workspace.reactor("run").status == 0)
    let kept = workspace.bytes("out/a.jsonl")
    let recorded = try await workspace.reactor("record")
    #expect(recorded.status == 0, "\(recorded.stderr)")
    #expect(shop.requests.count == 2)
    #expect(shop.requests.last?["if-none-match"] == nil)
    #expect(workspace.bytes("out/a.jsonl") == kept)
    server.stop()
    #expect(try await workspace.reactor("test", environment: ["CI": "1"]).status == 0)
    #expect(workspace.text("fixtures/x.a/records.jsonl") == "{\"id\":1}\n")

    // A server made of the recording answers a question for changes as the recorded one did.
    let served = try workspace.start(["serve"])
    #expect(await served.wait { $0.stdout.hasSuffix("\n") })
    let url = served.stdout.trimmingCharacters(in: .whitespacesAndNewlines)
    let flows = try #require(workspace.text("flows/x.yaml"))
    try workspace.write(flows.replacingOccurrences(of: server.url, with: url), to: "flows/x.yaml")
    #expect(try await workspace.reactor("run", "--fresh").status == 0)
    let asked = try await workspace.reactor("run", "--fresh=validate", "--format", "json")
    #expect(asked.status == 0, "\(asked.stdout)\(asked.stderr)")
    served.signal(SIGTERM)
    let log = await served.end().stderr
    #expect(log.contains("GET /a 200") && log.contains("GET /a 304"), "\(log)")
  }

  @Test func `a response without content is recorded and judged`() async throws {
    let workspace = try Workspace()
    let server = try ScriptedServer(answer: "HTTP/1.1 304 Not Modified\r\nETag: \"a\"\r\n\r\n")
    try workspace.write(
      """
      reactor: 1
      http: { base_url: \(server.url), headers: { If-None-Match: '"a"' } }
      flows:
        a: { resource: /a, records: "$[*]" }

      """, to: "flows/x.yaml")
    let recorded = try await workspace.reactor("record", "--record-on-error")
    server.stop()
    #expect(workspace.text("fixtures/x.a/cassette.yaml")?.contains("status: 304") ?? false, "\(recorded.stderr)")
    let replay = try await workspace.reactor("test", environment: ["CI": "1"])
    #expect(replay.status == 0, "\(replay.stdout)\(replay.stderr)")
    #expect(workspace.text("fixtures/x.a/flow.json")?.contains(#""status": "error""#) ?? false)
  }

  @Test func `requests and records that tell the time are replayed at that time`() async throws {
    let workspace = try Workspace()
    let shop = Shop { _ in #"[{"id":1}]"# }
    let server = try shop.start()
    defer { server.stop() }
    try workspace.write(
      """
      reactor: 1
      http: { base_url: \(server.url) }
      flows:
        a:
          resource: { path: /a, query: { until: "{{ format(now(), '%Y-%m-%dT%H:%M:%S') }}" } }
          schema: { key: id, fields: { id: integer, seen: { value: "{{ now() }}", type: timestamp } } }

      """, to: "flows/x.yaml")
    let recorded = try await workspace.reactor("record", environment: ["SOURCE_DATE_EPOCH": "1790000000"])
    #expect(recorded.status == 0, "\(recorded.stdout)\(recorded.stderr)")
    #expect(shop.requests.last?.target.removingPercentEncoding == "/a?until=2026-09-21T14:13:20")
    let replay = try await workspace.reactor("test", environment: ["CI": "1"])
    #expect(replay.status == 0, "\(replay.stdout)\(replay.stderr)")
    let drift = try await workspace.reactor("drift")
    #expect(drift.status == 0, "\(drift.stdout)\(drift.stderr)")
    let new = try await workspace.reactor("test", "--record", "new")
    #expect(new.status == 0, "\(new.stdout)\(new.stderr)")
    #expect(shop.requests.count == 2)
  }

  @Test func `records are taken from files of the working folder`() async throws {
    let workspace = try Workspace()
    let shop = Shop { #"[{"at":"\#($0)"}]"# }
    let server = try shop.start()
    try workspace.write(#"{"id":7}"# + "\n" + #"{"id":8}"# + "\n", to: "data/ids.jsonl")
    try workspace.write(
      """
      reactor: 1
      http: { base_url: \(server.url) }
      flows:
        a:
          each: { file: data/ids.jsonl, as: one }
          resource: "/a/{{ one.id }}"
          schema: { key: at, fields: { at: string } }

      """, to: "flows/x.yaml")
    let recorded = try await workspace.reactor("record")
    server.stop()
    #expect(recorded.status == 0, "\(recorded.stdout)\(recorded.stderr)")
    #expect(workspace.text("fixtures/x.a/records.jsonl") == "{\"at\":\"/a/7\"}\n{\"at\":\"/a/8\"}\n")
    #expect(try await workspace.reactor("test", environment: ["CI": "1"]).status == 0)
    #expect(workspace.files().filter { !$0.hasPrefix("fixtures/") } == ["data/ids.jsonl", "flows/x.yaml"])
  }

  @Test func `a recording that is killed leaves whole files, and the next one nothing of it`() async throws {
    let workspace = try Workspace()
    let server = try ScriptedServer { request in
      let pad = String(repeating: "x", count: 3000)
      let body = #"[{"id":"\#(request.target)","pad":"\#(pad)"}]"#
      let head = "HTTP/1.1 200 OK\r\nContent-Length: \(body.utf8.count)\r\n\r\n"
      return [.pause(milliseconds: 1), .send(Array("\(head)\(body)".utf8))]
    }
    defer { server.stop() }
    let flows = (0..<60).map { "  f\($0): { resource: /f\($0), schema: { key: id, fields: { id: string } } }" }
    try workspace.write(
      "reactor: 1\nhttp: { base_url: \(server.url) }\nflows:\n\(flows.joined(separator: "\n"))\n", to: "flows/x.yaml")
    // What a killed one leaves of its results goes with the workspace.
    let scratch = workspace.folder.appendingPathComponent(".scratch").path
    try FileManager.default.createDirectory(atPath: scratch, withIntermediateDirectories: true)
    var count = 0
    for round in 0..<12 {
      let program = try workspace.start(
        ["record", "--jobs", "2"], environment: ["SOURCE_DATE_EPOCH": "\(round)", "TMPDIR": scratch])
      // Later and later: before the first file, in the middle, close to the end.
      _ = await program.wait(within: 5) { $0.stdout.split(separator: "\n").count > round * 5 }
      program.signal(round % 3 == 0 ? SIGTERM : SIGKILL)
      _ = await program.end()
      let cassettes = workspace.files().filter { $0.hasSuffix("cassette.yaml") }
      count = max(count, cassettes.count)
      let listed = try await workspace.reactor("fixtures", "list", "--format", "json")
      #expect(listed.status == 0, "\(listed.stdout)\(listed.stderr)")
      let replay = try await workspace.reactor("test", "--update", "new", "-q")
      #expect(!replay.stderr.contains("cannot be read") && !replay.stderr.contains("is missing"), "\(replay.stderr)")
    }
    #expect(count > 0)
    let rest = try await workspace.reactor("record", "-s", "!result:passed", "--fail-on", "!no-flows")
    #expect(rest.status == 0, "\(rest.stdout)\(rest.stderr)")
    let all = try await workspace.reactor("record")
    #expect(all.status == 0, "\(all.stdout)\(all.stderr)")
    #expect(try await workspace.reactor("test", environment: ["CI": "1"]).status == 0)
    #expect(!workspace.files(hidden: true).contains { $0.hasPrefix("fixtures/") && $0.contains("tmp") })
  }

  @Test func `what a test records it judges too`() async throws {
    let workspace = try Workspace()
    let shop = Shop { $0.hasPrefix("/a") ? #"[{"id":1}]"# : #"[{"id":2}]"# }
    let server = try shop.start()
    defer { server.stop() }
    let flow = """
      reactor: 1
      http: { base_url: \(server.url) }
      flows:
        a: { resource: /a, schema: { key: id, fields: { id: integer } } }

      """
    try workspace.write(flow, to: "flows/x.yaml")
    let first = try await workspace.reactor("test", "--record", "once", "--update", "new")
    #expect(first.status == 0, "\(first.stdout)\(first.stderr)")
    #expect(shop.requests.count == 1)
    let second = try await workspace.reactor("test", "--record", "once")
    #expect(second.status == 0, "\(second.stdout)\(second.stderr)")
    #expect(shop.requests.count == 1)
    // Another request: recorded beside the first, and its records are not those of the golden.
    try workspace.write(flow.replacingOccurrences(of: "resource: /a", with: "resource: /b"), to: "flows/x.yaml")
    let third = try await workspace.reactor("test", "--record", "new")
    #expect(third.status == 1, "\(third.stdout)\(third.stderr)")
    #expect(third.stderr.contains("id=2"), "\(third.stderr)")
    let cassette = workspace.text("fixtures/x.a/cassette.yaml") ?? ""
    #expect(cassette.contains("GET {{base}}/a") && cassette.contains("GET {{base}}/b"), "\(cassette)")
    server.stop()
    let gone = try await workspace.reactor("test", "--record", "all")
    #expect(gone.status == 5, "\(gone.stdout)\(gone.stderr)")
    #expect(gone.stderr.contains("could not be recorded"), "\(gone.stderr)")
  }
}
