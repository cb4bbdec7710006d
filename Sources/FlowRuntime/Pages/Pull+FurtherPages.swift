internal import JSONSyntax
internal import ReactorCore
internal import Records

extension Pull {
  /// Whether a response that says that there is another page is an error: the flow takes one page and nothing says that
  /// one page is enough. A declared total says more precisely whether all records came; what is sent is confirmed, not
  /// pulled.
  var judgesPages: Bool {
    plan.pages == nil && !plan.records.takesOnePage && plan.records.expectations.total == nil
      && plan.request.program?.sentRecords == nil
  }

  /// Refuses a response that says that there is another page: the first records would be persisted with success.
  func refuseFurtherPages(_ page: PageReading) throws(ReactorError) {
    guard !page.isEnd, page.outcome.bytes > 0 else { return }
    let (outline, records) = (page.outcome.outline, recordSteps)
    // An object that is a record as a whole is no page of a list.
    if outline != nil, records?.isEmpty == true { return }
    if Self.hasNextLink(page) {
      throw Self.furtherPages("says in its Link header that there is another page", "write 'pages: link'")
    }
    let count = page.outcome.report.total
    let hint =
      outline.flatMap { NextPageHint(in: $0, records: records, count: count) }
      ?? NextPageHint(in: page.headers, count: count)
    if let hint { throw Self.furtherPages(hint.words, hint.remedy) }
  }

  /// Where the records are in the response as it came; without steps it is a record itself, or a list of them.
  private var recordSteps: [JSONPath.Step]? {
    if plan.records.transform?.responseProgram != nil { return nil }
    guard let path = plan.records.path else { return [] }
    return path.singularSteps ?? path.elementSteps
  }

  private static func hasNextLink(_ page: PageReading) -> Bool {
    do throws(ReactorError) {
      return try NextLink.target(of: "next", in: page.headers, from: page.url) != nil
    } catch {
      // One that cannot be followed announces a page too.
      return true
    }
  }

  private static func furtherPages(_ words: String, _ remedy: String) -> ReactorError {
    var error = ReactorError.parser("the response \(words), but the flow takes one page")
    error.key = "pages"
    error.help = "\(remedy); or 'pages: none' if one page is enough"
    return error
  }
}
