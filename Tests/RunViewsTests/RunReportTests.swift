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
    ("{\"v\":1,\"tool\":\"1\",\"complete\":true}", "'exit' of the report is missing"),
    (head + "\"flows\":7}", "'flows' of the report cannot be 7"),
    (head + "\"flows\":[1]}", "'id' of the flow is missing"),
    (head + "\"flows\":[],\"shard\":\"3/2\"}", "'shard' of the report cannot be \"3/2\""),
    (head + flow + "\"status\":\"gone\"}]}", "'status' of the flow cannot be \"gone\""),
    (head + flow + "\"status\":\"passed\",\"records\":-1}]}", "'records' of the flow cannot be -1"),
  ])
  func `what is not a report is refused with the reason`(text: String, reason: String) {
    let error = #expect(throws: ReportError.self) { try RunReport(parsing: Array(text.utf8)) }
    #expect(error?.message.hasPrefix(reason) == true, "\(error?.message ?? "")")
  }

  private static let head = "{\"v\":1,\"tool\":\"1\",\"complete\":true,\"exit\":0,\"problems\":[],"
  private static let flow = """
    "flows":[{"id":"a.b","file":"a.yaml","line":1,"source":null,"miss":null,
    """

  @Test func `a report of an older program, without members that came later, is read`() throws {
    let report = SampleRun.report()
    var text = String(decoding: report.jsonLine, as: UTF8.self)
    text.replace(/"retries":\d+,/, with: "")
    text.replace(/"rejected_path":(null|"[^"]*"),/, with: "")
    var expected = report
    for index in expected.flows.indices {
      (expected.flows[index].retries, expected.flows[index].rejectedPath) = (0, nil)
    }
    #expect(try RunReport(parsing: Array(text.utf8)) == expected)
  }

  @Test func `a run has its start in reports with times, and parts of a run have the earliest`() throws {
    let start = "2026-09-21T14:13:20Z"
    let report = SampleRun.report()
    #expect(report.startedAt == start)
    #expect(SampleRun.report(hasTiming: false).startedAt == nil)
    #expect(JUnitReport().text(report).contains(" timestamp=\"\(start)\">"))
    var later = report
    (later.flows, later.startedAt) = ([], "2026-09-21T14:13:21Z")
    #expect(try RunReport.joined([later, report], exit: 5).startedAt == start)
  }

  @Test func `parts of a run joined are the whole run`() throws {
    let whole = SampleRun.report(hasTiming: false)
    var parts = [whole, whole, whole]
    for index in parts.indices {
      parts[index].shard = .init(index + 1, of: 3)
      parts[index].flows = whole.flows.enumerated().filter { $0.offset % 3 == index }.map(\.element)
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
