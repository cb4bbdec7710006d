import RunViews
import Testing

@testable import Monitoring

@Suite struct MetricTests {
  /// A run of one flow after four runs an hour apart, the first one at 1970-01-01T00:00:00Z.
  private func run(
    flow: String = "shop.orders", root: String = "/srv/shop", change: (inout HistoryEntry) -> Void = { _ in }
  ) -> ObservedRun {
    let entries = (0...4).map { hour in
      var entry = HistoryEntry(
        run: "\(hour)", flow: flow, status: .passed, started: "1970-01-01T0\(hour):00:00Z")
      entry.source = "network"
      (entry.records, entry.duration, entry.freshness) = (100 + hour, 1500, 7200)
      return entry
    }
    var last = entries[4]
    change(&last)
    let ended = EndedRun(id: "4", began: 14_400, ended: 14_402, entries: [last], earlier: Array(entries[..<4]))
    return ObservedRun(ended, root: root, tool: "0.1.0")
  }

  private func lines(_ run: ObservedRun) -> [String] {
    String(decoding: PrometheusText.bytes(run), as: UTF8.self).split(separator: "\n").filter { !$0.hasPrefix("#") }
      .map { String($0).replacing(#",root="/srv/shop""#, with: "").replacing(#"{root="/srv/shop"}"#, with: "") }
  }

  @Test func `A flow has its times, counts and state`() {
    #expect(
      lines(run()) == [
        #"reactor_flow_last_run_timestamp_seconds{flow="shop.orders"} 14400"#,
        #"reactor_flow_last_success_timestamp_seconds{flow="shop.orders"} 14400"#,
        #"reactor_flow_last_pull_timestamp_seconds{flow="shop.orders"} 14400"#,
        #"reactor_flow_first_run_timestamp_seconds{flow="shop.orders"} 0"#,
        #"reactor_flow_freshness_limit_seconds{flow="shop.orders"} 7200"#,
        #"reactor_flow_state{flow="shop.orders",state="failing"} 0"#,
        #"reactor_flow_state{flow="shop.orders",state="missing"} 0"#,
        #"reactor_flow_state{flow="shop.orders",state="passing"} 1"#,
        #"reactor_flow_state{flow="shop.orders",state="unknown"} 0"#,
        #"reactor_flow_failures{flow="shop.orders"} 0"#,
        #"reactor_flow_duration_seconds{flow="shop.orders"} 1.500"#,
        #"reactor_flow_received_bytes{flow="shop.orders"} 0"#,
        #"reactor_flow_retries{flow="shop.orders"} 0"#,
        #"reactor_flow_wait_seconds{flow="shop.orders"} 0.000"#,
        #"reactor_flow_rejected_records{flow="shop.orders"} 0"#,
        #"reactor_flow_records{flow="shop.orders"} 104"#,
        #"reactor_flow_usual_records{flow="shop.orders"} 101"#,
        "reactor_run_end_timestamp_seconds 14402",
        "reactor_run_duration_seconds 2",
        #"reactor_run_flows{status="passed"} 1"#,
        #"reactor_run_flows{status="failed"} 0"#,
        #"reactor_run_flows{status="error"} 0"#,
        #"reactor_run_flows{status="cancelled"} 0"#,
        #"reactor_build_info{version="0.1.0"} 1"#,
      ])
  }

  @Test func `A failed run keeps the records and times of the last pull`() {
    let lines = lines(
      run {
        ($0.status, $0.source, $0.records, $0.rejected, $0.retries, $0.waited) = (.failed, nil, 0, 7, 2, 90_005)
      })
    for line in [
      #"reactor_flow_last_run_timestamp_seconds{flow="shop.orders"} 14400"#,
      #"reactor_flow_last_success_timestamp_seconds{flow="shop.orders"} 10800"#,
      #"reactor_flow_last_pull_timestamp_seconds{flow="shop.orders"} 10800"#,
      #"reactor_flow_state{flow="shop.orders",state="failing"} 1"#,
      #"reactor_flow_failures{flow="shop.orders"} 1"#,
      #"reactor_flow_records{flow="shop.orders"} 103"#,
      #"reactor_flow_rejected_records{flow="shop.orders"} 7"#,
      #"reactor_flow_retries{flow="shop.orders"} 2"#,
      #"reactor_flow_wait_seconds{flow="shop.orders"} 90.005"#,
      #"reactor_run_flows{status="failed"} 1"#,
    ] {
      #expect(lines.contains(line), "\(line)")
    }
  }

  @Test(
    arguments: [
      ("1970-01-01T02:30:00Z", "9000"), ("1970-01-02T01:00:00+01:00", "86400"), ("1970-01-02", "86400"),
      ("41", nil), ("3 parents", nil), ("19700102x", nil),
    ])
  func `Only a cursor that is a time has a timestamp`(cursor: String, seconds: String?) {
    let line = lines(run { $0.cursorAfter = cursor }).first { $0.contains("cursor_timestamp") }
    #expect(line == seconds.map { #"reactor_flow_cursor_timestamp_seconds{flow="shop.orders"} \#($0)"# })
  }

  @Test func `A failed run does not forget the cursor's time`() {
    let entries = ["1970-01-01T00:00:00Z", nil].map { cursor in
      var entry = HistoryEntry(
        run: "1", flow: "a.b", status: cursor == nil ? .failed : .passed, started: "1970-01-01T00:00:00Z")
      entry.cursorAfter = cursor
      return entry
    }
    let run = EndedRun(id: "1", began: 0, ended: 0, entries: [entries[1]], earlier: [entries[0]])
    let lines = lines(ObservedRun(run, root: "/srv/shop", tool: ""))
    #expect(lines.contains(#"reactor_flow_cursor_timestamp_seconds{flow="a.b"} 0"#))
  }

  @Test func `Labels are escaped`() {
    let text = String(
      decoding: PrometheusText.bytes(run(flow: "a.\"\\\n\r\n", root: "/srv/ä \"x\"")), as: UTF8.self)
    #expect(text.contains(#"reactor_flow_records{flow="a.\"\\\n"# + "\r" + #"\n",root="/srv/ä \"x\""} 104"#))
  }

  @Test func `Removed flows have no metrics`() {
    let gone = EndedRun(
      id: "1", began: 0, ended: 0, entries: [],
      earlier: [HistoryEntry(run: "1", flow: "a.b", status: .failed, started: "1970-01-01T00:00:00Z")])
    let observed = ObservedRun(gone, root: "/", tool: "") { $0 != "a.b" }
    #expect(!String(decoding: PrometheusText.bytes(observed), as: UTF8.self).contains("a.b"))
  }

  @Test func `Names are unique, and those of Prometheus follow from those of OpenTelemetry`() {
    #expect(Set(Metric.all.map(\.prometheusName)).count == Metric.all.count)
    for metric in Metric.all {
      #expect(metric.name.wholeMatch(of: /reactor(\.[a-z]+(_[a-z]+)*)+/) != nil, "\(metric.name)")
      #expect(metric.description.hasSuffix("."))
    }
  }
}
