internal import Boxes
internal import Expressions
internal import FlowModel
internal import JSONSyntax
internal import ReactorCore
internal import Records

/// Decides from each page which page is next, and refuses cycles.
///
/// A pull ends at a page if no sign says that there is more (`PageSigns`). Two cases look like an end but are errors: a
/// token or page that appears twice, and a first page without the declared location of the token.
struct PageFollower {
  @Boxed private(set) var pages: Pages
  private let recordSteps: [JSONPath.Step]?
  private var number = 1
  private var signs: PageSigns
  /// The path of the total number of records in the response; nil without one.
  private let total: JSONPath?
  /// Fingerprints of the tokens and URLs that were followed.
  private var followed: Set<Int> = []
  private var seen = SeenPages()
  /// The member names of the first response. They distinguish an empty last page from a different kind of response.
  private var firstMembers: Set<String> = []

  /// The values that expressions may use besides those of the page.
  private let scope: EvaluationScope

  /// - Parameters:
  ///   - total: the path of the total number of records in the response; nil without one
  ///   - recordSteps: the path of the records in the response; nil where it is not known
  init(_ pages: Pages, total: JSONPath?, recordSteps: [JSONPath.Step]? = nil, scope: EvaluationScope) {
    self.pages = pages
    self.total = total
    self.recordSteps = recordSteps
    self.scope = scope
    signs = PageSigns(pages, total: total, recordSteps: recordSteps)
  }

  /// The warning about a list that changed while it was read; nil without one.
  var movement: ReactorError? { signs.movement }

  /// Counts a page that was read; throws for a response that is not a page of the list.
  mutating func take(_ page: PageReading) throws(ReactorError) {
    try refuseOtherResponse(page)
    try signs.note(page, isFirst: number == 1)
  }

  /// Counts a page that was requested in parallel with other pages.
  mutating func pass(_ page: PageReading) throws(ReactorError) {
    number += 1
    try signs.note(page, isFirst: false)
  }

  /// Whether a page can be used: its records are new, it has none, or repetitions are allowed.
  ///
  /// - Returns: false for a page that repeats an earlier one and ends the pull: its records are not used
  mutating func isNew(_ page: PageReading) -> Result<Bool, ReactorError> {
    if seen.insert(page) { return .success(true) }
    switch pages.repetition {
    case .error: return .failure(Self.repetition(number))
    case .end: return .success(false)
    case .allow: return .success(true)
    }
  }

  /// The number of records with a key that an earlier record of the pull has.
  var repeatedRecords: Int { signs.repeatedRecords }

  /// Returns the step of the page after the page that was counted last; nil when there is no further page.
  mutating func following(_ page: PageReading) throws(ReactorError) -> PageStep? {
    if let stop = pages.stop, try value(of: stop.value, page) == .bool(true) { return nil }
    let declared = try signs.declared(page, number: number)
    let next: PageStep?
    if try isShort(page), declared != true {
      try refuseSmallerPages(page)
      next = nil
    } else {
      switch pages.strategy {
      case .number, .offset:
        next = try hasFurtherPage(page, declared) ? pages.step(number + 1, records: signs.records) : nil
      case .cursor, .nextURL, .link: next = try successor(page, declared)
      }
    }
    guard let next else { return nil }
    guard number < pages.max else {
      let most = pages.max == 1 ? "1 page" : "\(pages.max) pages"
      throw .server("the pull needs more than \(most), which is 'pages.max'")
    }
    number += 1
    return next
  }

  /// Returns the number of pages; nil when the first page does not contain it, or when another sign decides the end.
  func announcedPages(by first: PageReading) throws(ReactorError) -> Int? {
    let count = first.outcome.report.total
    guard pages.parallel > 1, pages.stop == nil, pages.isCounted, pages.repetition == .error else { return nil }
    let envelope = try first.envelope()
    if let path = pages.count?.value, let pages = try path.found(in: envelope).first?.int64 {
      try signs.refuseNoPages(pages, at: path, count)
      return Int(clamping: pages)
    } else if let total, let all = try total.found(in: envelope).first?.wholeNumber, count > 0 {
      return Int(clamping: all / Int64(count) + (all % Int64(count) == 0 ? 0 : 1))
    }
    return nil
  }

