import Foundation
import TestSupport
import Testing

/// A flow against a real Pushgateway: groups of metrics whose names are the keys of the response.
@Suite(.timeLimit(.minutes(3)))
struct PushgatewayTests {
  @Test func `pushed samples are read back`() async throws {
    guard let environment = try await RealServers.environment(for: "pushgateway") else { return }
    let workspace = try Workspace()
    try workspace.write(
      """
      reactor: 1
      vars: { pushgateway: http://127.0.0.1:9 }
      http: { base_url: "{{ vars.pushgateway }}/api/v1" }
      flows:
        groups:
          resource: /metrics
          records: $.data[*]
          schema:
            key: job
            fields:
              job: { from: $.labels.job, type: string }
              records: { from: "$.shop_records.metrics[0].value", type: integer }
              steps: { from: "$.shop_last_run_seconds.metrics", type: json }
          persistence: out/groups.jsonl
      """, to: "flows/push.yaml")
    let outcome = try await workspace.reactor("run", environment: environment)
    #expect(outcome.status == 0, "\(outcome.stdout)\(outcome.stderr)")
    let groups = try Records.lines(workspace.text("out/groups.jsonl")).compactMap { $0 as? [String: NSObject] }
    #expect(Set(groups.compactMap { $0["job"] as? String }) == ["hourly", "nightly"])
    #expect(groups.compactMap { $0["records"] as? Int } == [750, 750])
    for group in groups {
      let steps = try #require(group["steps"] as? [[String: NSObject]])
      let values = steps.compactMap { ($0["value"] as? String).flatMap { Double($0) } }
      #expect(Set(values) == [1_704_067_200, 1_704_067_230])
    }
  }
}
