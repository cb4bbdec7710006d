import FlowModel
import FlowSpec
import Testing

/// `pages: none` is no strategy through pages.
@Suite struct OnePageTests {
  @Test(arguments: [("pages: none", true), ("pages: link", false), ("", false)])
  func `one page is enough where the flow declares it`(_ pages: String, _ isMeant: Bool) throws {
    let loaded = Project(flowFile("resource: /\n\(pages)")).load()
    #expect(loaded.codes == [])
    let flow = try #require(loaded.flows.first)
    #expect(flow.pull.isOnePageMeant == isMeant)
    #expect((flow.pull.pages != nil) == (pages == "pages: link"))
  }

  @Test func `the short form is the mapping's`() throws {
    let short = try #require(Project(flowFile("resource: /\npages: link")).load().flows.first?.pull.pages)
    let long = try #require(Project(flowFile("resource: /\npages: { by: link }")).load().flows.first?.pull.pages)
    guard case .link(let one) = short.strategy, case .link(let other) = long.strategy else {
      Issue.record("\(short.strategy), \(long.strategy)")
      return
    }
    #expect(one.value == other.value)
    #expect((short.max, short.parallel) == (long.max, long.parallel))
    #expect((short.keepsPart, short.mayLackNext) == (long.keepsPart, long.mayLackNext))
  }

  @Test(arguments: [("lnk", "did you mean 'link'?"), ("non", "did you mean 'none'?"), ("page", "'pages: { by: page")])
  func `another word is an error with the allowed words`(_ word: String, _ help: String) {
    let project = Project(flowFile("resource: /\npages: \(word)"))
    #expect(project.load().codes == [FlowCode.wrongKind.rawValue])
    #expect(project.report.contains("'pages' must be 'none', 'link' or a mapping, not '\(word)'"), "\(project.report)")
    #expect(project.report.contains(help), "\(project.report)")
  }

  @Test func `templates have no page where there is one`() {
    let flow = "resource: { path: /, query: { page: \"{{ page.number }}\" } }\npages: "
    #expect(Project(flowFile(flow + "{ by: page }")).load().codes == [])
    #expect(Project(flowFile(flow + "none")).load().codes == [FlowCode.templateUnknownRoot.rawValue])
  }

  @Test func `one request may have a key`() {
    let flow = "resource: { method: POST, path: /, idempotency: Key }\npages: "
    #expect(Project(flowFile(flow + "link")).load().codes == [FlowCode.idempotencyKey.rawValue])
    #expect(Project(flowFile(flow + "none")).load().codes == [])
  }
}