  /// Returns the steps of the second page and all further pages, up to page `last`.
  func rest(upTo last: Int, after first: PageReading) throws(ReactorError) -> [PageStep] {
    let count = first.outcome.report.total
    guard last > 1 else { return [] }
    guard last <= pages.max else {
      throw .server("the response announces \(last) pages, and 'pages.max' is \(pages.max)")
    }
    return (2...last).map { pages.step($0, records: ($0 - 1) * count) }
  }

  /// Sets the size of all further pages.
  mutating func setSize(_ count: Int) {
    guard let size = pages.size else { return }
    pages.size?.count = .value(Located(count, at: size.count.range))
  }

  // MARK: - Numbers and offsets

  private func isShort(_ page: PageReading) throws(ReactorError) -> Bool {
    guard pages.endsAtShort, let size = pages.size?.count.constant else { return false }
    return page.outcome.report.total < size
  }

  /// Whether another page follows a page that was requested by number or offset.
  ///
  /// - Parameter declared: whether the declared signs say that there is a further page; nil if they say nothing
  private mutating func hasFurtherPage(_ page: PageReading, _ declared: Bool?) throws(ReactorError) -> Bool {
    if page.outcome.report.total > 0 {
      if declared == false { try signs.checkTotal(at: page) }
      return declared ?? true
    }
    // An empty page is the last one, unless the response says that there are more pages.
    if let words = try furtherPagesWords(page, declared) {
      // A request for the same offset may return the missing records, but must not be repeated for ever.
      let isBounded = declared != true || !pages.advancesWithoutRecords
      guard !isBounded || signs.emptyInRow < PageSigns.maximumEmpty else {
        var error = ReactorError.server(
          "\(signs.emptyInRow) pages in a row up to page \(number) have no records, but the response \(words)")
        error.key = "pages"
        error.help = "declare what ends the pull: 'stop: \"page.records == 0\"' if it is a page without records"
        throw error
      }
      return true
    }
    try signs.checkTotal(at: page)
    return false
  }

  /// The text after "the response " that says how a page without records announces a further page; nil if it does not.
  private func furtherPagesWords(_ page: PageReading, _ declared: Bool?) throws(ReactorError) -> String? {
    if declared == true { return "says that there is another page" }
    if declared != nil { return nil }
    guard let stop = pages.stop?.value else { return try signs.recognised(page)?.words }
    // Only a condition on the response can deny the end: one on the records is meaningless for a page without records.
    guard stop.references.contains(where: { $0.root == "response" || $0.root == "headers" }) else { return nil }
    return try value(of: stop, page) == .bool(false) ? "does not satisfy the condition '\(stop.text)' of 'stop'" : nil
  }

  // MARK: - Tokens and URLs

  /// The step of the next page, which a token, a URL or a link of this page names.
  ///
  /// - Parameter declared: whether the declared signs say that there is a further page; nil if they say nothing
  private mutating func successor(_ page: PageReading, _ declared: Bool?) throws(ReactorError) -> PageStep? {
    // Some servers give a token on the final page too.
    if pages.more != nil, declared == false {
      try signs.checkTotal(at: page)
      return nil
    }
    switch pages.strategy {
    case .number, .offset: return nil
    case .cursor(let source): return try cursor(source.value, page)
    case .nextURL(let source):
      guard let link = try token(source.value, page)?.plainText else {
        return try end(page, "gives no next URL", "from")
      }
      return try step(at: NextLink.resolving(link, from: page.url), page)
    case .link(let relation):
      let target = try NextLink.target(of: relation.value, in: page.headers, from: page.url)
      guard let target else {
        try refuseToldPage(page, "no Link header with the relation '\(relation.value)'", key: "by")
        return try end(page, "has no Link header with the relation '\(relation.value)'", "by")
      }
      return try step(at: target, page)
    }
  }

