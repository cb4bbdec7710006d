package import JSONSyntax
package import RunViews

/// Writes the trace of a run as requests of OTLP: the run, its flows, and their steps.
package struct OTLPTraces {
  /// The most spans of one request.
  private static let most = 1000

  private let run: EndedRun
  private let trace: RunTrace
  private let id: String
  private let root: String
  private let above: TraceContext?
  private var random: SystemRandomNumberGenerator

  /// Prepares the trace of a run.
  ///
  /// - Parameter above: the span of which the run is a part; nil when it begins a trace
  package init(_ run: EndedRun, _ trace: RunTrace, below above: TraceContext? = nil) {
    (self.run, self.trace, self.above) = (run, trace, above)
    var random = SystemRandomNumberGenerator()
    id = above?.trace ?? Self.hex(&random) + Self.hex(&random)
    root = Self.hex(&random)
    self.random = random
  }

  /// The bodies of the requests.
  package mutating func requests(_ resource: OTLPResource) -> [JSONValue] {
    var all = [runSpan]
    for entry in run.entries { all += spans(of: entry) }
    return OTLPJSON.groups(all, of: Self.most).map { group in
      .object([
        "resourceSpans": [
          .object([
            "resource": resource.json,
            "scopeSpans": [.object(["scope": resource.scope, "spans": .array(Array(group))])],
          ])
        ]
      ])
    }
  }

  private var runSpan: JSONValue {
    let failures = run.entries.count { $0.status != .passed }
    return span(
      root, above?.span, "reactor run", trace.began ?? run.began * 1_000_000_000,
      trace.ended ?? run.ended * 1_000_000_000,
      [
        OTLPJSON.attribute("reactor.run.id", run.id),
        OTLPJSON.attribute("reactor.run.flows", Int64(run.entries.count)),
      ], error: failures == 0 ? nil : failures == 1 ? "1 flow did not pass" : "\(failures) flows did not pass")
  }

  private mutating func spans(of entry: HistoryEntry) -> [JSONValue] {
    // Other processes have run the flows of a shared run that this one did not.
    let times = trace.flows[entry.flow]
    guard let start = times?.began ?? entry.startedAt.map({ $0 * 1_000_000_000 }), entry.duration != nil else {
      return []
    }
    let end = times?.ended ?? start + (entry.duration ?? 0) * 1_000_000
    let own = Self.hex(&random)
    var attributes = [
      OTLPJSON.attribute("reactor.flow.name", entry.flow),
      OTLPJSON.attribute("reactor.flow.status", entry.status.rawValue),
      OTLPJSON.attribute("reactor.flow.records", Int64(entry.records)),
      OTLPJSON.attribute("reactor.flow.rejected_records", Int64(entry.rejected)),
      OTLPJSON.attribute("reactor.flow.received", Int64(entry.bytes)),
      OTLPJSON.attribute("reactor.flow.retries", Int64(entry.retries)),
    ]
    if let source = entry.source { attributes.append(OTLPJSON.attribute("reactor.flow.source", source)) }
    if let result = entry.result { attributes.append(OTLPJSON.attribute("reactor.flow.result", result)) }
    if let failure = entry.failure { attributes.append(OTLPJSON.attribute("error.type", failure.kind)) }
    let events = (times?.retries ?? []).map { retry in
      JSONValue.object([
        "timeUnixNano": .string(String(retry.at)), "name": "retry",
        "attributes": [OTLPJSON.attribute("reason", retry.reason)],
      ])
    }
    let error = entry.status == .passed ? nil : entry.failure?.message ?? entry.status.rawValue
    var spans = [span(own, root, entry.flow, start, end, attributes, events: events, error: error)]
    for step in times?.steps ?? [] {
      let child = Self.hex(&random)
      spans.append(span(child, own, step.name, step.began, step.ended, [], error: step.hasFailed ? "" : nil))
    }
    return spans
  }

  /// A span; `error` is nil unless what it stands for has failed.
  private func span(
    _ own: String, _ parent: String?, _ name: String, _ began: Int64, _ ended: Int64, _ attributes: [JSONValue],
    events: [JSONValue] = [], error: String?
  ) -> JSONValue {
    // 1 is SPAN_KIND_INTERNAL, 2 is STATUS_CODE_ERROR.
    .object([
      "traceId": .string(id), "spanId": .string(own), "parentSpanId": .string(parent ?? ""), "name": .string(name),
      "kind": 1, "startTimeUnixNano": .string(String(began)), "endTimeUnixNano": .string(String(max(began, ended))),
      "attributes": .array(attributes), "events": .array(events),
      "status": error.map { .object(["code": 2, "message": .string($0)]) } ?? .object([:]),
    ])
  }

  /// 16 random hexadecimal digits, not all of them 0.
  private static func hex(_ random: inout some RandomNumberGenerator) -> String {
    let digits = String(UInt64.random(in: 1...UInt64.max, using: &random), radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }
}
