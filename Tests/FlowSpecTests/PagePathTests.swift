import FlowSpec
import Testing

/// Where pages look for the next one.
@Suite struct PagePathTests {
  @Test(arguments: [
    ("$.results", "from: \"$.results[-1].id\"", true), ("$.results[*]", "from: \"$.results[0].id\"", true),
    ("$.data", "from: $.data.next", true), ("$.data", "from: $.next, more: $.data.more", true),
    ("$.data.items", "from: $.data.next", false), ("$.results", "from: $.results_next", false),
    ("$", "from: $.next", false), ("$.results", "from_last: $.id", false),
  ])
  func `a path into the records is an error`(_ records: String, _ source: String, _ isWrong: Bool) {
    let project = Project(
      flowFile("resource: /\nrecords: \(records)\npages: { by: cursor, query: after, \(source), missing: end }"))
    #expect(project.load().codes == (isWrong ? [FlowCode.invalidPath.rawValue] : []), "\(project.report)")
    #expect(project.report.contains("leads into the records") == isWrong, "\(project.report)")
  }
}
