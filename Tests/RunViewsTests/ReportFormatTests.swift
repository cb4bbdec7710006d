import JSONSyntax
import RunViews
import Testing

@Suite(.timeLimit(.minutes(1))) struct ReportFormatTests {
  static let files: [(ReportFormat, String)] = [
    (.junit, "junit.xml"), (.tap, "results.tap"), (.tap14, "results-14.tap"), (.md, "summary.md"),
    (.html, "report.html"), (.json, "report.json"),
  ]

  @Test(arguments: files)
  func `each report of a run with every kind of end is the golden one`(format: ReportFormat, file: String) throws {
    let bytes = try #require(format.bytes(SampleRun.report()))
    try Golden.check(String(decoding: bytes, as: UTF8.self), file)
  }

  @Test func `the annotations are the golden ones`() throws {
    try Golden.check(GitHubAnnotations().text(SampleRun.report()), "annotations.txt")
  }

  @Test(arguments: ReportFormat.allCases)
  func `nothing that a server says reaches a report raw`(format: ReportFormat) throws {
    guard let bytes = format.bytes(SampleRun.report()) else { return }
    let text = String(decoding: bytes, as: UTF8.self) + GitHubAnnotations().text(SampleRun.report())
    for scalar in text.unicodeScalars where scalar != "\n" {
      #expect(scalar.value >= 0x20 && !(0x7F...0x9F).contains(scalar.value), "\(scalar.value)")
      #expect(![0x202E, 0x2069, 0xFFFE, 0x200B].contains(scalar.value), "\(scalar.value)")
    }
    #expect(!text.contains(SampleRun.token))
    #expect(!text.contains("hush-hush"))
    if [.junit, .md, .html].contains(format) { #expect(!String(decoding: bytes, as: UTF8.self).contains("<script")) }
  }

  @Test(arguments: ReportFormat.allCases)
  func `no report has times when none are wanted`(format: ReportFormat) throws {
    guard let bytes = format.bytes(SampleRun.report(hasTiming: false)) else { return }
    let text = String(decoding: bytes, as: UTF8.self)
    #expect(!text.contains("_ms"))
    #expect(!text.contains("0.139"))
    #expect(!text.contains("0.160"))
  }

  @Test func `a long message is cut at 500 characters in every report`() throws {
    let report = SampleRun.large(2)
    let message = try #require(report.flows.first?.failure?.message)
    #expect(message.unicodeScalars.count == 503)
    #expect(message.hasSuffix("..."))
  }

  @Test func `the step summary stays below its limit and counts what it leaves out`() throws {
    let report = SampleRun.large(10_000)
    let text = MarkdownReport().text(report)
    #expect(text.utf8.count <= 1 << 20)
    #expect(text.utf8.count > 1_000_000)
    #expect(text.contains("more are left out here.\n"))
    #expect(text.contains("more flows are left out here.\n"))
    #expect(text.contains("## All flows"))
    for limit in [0, 10, 200, 300, 1000, 5000] {
      #expect(MarkdownReport(limit: limit).text(report).utf8.count <= limit)
    }
  }

  @Test(arguments: [(0, 0, false), (9, 9, false), (10, 10, true), (500, 10, true)])
  func `at most nine annotations name a flow`(failing: Int, lines: Int, counts: Bool) throws {
    let text = GitHubAnnotations().text(SampleRun.large(600) { $0 < failing })
    let commands = text.split(separator: "\n")
    #expect(commands.count == lines)
    #expect(commands.allSatisfy { $0.hasPrefix("::error ") })
    #expect(text.contains("and \(failing - 9) more") == counts)
    // A line of the old form counts wherever it stands in a line.
    #expect(!text.contains("##["))
  }

  @Test func `a run of 1,000 flows makes a page that a browser can take`() throws {
    let text = HTMLReport().text(SampleRun.large(1000))
    #expect(text.utf8.count < 3 << 20)
    #expect(!text.contains("<script") && !text.contains("http-equiv=\"refresh\"") && !text.contains("src="))
  }
}
