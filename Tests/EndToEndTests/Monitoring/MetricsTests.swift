import Foundation
#if canImport(FoundationNetworking)
  import FoundationNetworking
#endif
import JSONSyntax
import Monitoring
import Synchronization
import TestSupport
import Testing

/// The metrics of a run, the alert rules and the dashboard, with the real Prometheus.
@Suite(.timeLimit(.minutes(3)))
struct MetricsTests {
  private static let shipped = Repository.root.appendingPathComponent("docs/monitoring")

  /// A project whose flow `shop.orders` gets what `status` and `body` say.
  private func shop(_ server: ScriptedServer) throws -> Workspace {
    let workspace = try Workspace()
    try workspace.write(
      """
      reactor: 1
      http: { base_url: "\(server.url)" }
      defaults: { retry: { wait: 1ms }, reachability: false }
      flows:
        orders: { resource: /orders, expect: { freshness: 1s }, persistence: out/orders.jsonl }
        customers: { resource: /customers, expect: { freshness: 26h }, persistence: out/customers.jsonl }

      """, to: "flows/shop.yaml")
    return workspace
  }

  private static func response(
    _ status: String, _ body: String, type: String = "application/json"
  ) -> [ScriptedServer.Step] {
    let fields = "Content-Type: \(type)\r\nContent-Length: \(body.utf8.count)\r\nConnection: close"
    return [.send(Array("HTTP/1.1 \(status)\r\n\(fields)\r\n\r\n\(body)".utf8)), .close]
  }

