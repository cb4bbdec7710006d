internal import JSONSyntax
internal import ReactorCore
internal import Records

extension Pull {
  /// Whether a response that says that there is another page is an error: the flow takes one page and nothing says that
  /// this is meant. A declared total says more precisely whether all records came; what is sent is confirmed, not
  /// pulled.
  var judgesPages: Bool {
    plan.pages == nil && !plan.records.takesOnePage && plan.records.expectations.total == nil
      && plan.request.program?.sentRecords == nil
  }

  /// Refuses a response that says that there is another page: the first records would be persisted with success.
  func refuseFurtherPages(_ answer: PageReading) throws(ReactorError) {
    guard !answer.isEnd, answer.outcome.bytes > 0 else { return }
    let (outline, records) = (answer.outcome.outline, recordSteps)
    // An object that is a record as a whole is no page of a list.
    if outline != nil, records?.isEmpty == true { return }
    if Self.hasNextLink(answer) {
      throw Self.furtherPages("says in its Link header that there is another page", "write 'pages: link'")
    }
    let count = answer.outcome.report.total
    let hint =
      outline.flatMap { NextPageHint(in: $0, records: records, count: count) }
      ?? NextPageHint(in: answer.headers, count: count)
    if let hint { throw Self.furtherPages(hint.words, hint.remedy) }
  }

  /// Where the records are in the response as it came; without steps it is a record itself, or a list of them.
  private var recordSteps: [JSONPath.Step]? {
    if plan.records.transform?.responseProgram != nil { return nil }
    guard let path = plan.records.path else { return [] }
    return path.singularSteps ?? path.elementSteps
  }

  private static func hasNextLink(_ answer: PageReading) -> Bool {
    do throws(ReactorError) {
      return try NextLink.target(of: "next", in: answer.headers, from: answer.url) != nil
    } catch {
      // One that cannot be followed tells of a page too.
      return true
    }
  }

  private static func furtherPages(_ words: String, _ remedy: String) -> ReactorError {
    var error = ReactorError.parser("the response \(words), but the flow takes one page")
    error.key = "pages"
    error.help = "\(remedy); or 'pages: none' if one page is meant"
    return error
  }
}