  /// Ends the pull at a page that names no next page; throws if a sign says that there is one.
  private mutating func end(_ page: PageReading, _ reason: String, _ key: String) throws(ReactorError) -> PageStep? {
    try signs.checkEnd(at: page, number: number, reason, key: key)
    return nil
  }

  private mutating func cursor(
    _ source: Pages.Source, _ page: PageReading
  ) throws(ReactorError) -> PageStep? {
    guard let token = try token(source, page) else { return try end(page, "gives no token", "from") }
    guard try follow(token.plainText, "token", page) else { return nil }
    var step = PageStep(number: number + 1)
    if let size = pages.sizeChange { step.changes.append(size) }
    step.token = token
    step.offset = signs.records
    if let location = pages.location { step.changes.append(.init(location: location, value: token)) }
    return step
  }

  private mutating func step(at url: String, _ page: PageReading) throws(ReactorError) -> PageStep? {
    try follow(url, "link", page) ? PageStep(number: number + 1, target: url) : nil
  }

  /// The token of the next page; nil when the page says that it is the last one.
  private func token(_ source: Pages.Source, _ page: PageReading) throws(ReactorError) -> JSONValue? {
    let found: JSONValue?
    switch source {
    case .header(let name):
      if let token = page.headers[name], !token.isEmpty { return .string(token) }
      try refuseToldPage(page, "no header '\(name)'", key: "from")
      return nil
    case .lastRecord(let path):
      guard let record = try page.lastRecord() else { return nil }
      found = try path.found(in: record).first
      guard let found else {
        throw .parser("the last record of page \(number) contains nothing at \(path.text) ('pages.from_last')")
      }
      return found.meansNothing ? nil : found
    case .expression(let expression):
      let value = try value(of: expression, page, mustBeThere: number == 1 && page.outcome.report.total > 0)
      found = value == .null ? nil : value.json
    case .response(let path):
      found = try path.found(in: try page.envelope()).first
      if found == nil, number == 1, !pages.mayLackNext, page.outcome.envelope != nil {
        throw PageSigns.noNextPage(at: path, key: "from", in: try page.envelope())
      }
    }
    guard let found, !found.meansNothing else { return nil }
    switch found {
    case .string, .number: return found
    // Some servers expect their own objects back as tokens.
    case .object where pages.takesObjects: return found
    default: throw .parser("expected a text or a number that names the next page, found \(found.kindName)")
    }
  }

  // MARK: - Expressions

  /// Evaluates an expression with the values of a page.
  ///
  /// - Parameter mustBeThere: whether a missing member is an error, unless the flow declares `missing: end`
  private func value(
    of expression: Expression, _ page: PageReading, mustBeThere: Bool = false
  ) throws(ReactorError) -> ExpressionValue {
    var scope = scope
    scope.values["response"] = ExpressionValue(try page.envelope())
    scope.values["headers"] = .map(
      page.headers.fields.map { ExpressionMember($0.name.lowercased(), .string($0.value)) })
    scope.values["last"] = try page.lastRecord().map { ExpressionValue($0) } ?? .null
    scope.values["page"] = .map([
      ExpressionMember("number", .int(Int64(number))),
      ExpressionMember("records", .int(Int64(page.outcome.report.total))),
    ])
    do throws(EvaluationError) {
      return try expression.evaluate(in: scope, now: scope.now)
    } catch {
      if error.kind == .missing, !mustBeThere || pages.mayLackNext { return .null }
      var failure = ReactorError.parser("page \(number): '\(expression.text)': \(error.message)")
      if error.kind == .missing {
        failure.key = "pages.next"
        failure.help =
          "give the value a default, for example 'coalesce(response.next, null)', or write 'missing: end'"
      }
      throw failure
    }
  }

  // MARK: - Guards

