internal import FlowModel
internal import JSONSyntax
internal import ReactorCore
internal import Records

extension Pull {
  /// Whether a response that announces another page is an error.
  ///
  /// It is an error when the flow takes one page and does not declare that one page is enough. A declared total
  /// replaces this check, because it is more precise. A flow that sends records has no such check, because the response
  /// only confirms the sent records.
  var judgesPages: Bool {
    plan.pages == nil && !plan.records.takesOnePage && plan.records.expectations.total == nil
      && plan.request.program?.sentRecords == nil
  }

  /// Refuses a response that announces another page. Otherwise an incomplete result would be persisted as a success.
  func refuseFurtherPages(_ page: PageReading) throws(ReactorError) {
    guard !page.isEnd, page.outcome.bytes > 0 else { return }
    let (outline, records) = (page.outcome.outline, recordSteps)
    // A response that is one record as a whole is not a page of a list.
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

  /// The path of the records in the received response. Empty when the response is itself a record or a list of records.
  var recordSteps: [JSONPath.Step]? {
    if plan.records.transform?.responseProgram != nil { return nil }
    guard let path = plan.records.path else { return [] }
    return path.singularSteps ?? path.elementSteps
  }

  private static func hasNextLink(_ page: PageReading) -> Bool {
    do throws(ReactorError) {
      return try NextLink.target(of: "next", in: page.headers, from: page.url) != nil
    } catch {
      // A link that cannot be followed still announces a page.
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
