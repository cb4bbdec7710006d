package import JSONSyntax
package import RunViews
package import WebSyntax

/// Writes the trace of a run as requests of OTLP: the run, its flows, and their steps.
package struct OTLPTraces {
  /// The most spans of one request.
  private static let most = 1000

  private let run: EndedRun
  private let trace: RunTrace
  private let sent: RequestTraces
  private let id: String
  private let root: String
  private let above: TraceContext?

  /// Prepares the trace of a run.
  ///
  /// - Parameters:
  ///   - sent: the requests of the flows
  ///   - id: the id of the trace
  ///   - above: the span of which the run is a part; nil when it begins a trace
  package init(
    _ run: EndedRun, _ trace: RunTrace, _ sent: RequestTraces = RequestTraces(), in id: String,
    below above: TraceContext? = nil
  ) {
    (self.run, self.trace, self.sent, self.above) = (run, trace, sent, above)
    self.id = id
    root = TraceContext.newSpan()
  }

  /// The bodies of the requests.
  package func requests(_ resource: OTLPResource) -> [JSONValue] {
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

  private func spans(of entry: HistoryEntry) -> [JSONValue] {
    // Other processes have run the flows of a shared run that this one did not.
    let times = trace.flows[entry.flow]
    guard let start = times?.began ?? entry.startedAt.map({ $0 * 1_000_000_000 }), entry.duration != nil else {
      return []
    }
    let end = times?.ended ?? start + (entry.duration ?? 0) * 1_000_000
    let requests = sent[entry.flow]
    let own = requests?.span ?? TraceContext.newSpan()
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
    if let requests {
      attributes.append(OTLPJSON.attribute("reactor.flow.requests", Int64(requests.sent)))
      if requests.leftOut > 0 {
        attributes.append(OTLPJSON.attribute("reactor.flow.requests.left_out", Int64(requests.leftOut)))
      }
    }
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
      spans.append(
        span(TraceContext.newSpan(), own, step.name, step.began, step.ended, [], error: step.hasFailed ? "" : nil))
    }
    return spans + (requests?.spans ?? []).map { span($0, own, within: start...max(start, end)) }
  }

  /// The span of a request, by the conventions of OpenTelemetry for clients of HTTP.
  ///
  /// - Parameter times: those of its flow. The transport has a clock of its own, and sees the end of a response that
  ///   nobody reads after the flow.
  private func span(_ sent: RequestTraces.Span, _ flow: String, within times: ClosedRange<Int64>) -> JSONValue {
    func moment(_ time: Int64) -> Int64 { min(max(time, times.lowerBound), times.upperBound) }
    let request = sent.request
    var attributes = [
      OTLPJSON.attribute("http.request.method", request.method), OTLPJSON.attribute("url.full", request.url),
      OTLPJSON.attribute("server.address", request.host), OTLPJSON.attribute("server.port", Int64(request.port)),
    ]
    if let status = request.status {
      attributes.append(OTLPJSON.attribute("http.response.status_code", Int64(status)))
    }
    if request.resends > 0 {
      attributes.append(OTLPJSON.attribute("http.request.resend_count", Int64(request.resends)))
    }
    if let error = request.errorType { attributes.append(OTLPJSON.attribute("error.type", error)) }
    return span(
      sent.id, flow, request.method, moment(request.began), moment(request.ended), attributes, kind: .client,
      error: request.errorType.map { _ in "" })
  }

  /// What a span stands for, by its number in OTLP.
  private enum Kind: Int64 {
    case `internal` = 1
    case client = 3
  }

  /// A span; `error` is nil unless what it stands for has failed.
  private func span(
    _ own: String, _ parent: String?, _ name: String, _ began: Int64, _ ended: Int64, _ attributes: [JSONValue],
    events: [JSONValue] = [], kind: Kind = .internal, error: String?
  ) -> JSONValue {
    // 2 is STATUS_CODE_ERROR.
    .object([
      "traceId": .string(id), "spanId": .string(own), "parentSpanId": .string(parent ?? ""), "name": .string(name),
      "kind": .integer(kind.rawValue), "startTimeUnixNano": .string(String(began)),
      "endTimeUnixNano": .string(String(max(began, ended))),
      "attributes": .array(attributes), "events": .array(events),
      "status": error.map { .object(["code": 2, "message": .string($0)]) } ?? .object([:]),
    ])
  }
}
