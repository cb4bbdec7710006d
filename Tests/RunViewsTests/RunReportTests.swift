import JSONSyntax
import RunViews
import Testing

@Suite(.timeLimit(.minutes(1))) struct RunReportTests {
  @Test(arguments: [true, false])
  func `a report that is read back is the same`(hasTiming: Bool) throws {
    let report = SampleRun.report(hasTiming: hasTiming)
    #expect(try RunReport(parsing: report.jsonLine) == report)
  }

  @Test(arguments: [
    ("", "it is not JSON"), ("{}", "it is not a JSON report"), ("{\"v\":2}", "it is not a JSON report"),
    ("{\"v\":1}", "'flows' of the report is missing"),
    ("{\"v\":1,\"flows\":[1]}", "'status' of a flow is missing"),
    ("{\"v\":1,\"flows\":[],\"shard\":\"3/2\"}", "'shard' is '3/2'"),
    ("{\"v\":1,\"flows\":[{\"status\":\"gone\"}]}", "'status' of a flow is 'gone'"),
  ])
  func `what is no report is refused with the reason`(text: String, reason: String) {
    let fault = #expect(throws: ReportError.self) { try RunReport(parsing: Array(text.utf8)) }
    #expect(fault?.message.hasPrefix(reason) == true, "\(fault?.message ?? "")")
  }

  @Test func `parts of a run joined are the whole run`() throws {
    let whole = SampleRun.report(hasTiming: false)
    var parts = [whole, whole, whole]
    for place in parts.indices {
      parts[place].shard = .init(place + 1, of: 3)
      parts[place].flows = whole.flows.enumerated().filter { $0.offset % 3 == place }.map(\.element)
    }
    var expected = whole
    expected.flows.sort { ($0.file, $0.line) < ($1.file, $1.line) }
    for order in [[0, 1, 2], [2, 0, 1]] {
      #expect(try RunReport.joined(order.map { parts[$0] }, exit: 5) == expected)
    }
    #expect(RunReport.missingShards(parts).isEmpty)
    #expect(RunReport.missingShards([parts[0], parts[2]]).map(\.text) == ["2/3"])
    #expect(throws: ReportError(message: "'eu.archive' is in two of the reports")) {
      try RunReport.joined([parts[0], parts[0]], exit: 0)
    }
    #expect(throws: ReportError.self) { try RunReport.joined([], exit: 0) }
  }

  @Test func `a complete run whose shards are not all there is not complete`() throws {
    var part = SampleRun.large(2) { _ in false }
    #expect(try RunReport.joined([part], exit: 0).isComplete)
    part.shard = .init(1, of: 2)
    #expect(try !RunReport.joined([part], exit: 0).isComplete)
  }

  @Test(
    arguments: [
      ("1/1", "1/1"), ("5/5", "5/5"), ("0/5", nil), ("6/5", nil), ("1", nil), ("1/2/3", nil), ("-1/2", nil),
      ("+1/2", nil), ("1/", nil), ("1/99999", nil), ("９/９", nil),
    ] as [(String, String?)])
  func `a shard is one of its parts`(text: String, shard: String?) {
    #expect(RunReport.Shard(text)?.text == shard)
  }
}
