import JSONSyntax
import RunViews
import Testing
import WebSyntax

@testable import Monitoring

/// Which requests are in a trace, and how.
@Suite struct RequestTracesTests {
  private func request(_ status: Int? = 200, failure: String? = nil) -> RequestTraces.Request {
    var request = RequestTraces.Request(
      method: "GET", url: "https://api.example.com/orders?page=2", host: "api.example.com", port: 443, resends: 0)
    (request.began, request.ended, request.status, request.failure) = (2_000, 3_000, status, failure)
    return request
  }

  @Test func `The first requests of each flow have a span, and later ones if they fail`() {
    var traces = RequestTraces()
    for number in 1...1000 {
      let reservation = traces.prepare(for: "a.b")
      #expect((reservation.id == traces["a.b"]?.span) == (number > 100))
      traces.add(request(number.isMultiple(of: 5) ? 503 : 200), as: reservation)
    }
    let flow = traces["a.b"]
    #expect(flow?.sent == 1000 && flow?.leftOut == 800)
    #expect(flow?.spans.count { $0.request.status == 503 } == 120)
    #expect(Set(flow?.spans.map(\.id) ?? []).count == 200)
    traces.add(request(), as: traces.prepare(for: "a.c"))
    #expect(traces["a.c"]?.spans.count == 1 && traces["a.d"] == nil)
  }

  @Test func `All flows together have a limit`() {
    var traces = RequestTraces()
    for flow in 1...101 {
      for _ in 1...100 { traces.add(request(503), as: traces.prepare(for: "a.\(flow)")) }
    }
    #expect((1...101).reduce(0) { $0 + (traces["a.\($1)"]?.spans.count ?? 0) } == RequestTraces.most)
    #expect(traces["a.101"]?.leftOut == 100)
  }

  @Test(
    arguments: [
      (200, nil, nil), (304, nil, nil), (404, nil, "404"), (503, nil, "503"), (200, "server", "server"),
      (nil, "timeout", "timeout"),
    ] as [(Int?, String?, String?)])
  func `A request has failed when its status or its transfer says so`(
    _ status: Int?, _ failure: String?, _ type: String?
  ) {
    #expect(request(status, failure: failure).errorType == type)
  }

  private func spans(_ sent: RequestTraces, _ flow: String = "a.b") throws -> [JSONValue] {
    var entry = HistoryEntry(run: "1", flow: flow, status: .passed, started: "1970-01-01T00:00:00Z")
    entry.duration = 1
    let run = EndedRun(id: "1", began: 0, ended: 1, entries: [entry], earlier: [])
    let requests = OTLPTraces(run, RunTrace(), sent, in: "0af7651916cd43dd8448eb211c80319c").requests(
      OTLPResource(tool: "1", attributes: [], service: nil))
    return try #require(requests.first?["resourceSpans"]?.array?.first?["scopeSpans"]?.array?.first?["spans"]?.array)
  }

  private func attributes(_ span: JSONValue?) -> [String: String] {
    Dictionary(
      (span?["attributes"]?.array ?? []).map { attribute in
        let value = attribute["value"]
        return (attribute["key"]?.string ?? "", (value?["stringValue"] ?? value?["intValue"])?.string ?? "")
      }
    ) { $1 }
  }

  @Test func `A span of a request follows the conventions for clients of HTTP`() throws {
    var sent = RequestTraces()
    var failed = request(503)
    failed.resends = 2
    sent.add(failed, as: sent.prepare(for: "a.b"))
    let spans = try spans(sent)
    #expect(spans.count == 3)
    #expect(spans[2]["parentSpanId"] == spans[1]["spanId"] && spans[1]["spanId"]?.string == sent["a.b"]?.span)
    #expect(spans[2]["name"]?.string == "GET" && spans[2]["kind"]?.int64 == 3 && spans[1]["kind"]?.int64 == 1)
    #expect(spans[2]["startTimeUnixNano"]?.string == "2000" && spans[2]["endTimeUnixNano"]?.string == "3000")
    #expect(spans[2]["status"]?["code"]?.int64 == 2)
    #expect(
      attributes(spans[2]) == [
        "http.request.method": "GET", "url.full": "https://api.example.com/orders?page=2",
        "server.address": "api.example.com", "server.port": "443", "http.response.status_code": "503",
        "http.request.resend_count": "2", "error.type": "503",
      ])
    #expect(attributes(spans[1])["reactor.flow.requests"] == "1")
    #expect(attributes(spans[1])["reactor.flow.requests.left_out"] == nil)
  }

  @Test func `A run is a part of the trace of the program that starts it`() throws {
    let context = TraceContext(trace: "0af7651916cd43dd8448eb211c80319c", span: "b7ad6b7169203331", isRecorded: true)
    let run = EndedRun(id: "1", began: 0, ended: 1, entries: [], earlier: [])
    let traces = OTLPTraces(run, RunTrace(), in: context.trace, below: context)
    let request = try #require(traces.requests(OTLPResource(tool: "1", attributes: [], service: nil)).first)
    let span = request["resourceSpans"]?.array?.first?["scopeSpans"]?.array?.first?["spans"]?.array?.first
    #expect(span?["traceId"]?.string == context.trace && span?["parentSpanId"]?.string == context.span)
    #expect(span?["spanId"]?.string != context.span)
  }

  @Test func `A span of a request lies within its flow`() throws {
    var sent = RequestTraces()
    var late = request()
    (late.began, late.ended) = (500_000, 9_000_000)
    sent.add(late, as: sent.prepare(for: "a.b"))
    let span = try spans(sent)[2]
    #expect(span["startTimeUnixNano"]?.string == "500000" && span["endTimeUnixNano"]?.string == "1000000")
    #expect(attributes(span)["error.type"] == nil && span["status"] == .object([:]))
  }

  @Test func `A flow says how many of its requests have no span`() throws {
    var sent = RequestTraces()
    for _ in 1...101 { sent.add(request(), as: sent.prepare(for: "a.b")) }
    let spans = try spans(sent)
    #expect(spans.count == 102)
    #expect(attributes(spans[1])["reactor.flow.requests"] == "101")
    #expect(attributes(spans[1])["reactor.flow.requests.left_out"] == "1")
  }
}