  @Test func `promtool finds nothing in the file, which all may read`() async throws {
    let server = try ScriptedServer { request in
      request.target == "/orders" ? Self.response("200 OK", #"[{"id":1},{"id":2}]"#) : Self.response("503 Busy", "")
    }
    defer { server.stop() }
    let workspace = try shop(server)
    guard let prometheus = try await PrometheusProgram.find(workspace) else { return }
    let outcome = try await workspace.shell("umask 077; $REACTOR run --metrics collector/reactor.prom")
    #expect(outcome.status == 5, "\(outcome.stderr)")
    let path = workspace.folder.appendingPathComponent("collector/reactor.prom").path
    let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    #expect(mode == 0o644)
    let check = try await Program(
      "/bin/sh", ["-c", "\"$0\" check metrics <\"$1\"", prometheus.promtool, path], in: workspace.folder
    ).end()
    #expect(check.status == 0 && check.stderr.isEmpty && check.stdout.isEmpty, "\(check.stdout)\(check.stderr)")
    let text = try #require(workspace.text("collector/reactor.prom"))
    let root = workspace.folder.resolvingSymlinksInPath().path
    #expect(text.contains(#"reactor_flow_records{flow="shop.orders",root="\#(root)"} 2"#), "\(text)")
    #expect(text.contains(#"reactor_flow_state{flow="shop.customers",state="failing",root="\#(root)"} 1"#), "\(text)")
    // A run of one flow has the other flows, too.
    let second = try await workspace.reactor("run", "-s", "shop.orders", environment: ["REACTOR_METRICS": path])
    #expect(second.status == 0, "\(second.stderr)")
    #expect(workspace.text("collector/reactor.prom")?.contains("shop.customers") == true)
    #expect(workspace.files().filter { $0.hasPrefix("collector") } == ["collector/reactor.prom"])
  }

  @Test func `a file that cannot be written is a failure, and a name that is not collected a warning`() async throws {
    let server = try ScriptedServer { _ in Self.response("200 OK", #"[{"id":1}]"#) }
    defer { server.stop() }
    let workspace = try shop(server)
    let unread = try await workspace.reactor("run", "--metrics", "reactor.txt")
    #expect(unread.status == 0)
    #expect(unread.stderr.contains("warning: --metrics is 'reactor.txt'"), "\(unread.stderr)")
    let unwritten = try await workspace.reactor("run", "--metrics", "flows/shop.yaml/reactor.prom")
    #expect(unwritten.status == 74)
    #expect(
      unwritten.stderr.contains("metrics 'flows/shop.yaml/reactor.prom' could not be written"), "\(unwritten.stderr)")
    #expect(workspace.text("out/orders.jsonl") != nil)
  }

  @Test func `the alert rules fire, and do not fire`() async throws {
    let workspace = try Workspace()
    guard let prometheus = try await PrometheusProgram.find(workspace) else { return }
    let rules = try await prometheus.check("check", "rules", "reactor.rules.yml", in: Self.shipped)
    #expect(rules.status == 0, "\(rules.stdout)\(rules.stderr)")
    let tests = try await prometheus.check("test", "rules", "reactor.rules.test.yml", in: Self.shipped)
    #expect(tests.status == 0, "\(tests.stdout)\(tests.stderr)")
  }

  @Test func `each rule has a test in which it fires, and names only metrics that are written`() throws {
    let rules = try String(contentsOf: Self.shipped.appendingPathComponent("reactor.rules.yml"), encoding: .utf8)
    let tests = try String(contentsOf: Self.shipped.appendingPathComponent("reactor.rules.test.yml"), encoding: .utf8)
    let alerts = rules.matches(of: /- alert: (\w+)/).map { String($0.1) }
    #expect(alerts.count == 5)
    for alert in alerts {
      #expect(tests.contains("alertname: \(alert)\n        exp_alerts:"), "\(alert)")
    }
    Self.expectKnown(Self.metrics(in: rules + tests))
  }

  @Test func `each expression of the dashboard is PromQL, and names only metrics that are written`() async throws {
    let file = Self.shipped.appendingPathComponent("grafana.json")
    let dashboard = try JSONValue(parsing: Array(Data(contentsOf: file)))
    let panels = try #require(dashboard["panels"]?.array)
    let expressions = panels.flatMap { ($0["targets"]?.array ?? []).compactMap { $0["expr"]?.string } }
    #expect(panels.count >= 10 && expressions.count >= panels.count)
    #expect(panels.allSatisfy { $0["title"]?.string != nil && $0["description"]?.string != nil })
    let variables = dashboard["templating"]?["list"]?.array?.compactMap { $0["definition"]?.string } ?? []
    #expect(variables.count == 2)
    for expression in expressions { #expect(!Self.metrics(in: expression).isEmpty, "\(expression)") }
    Self.expectKnown(Self.metrics(in: (expressions + variables).joined(separator: " ")))

    let workspace = try Workspace()
    guard let prometheus = try await PrometheusProgram.find(workspace) else { return }
    // What Grafana sends when all is selected.
    let rules = expressions.enumerated().map { index, expression in
      let sent = expression.replacing(/\$(flow|root)\b/, with: ".*")
      return "      - { record: 'dashboard:e\(index)', expr: '\(sent.replacing("'", with: "''"))' }\n"
    }
    try workspace.write("groups:\n  - name: dashboard\n    rules:\n\(rules.joined())", to: "rules.yml")
    let check = try await prometheus.check("check", "rules", "rules.yml", in: workspace.folder)
    #expect(check.status == 0, "\(check.stdout)\(check.stderr)")
    #expect(check.stdout.contains("\(expressions.count) rules found"), "\(check.stdout)")
  }

  private static func metrics(in text: String) -> Set<String> {
    Set(text.matches(of: /\breactor_[a-z_]+/).map { String($0.0) })
  }

  private static func expectKnown(_ names: Set<String>) {
    #expect(names.subtracting(Metric.all.map(\.prometheusName)) == [])
  }

  @Test func `Prometheus scrapes the file, and its alerts fire`() async throws {
    let isBroken = Atomic(false)
    let server = try ScriptedServer { request in
      switch request.target {
      case "/orders" where isBroken.load(ordering: .relaxed): Self.response("503 Busy", "")
      default: Self.response("200 OK", #"[{"id":1},{"id":2}]"#)
      }
    }
    defer { server.stop() }
    let workspace = try shop(server)
    guard let prometheus = try await PrometheusProgram.find(workspace) else { return }
    for run in 0...1 {
      isBroken.store(run == 1, ordering: .relaxed)
      let outcome = try await workspace.reactor("run", "--fresh", "--metrics", "reactor.prom")
      #expect(outcome.status == (run == 0 ? 0 : 5), "\(outcome.stderr)")
    }
    // What node_exporter's textfile collector shows of the file.
    let file = workspace.folder.appendingPathComponent("reactor.prom")
    let exporter = try ScriptedServer { _ in
      let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
      return Self.response("200 OK", text, type: "text/plain; version=0.0.4")
    }
    defer { exporter.stop() }
    let rules = try String(contentsOf: Self.shipped.appendingPathComponent("reactor.rules.yml"), encoding: .utf8)
    try workspace.write(rules.replacing("for: 5m", with: "for: 0s"), to: "reactor.rules.yml")
    try workspace.write(
      """
      global: { scrape_interval: 1s, scrape_timeout: 1s, evaluation_interval: 1s }
      rule_files: [reactor.rules.yml]
      scrape_configs:
        - { job_name: node, static_configs: [{ targets: ["127.0.0.1:\(exporter.port)"] }] }

      """, to: "prometheus.yml")
    let program = try Program(
      prometheus.server,
      ["--config.file=prometheus.yml", "--storage.tsdb.path=tsdb", "--web.listen-address=127.0.0.1:0"],
      in: workspace.folder)
    defer { program.signal(SIGTERM) }
    let announcement = /Listening on"? address=127\.0\.0\.1:(\d+)/
    #expect(await program.wait { $0.stderr.firstMatch(of: announcement) != nil }, "\(program.stderr)")
    let port = try #require(program.stderr.firstMatch(of: announcement)?.1)
    let url = try #require(URL(string: "http://127.0.0.1:\(port)/api/v1/alerts"))
    let expected: Set = ["ReactorFlowStale shop.orders", "ReactorFlowFailing shop.orders"]
    var firing: Set<String> = []
    _ = await program.wait(within: 60) { _ in
      guard let data = try? await URLSession.shared.data(from: url).0,
        let alerts = try? JSONValue(parsing: Array(data))["data"]?["alerts"]?.array
      else { return false }
      firing = Set(
        alerts.filter { $0["state"]?.string == "firing" }.map {
          "\($0["labels"]?["alertname"]?.string ?? "") \($0["labels"]?["flow"]?.string ?? "")"
        })
      return firing.isSuperset(of: expected)
    }
    #expect(firing.subtracting(["ReactorNotRunning "]) == expected)
  }
}
