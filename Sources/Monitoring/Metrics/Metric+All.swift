internal import RunViews
internal import TimeSyntax

extension Metric {
  /// All metrics, in the order in which they are written.
  package static let all: [Metric] = times + lastRun + results + run

  private static let times = [
    Metric(
      flow: "reactor.flow.last_run.timestamp", .seconds, "When the last run of the flow started, in seconds since 1970."
    ) { $0.last.startedAt.map(Value.whole) },
    Metric(
      flow: "reactor.flow.last_success.timestamp", .seconds,
      "When the last run that passed started; absent when none has."
    ) { $0.lastSuccess?.startedAt.map(Value.whole) },
    Metric(
      flow: "reactor.flow.last_pull.timestamp", .seconds,
      "When the last run that passed with the server's data started; the age of the result counts from it."
    ) { $0.lastPull?.startedAt.map(Value.whole) },
    Metric(
      flow: "reactor.flow.first_run.timestamp", .seconds,
      "When the oldest run that the history has of the flow started."
    ) { $0.runs[0].startedAt.map(Value.whole) },
    Metric(
      flow: "reactor.flow.freshness_limit", .seconds,
      "The declared maximum age of the result (expect.freshness); absent when none is declared."
    ) { $0.freshness.map(Value.whole) },
    Metric(
      flow: "reactor.flow.cursor.timestamp", .seconds,
      "The time that an incremental flow has reached; absent when its cursor is not a time."
    ) { $0.cursorTime.map(Value.whole) },
  ]

  private static let lastRun = [
    Metric(
      "reactor.flow.state", .count("flow"),
      "1 for the state of the flow after its last run, 0 for the other states: failing, missing, passing, unknown.",
      labels: ["flow", "state"]
    ) { run in
      run.flows.flatMap { flow in
        FlowHealth.State.allCases.map { ([flow.flow, $0.rawValue], .whole($0 == flow.state ? 1 : 0)) }
      }
    },
    Metric(flow: "reactor.flow.failures", .count("run"), "Runs that did not pass since the last one that did.") {
      .whole(Int64($0.failures))
    },
    Metric(
      flow: "reactor.flow.duration", .seconds, "Duration of the last run of the flow; absent when it did not start."
    ) { $0.last.duration.map(Value.milliseconds) },
    Metric(flow: "reactor.flow.received", .bytes, "Bytes of the bodies that the last run received, decoded.") {
      .whole(Int64($0.last.bytes))
    },
    Metric(flow: "reactor.flow.retries", .count("request"), "Requests that the last run sent again.") {
      .whole(Int64($0.last.retries))
    },
    Metric(
      flow: "reactor.flow.wait", .seconds,
      "Time for which rate limits, and jobs that were not done, delayed requests of the last run."
    ) { .milliseconds($0.last.waited) },
    Metric(flow: "reactor.flow.rejected_records", .count("record"), "Records that the last run rejected.") {
      .whole(Int64($0.last.rejected))
    },
  ]

  private static let results = [
    Metric(
      flow: "reactor.flow.records", .count("record"), "Records of the last run that passed with the server's data."
    ) { $0.lastPull.map { .whole(Int64($0.records)) } },
    Metric(
      flow: "reactor.flow.usual_records", .count("record"),
      "Median of the records of up to 10 such runs before it; absent with fewer than 3, and for a flow with a cursor."
    ) { $0.usualRecords.map { .whole(Int64($0)) } },
  ]

  private static let run = [
    Metric("reactor.run.end.timestamp", .seconds, "When the last run ended, in seconds since 1970.") {
      [([], .whole($0.run.ended))]
    },
    Metric("reactor.run.duration", .seconds, "Duration of the last run.") {
      [([], .whole(max(0, $0.run.ended - $0.run.began)))]
    },
    Metric("reactor.run.flows", .count("flow"), "Flows of the last run, by their status.", labels: ["status"]) { run in
      RunReport.Flow.Status.allCases.map { status in
        ([status.rawValue], .whole(Int64(run.run.entries.count { $0.status == status })))
      }
    },
    Metric("reactor.build.info", .count("build"), "1, with the version of the program.", labels: ["version"]) {
      [([$0.tool], .whole(1))]
    },
  ]
}

extension FlowHealth {
  /// The time that the cursor has reached, in seconds since 1970; nil when its value is not a time.
  fileprivate var cursorTime: Int64? {
    guard let text = runs.last(where: { $0.cursorAfter != nil })?.cursorAfter else { return nil }
    return Array(text.utf8).withUnsafeBufferPointer { ISO8601.instant($0) ?? ISO8601.day($0) }?.secondsSince1970
  }
}