  /// Whether to request the page that a token or a URL names; false when the pull ends instead.
  ///
  /// Some servers give one token for all pages. Such a token is followed if the flow declares what ends the pull, and
  /// as long as each page has records.
  private mutating func follow(_ token: String, _ noun: String, _ page: PageReading) throws(ReactorError) -> Bool {
    if followed.insert(token.hashValue).inserted { return true }
    switch pages.repetition {
    case .end: return false
    case .allow: return true
    case .error:
      if pages.stop != nil || pages.more != nil, page.outcome.report.total > 0 { return true }
      throw Self.cycle(
        "page \(number) gives the same \(noun) for the next page as an earlier page: the pull would never end",
        help:
          "if the server gives the same \(noun) on each page, declare what ends the pull: 'stop: \"page.records == 0\"'"
      )
    }
  }

  /// Refuses a page without records that is a different kind of response.
  ///
  /// After the final page, some servers omit the list of records. But a response with members that are not on the first
  /// page is something else, such as an error with status 200. If the pull ended there, the remaining records would be
  /// lost without an error.
  private mutating func refuseOtherResponse(_ page: PageReading) throws(ReactorError) {
    guard pages.isCounted else { return }
    if number == 1 {
      firstMembers = try page.memberNames()
    } else if let missing = page.outcome.missing, !(try page.memberNames().isSubset(of: firstMembers)) {
      throw missing.onPage(number)
    }
  }

  /// The error for a page that appears twice.
  static func repetition(_ number: Int) -> ReactorError {
    cycle("page \(number) has the same records as an earlier page: the server ignores the requested page")
  }

  private static func cycle(
    _ message: String,
    help: String =
      "nothing was stored; compare the keys of 'pages' with the server's documentation and responses ('reactor explain FLOW')"
  ) -> ReactorError {
    var error = ReactorError.server(message)
    error.key = "pages"
    error.help = help
    return error
  }

  /// Refuses a first page whose body announces another page but whose headers do not.
  ///
  /// The final page usually has no such header, so a missing header normally means the end.
  private func refuseToldPage(_ page: PageReading, _ absence: String, key: String) throws(ReactorError) {
    guard number == 1, !pages.mayLackNext, let hint = NextPageHint(in: try page.envelope()) else { return }
    var error = ReactorError.parser("the first page has \(absence), but \(hint.words)")
    error.key = "pages.\(key)"
    error.help = "\(hint.remedy); or write 'missing: end' if that does not mean another page"
    throw error
  }

  /// Refuses a short page that announces another page: the server gives smaller pages than the flow requests.
  ///
  /// After the first page, a token or a URL does not count as an announcement, because some servers give one on the
  /// final page too.
  private func refuseSmallerPages(_ page: PageReading) throws(ReactorError) {
    let count = page.outcome.report.total
    guard count > 0, page.outcome.envelope != nil, let size = pages.size?.count.constant,
      let hint = NextPageHint(in: try page.envelope(), records: recordSteps, count: signs.records),
      number == 1 || hint.kind == .more
    else { return }
    let name = number == 1 ? "the first page" : "page \(number)"
    var error = ReactorError.parser(
      "\(name) has \(count) of \(size) records, which would end the pull, but the response \(hint.words)")
    error.key = "pages.short"
    error.help =
      number == 1
      ? "the server gives smaller pages: write 'size: \(count)', or leave out 'short'"
      : "not every page of this server is full: leave out 'short'"
    throw error
  }
}

extension Pages {
  /// Whether the next request is a different one even after a page without records. True for page numbers. An offset
  /// does not advance without records, so the same request would be sent again.
  fileprivate var advancesWithoutRecords: Bool { if case .number = strategy { true } else { false } }

  /// Whether a token can be a JSON object. This works only if the token is sent in a JSON body or by a template.
  fileprivate var takesObjects: Bool {
    switch location {
    case .body, nil: true
    case .query, .header: false
    }
  }
}
