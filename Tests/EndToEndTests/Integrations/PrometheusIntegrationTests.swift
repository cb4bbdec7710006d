import Foundation
import TestSupport
import Testing

/// `flows/prometheus.yaml` against a real Prometheus: slices of a time range, values of labels, and a table of series.
@Suite(.timeLimit(.minutes(3))) struct PrometheusIntegrationTests {
  private static let start = 1_704_067_200_000
  private static let temperatures = ["11.25", "11.5", "-0.125", "1e-07", "12"]

  @Test func `a series comes in slices, and a later run goes on where it ended`() async throws {
    guard let prometheus = try await Integration("prometheus.yaml", server: "prometheus") else { return }
    func expected(_ count: Int) throws -> [NSObject] {
      try Self.temperatures.prefix(count).enumerated().map {
        try Records.value(#"{"time":\#(Self.start + $0 * 15_000),"value":\#($1)}"#)
      }
    }
    func kept() throws -> [NSObject] {
      try Records.withInstants(["time"], in: prometheus.records("prometheus/history.jsonl"))
    }
    let first = try await prometheus.run("-s", "prometheus.history", "--var", "until=2024-01-01T00:00:30Z")
    #expect(try first.flow("history").records == 3)
    #expect(try kept() == expected(3))
    // Both ends of a slice are included: the one that is known comes again.
    #expect(try await prometheus.run("-s", "prometheus.history").flow("history").records == 3)
    #expect(try kept() == expected(5))
    #expect(try await prometheus.run("-s", "prometheus.history").flow("history").records == 1)
    #expect(try kept() == expected(5))
    // From the start, in two slices that meet.
    let full = try await prometheus.run("-s", "prometheus.history", "--fresh=everything")
    #expect(try full.flow("history").records == 6)
    #expect(try kept() == expected(5))
  }

  @Test func `labels and all samples of all series are those of the server`() async throws {
    guard let prometheus = try await Integration("prometheus.yaml", server: "prometheus") else { return }
    try await prometheus.run("-s", "prometheus.labels prometheus.samples")
    #expect(
      try prometheus.records("prometheus/labels.jsonl")
        == Records.expected(
          #"{"label":"room","value":"cellar"}"#, #"{"label":"role","value":"nobody"}"#,
          #"{"label":"role","value":"self"}"#, #"{"label":"job","value":"shop"}"#))

    // A sample counts for five minutes: the histogram's single ones are seen at all five instants.
    var series = [
      ("shop_temperature_celsius", "room=cellar", Self.temperatures),
      ("shop_ratio", "", ["0.5", "NaN", "+Inf", "-Inf", "1"]),
    ]
    for (bucket, count) in [("0.1", "3"), ("0.5", "5"), ("1.0", "6"), ("+Inf", "9007199254740992")] {
      series.append(("shop_request_seconds_bucket", "le=\(bucket)", Array(repeating: count, count: 5)))
    }
    series.append(("shop_request_seconds_sum", "", Array(repeating: "4.75", count: 5)))
    series.append(("shop_request_seconds_count", "", Array(repeating: "9007199254740992", count: 5)))
    let expected = series.flatMap { name, labels, values in
      values.enumerated().map { number, value in
        [
          name, labels, "2024-01-01T00:0\(number == 4 ? "1:00" : "0:\(Integration.padded(number * 15, to: 2))")Z",
          value,
        ]
      }
    }
    let rows = try Records.rows(prometheus.workspace.text("out/prometheus/samples.csv"))
    #expect(rows.first == ["series", "labels", "at", "value"])
    #expect(rows.count == 41)
    #expect(Set(rows.dropFirst()) == Set(expected))
  }
}
