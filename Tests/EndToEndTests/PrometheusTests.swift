import Foundation
import TestSupport
import Testing

/// The shipped Prometheus flows against a real Prometheus that holds known samples.
@Suite(.timeLimit(.minutes(3)))
struct PrometheusTests {
  @Test func `targets and samples are those of the server`() async throws {
    guard let environment = try await RealServers.environment(for: "prometheus") else { return }
    let base = try #require(environment["REACTOR_VAR_PROMETHEUS"])
    let workspace = try Workspace()
    let outcome = try await workspace.start(
      ["run", Repository.flows.appendingPathComponent("prometheus.yaml").path, "--format", "json"],
      environment: environment
    ).end()
    #expect(outcome.status == 0, "\(outcome.stdout)\(outcome.stderr)")
    let summary = try Summary(outcome)
    #expect(summary.flows.map(\.records) == [2, 5, 5, 2, 4, 4, 40, 6])
    #expect(summary.flows.map { $0.rejected ?? 0 } == [0, 0, 0, 3, 0, 0, 0, 0])

    let temperature = try Records.lines(workspace.text("out/prometheus/temperature.jsonl"))
    #expect(
      try Records.withInstants(["time"], in: temperature)
        == Records.withInstants(
          ["time"],
          in: Records.expected(
            #"{"time":"2024-01-01T00:00:00Z","value":11.25}"#, #"{"time":"2024-01-01T00:00:15Z","value":11.5}"#,
            #"{"time":"2024-01-01T00:00:30Z","value":-0.125}"#, #"{"time":"2024-01-01T00:00:45Z","value":1e-7}"#,
            #"{"time":"2024-01-01T00:01:00Z","value":12}"#)))

    let ratio = try Records.lines(workspace.text("out/prometheus/ratio.jsonl"))
    #expect(
      ratio.map { ($0 as? [String: NSObject])?["value"] as? String } == ["0.5", "NaN", "+Inf", "-Inf", "1"])

    let finite = try Records.rows(workspace.text("out/prometheus/finite-ratio.csv"))
    #expect(finite.first == ["time", "value"])
    #expect(finite.dropFirst().map { Double($0[1]) } == [0.5, 1])

    let buckets = try Records.withInstants(["time"], in: Records.array(workspace.text("out/prometheus/buckets.json")))
    #expect(
      try Set(buckets)
        == Set(
          Records.withInstants(
            ["time"],
            in: Records.expected(
              #"{"le":"0.1","time":"2024-01-01T00:00:00Z","count":3}"#,
              #"{"le":"0.5","time":"2024-01-01T00:00:00Z","count":5}"#,
              #"{"le":"1.0","time":"2024-01-01T00:00:00Z","count":6}"#,
              #"{"le":"+Inf","time":"2024-01-01T00:00:00Z","count":9007199254740992}"#))))

    let targets = try Records.lines(workspace.text("out/prometheus/targets.jsonl")).compactMap {
      $0 as? [String: NSObject]
    }
    let byRole = Dictionary(grouping: targets) { $0["role"] as? String ?? "" }.compactMapValues(\.first)
    let own = try #require(byRole["self"])
    #expect(own["url"] as? String == "\(base)/metrics")
    #expect(own["instance"] as? String == base.replacingOccurrences(of: "http://", with: ""))
    #expect([own["job"], own["health"], own["interval"], own["error"]] == ["shop", "up", "1s", ""] as [NSString])
    let nobody = try #require(byRole["nobody"])
    #expect([nobody["instance"], nobody["health"]] == ["127.0.0.1:1", "down"] as [NSString])
    #expect((nobody["error"] as? String)?.contains("connection refused") == true)
  }

  @Test func `a refused query is an error with the server's status and nothing is stored`() async throws {
    guard let environment = try await RealServers.environment(for: "prometheus") else { return }
    let workspace = try Workspace()
    try workspace.write(
      """
      reactor: 1
      vars: { prometheus: http://127.0.0.1:9 }
      http: { base_url: "{{ vars.prometheus }}/api/v1" }
      flows:
        broken:
          resource: { path: /query, query: { query: "{" } }
          records: $.data.result[*]
          persistence: out/broken.jsonl
      """, to: "flows/broken.yaml")
    let outcome = try await workspace.reactor("run", environment: environment)
    #expect(outcome.status == 5)
    #expect(outcome.stderr.contains("400"), "\(outcome.stderr)")
    #expect(workspace.files() == ["flows/broken.yaml"])
  }
}
