import Foundation
import TestSupport
import Testing

/// `flows/pushgateway.yaml` against a real Pushgateway: names that are keys, text that is pushed, groups that are deleted.
@Suite(.timeLimit(.minutes(3))) struct PushgatewayIntegrationTests {
  /// The labels of all groups, by job and instance.
  private func groups(_ base: String) async throws -> [String: [String: Any]] {
    let answer = try await Integration.send("GET", base + "/api/v1/metrics")
    let groups = try #require(answer["data"] as? [[String: Any]])
    return Dictionary(
      groups.map { group in
        let labels = group["labels"] as? [String: String] ?? [:]
        return ("\(labels["job"] ?? "")/\(labels["instance"] ?? "")", group)
      }
    ) { $1 }
  }

  @Test func `a summary of each group is pushed, twice as well as once`() async throws {
    guard let gateway = try await Integration("pushgateway.yaml", server: "pushgateway") else { return }
    let base = try gateway.address("pushgateway")
    for _ in 1...2 {
      let summary = try await gateway.run("-s", "pushgateway.summary pushgateway.samples", "--fresh")
      #expect(try summary.flow("groups").records == 2)
      #expect(try summary.flow("summary").records == 0)
      #expect(
        try Set(gateway.records("pushgateway/groups.jsonl"))
          == Set(
            Records.expected(
              #"{"job":"hourly","instance":"shop","records":750}"#,
              #"{"job":"nightly","instance":"shop","records":750}"#
            )))
      let rows = try Records.rows(gateway.workspace.text("out/pushgateway/samples.csv"))
      let expected = ["hourly", "nightly"].flatMap { job in
        [
          ["shop_last_run_seconds", "gauge", job, "load", "1.7040672e+09"],
          ["shop_last_run_seconds", "gauge", job, "send", "1.70406723e+09"], ["shop_records", "gauge", job, "", "750"],
        ]
      }
      #expect(rows.count == 7 && Set(rows.dropFirst()) == Set(expected))

      let found = try await groups(base)
      for job in ["hourly", "nightly"] {
        let metric = try #require(found["\(job)/summary"]?["summary_records"] as? [String: Any])
        let samples = try #require(metric["metrics"] as? [[String: Any]])
        #expect(samples.count == 1 && samples.first?["value"] as? String == "750")
        #expect((samples.first?["labels"] as? [String: String])?["of"] == "shop")
      }
    }
  }

  @Test func `the groups of a retired instance are deleted, and no others`() async throws {
    guard let gateway = try await Integration("pushgateway.yaml", server: "pushgateway") else { return }
    let (base, own) = (try gateway.address("pushgateway"), Integration.ownName("old-"))
    for job in ["nightly", "weekly"] {
      let answer = try await Integration.send("PUT", base + "/metrics/job/\(job)/instance/\(own)", "old 1\n")
      #expect(answer.status == 200, "\(answer)")
    }
    #expect(try await groups(base).keys.filter { $0.hasSuffix(own) }.count == 2)
    let summary = try await gateway.run("-s", "pushgateway.clean", "--var", "retired=\(own)")
    #expect(try summary.flow("retired").records == 2)
    let left = try await groups(base)
    #expect(!left.keys.contains { $0.hasSuffix(own) })
    #expect(left.keys.contains("nightly/shop") && left.keys.contains("hourly/shop"))
    // Nothing is left to delete, which is no error.
    #expect(try await gateway.run("-s", "pushgateway.clean", "--var", "retired=\(own)").flow("retired").records == 0)
  }
}
