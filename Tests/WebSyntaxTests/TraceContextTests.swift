import Testing
import WebSyntax

@Suite struct TraceContextTests {
  private static let trace = "0af7651916cd43dd8448eb211c80319c"

  @Test func `A traceparent names a trace, a span and flags`() throws {
    let text = "00-\(Self.trace)-b7ad6b7169203331-01"
    let context = try #require(TraceContext(text))
    #expect(context.trace == Self.trace && context.span == "b7ad6b7169203331" && context.flags == "01")
    #expect(context.text == text && context == TraceContext(trace: Self.trace, span: context.span, isRecorded: true))
    #expect(TraceContext("cc-\(Self.trace)-b7ad6b7169203331-09-later")?.text.hasSuffix("-b7ad6b7169203331-09") == true)
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

  @Test(arguments: ["nightly", "0AF7651916CD43DD8448EB211C80319C", String(repeating: "0", count: 32), ""])
  func `Each run has the id of a trace`(run: String) {
    let id = TraceContext.trace(ofRun: run)
    #expect(id != run && id == TraceContext.trace(ofRun: run))
    #expect(TraceContext(TraceContext(trace: id, span: TraceContext.newSpan(), isRecorded: false).text) != nil)
    #expect(TraceContext.trace(ofRun: Self.trace) == Self.trace)
  }
}
