import JSONSyntax
import RunViews
import Testing

@testable import Monitoring

@Suite struct TraceContextTests {
  private static let trace = "0af7651916cd43dd8448eb211c80319c"

  @Test func `A run is a part of the trace of the program that starts it`() throws {
    let context = try #require(TraceContext("00-\(Self.trace)-b7ad6b7169203331-01"))
    let run = EndedRun(id: "1", began: 0, ended: 1, entries: [], earlier: [])
    let traces = OTLPTraces(run, RunTrace(), below: context)
    let request = try #require(traces.requests(OTLPResource(tool: "1", attributes: [], service: nil)).first)
    let span = request["resourceSpans"]?.array?.first?["scopeSpans"]?.array?.first?["spans"]?.array?.first
    #expect(span?["traceId"]?.string == Self.trace)
    #expect(span?["parentSpanId"]?.string == "b7ad6b7169203331")
    #expect(span?["spanId"]?.string != "b7ad6b7169203331")
  }

  @Test(
    arguments: [
      "", "00", "00-\(trace)-b7ad6b7169203331", "00-\(trace)-0000000000000000-01", "ff-\(trace)-b7ad6b7169203331-01",
      "00-\(trace.uppercased())-b7ad6b7169203331-01", "00-\(trace)-b7ad6b7169203331-01-x",
      "00-\(trace)-b7ad6b716920333-01",
    ])
  func `What is no traceparent is ignored`(text: String) {
    #expect(TraceContext(text) == nil)
  }
}
