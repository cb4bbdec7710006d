internal import Boxes
internal import Expressions
internal import FlowModel
internal import JSONSyntax
internal import ReactorCore
internal import Records

/// Decides from each page which page is next, and refuses cycles.
///
/// A pull ends when a page is empty or says that it is the last one. Two cases look like an end but are errors: a token
/// or page that appears twice, and a first page without the declared location of the token.
struct PageFollower {
  @Boxed private(set) var pages: Pages
  /// The path of the total number of records in the response; nil without one.
  private let total: JSONPath?
  /// The path of the records in the response; nil where it is not known.
  private let recordSteps: [JSONPath.Step]?
  private var number = 1
  private var records = 0
  /// Fingerprints of the tokens and URLs that were followed.
  private var followed: Set<Int> = []
  private var seen = SeenPages()
  /// The member names of the first response. They distinguish an empty last page from a different kind of response.
  private var firstMembers: Set<String> = []

  /// The values that expressions may use besides the response.
  private let scope: EvaluationScope

  init(_ pages: Pages, total: JSONPath?, recordSteps: [JSONPath.Step]? = nil, scope: EvaluationScope) {
    self.pages = pages
    self.total = total
    self.recordSteps = recordSteps
    self.scope = scope
  }

  /// Returns the page after the given page; nil at the end.
  mutating func next(after page: PageReading) throws(ReactorError) -> PageStep? {
    let count = page.outcome.report.total
    try refuseRepetition(page)
    try refuseOtherResponse(page)
    records += count
    guard try tellsMore(page) else { return nil }
    if pages.endsAtShort, let size = pages.size?.count.constant, count < size {
      try refuseSmallerPages(page, count, of: size)
      return nil
    }
    if let stop = pages.stop, try value(of: stop.value, page) == .bool(true) { return nil }
    let next: PageStep?
    switch pages.strategy {
    case .number, .offset: next = try isLast(page, count) ? nil : pages.step(number + 1, records: records)
    case .cursor(let source): next = try cursor(source.value, page)
    case .nextURL(let source): next = try step(to: token(source.value, page)?.plainText, page)
    case .link(let relation):
      let target = try NextLink.target(of: relation.value, in: page.headers, from: page.url)
      if target == nil { try refuseToldPage(page, "no Link header with the relation '\(relation.value)'", key: "by") }
      next = try step(at: target)
    }
    guard let next else { return nil }
    guard number < pages.max else {
      let most = pages.max == 1 ? "1 page" : "\(pages.max) pages"
      throw .server("the pull needs more than \(most), which is 'pages.max'")
    }
    number += 1
    return next
  }

  /// Returns the number of pages; nil when the first page does not say it, or when it does not decide.
  func announcedPages(by first: PageReading) throws(ReactorError) -> Int? {
    let count = first.outcome.report.total
    guard pages.parallel > 1, pages.stop == nil else { return nil }
    switch pages.strategy {
    case .number, .offset:
      let envelope = try first.envelope()
      if let path = pages.count?.value, let pages = path.values(in: envelope).first?.int64 {
        try refuseNoPages(pages, at: path, count)
        return Int(clamping: pages)
      } else if let total, let all = total.values(in: envelope).first?.wholeNumber, count > 0 {
        return Int(clamping: all / Int64(count) + (all % Int64(count) == 0 ? 0 : 1))
      }
      return nil
    default: return nil
    }
  }

  /// Returns the pages after the first one, up to the last one.
  func rest(upTo last: Int, after first: PageReading) throws(ReactorError) -> [PageStep] {
    let count = first.outcome.report.total
    guard last > 1 else { return [] }
    guard last <= pages.max else {
      throw .server("the response announces \(last) pages, and 'pages.max' is \(pages.max)")
    }
    return (2...last).map { pages.step($0, records: ($0 - 1) * count) }
  }

  /// Whether `more` allows a further page.
  ///
  /// If the first page has records but no value at the path of `more`, the path is probably misspelt: an error.
  private func tellsMore(_ page: PageReading) throws(ReactorError) -> Bool {
    guard let path = pages.more?.value else { return true }
    let envelope = try page.envelope()
    if let found = path.values(in: envelope).first { return !found.meansNothing }
    guard number == 1, !pages.mayLackNext, page.outcome.report.total > 0 else { return false }
    throw Self.noNextPage(at: path, key: "more", in: envelope)
  }

  /// Gives all further pages another size.
  mutating func setSize(_ count: Int) {
    guard let size = pages.size else { return }
    pages.size?.count = .value(Located(count, at: size.count.range))
  }

  // MARK: - Numbers and offsets

  private func isLast(_ page: PageReading, _ count: Int) throws(ReactorError) -> Bool {
    // An empty page is the last one, unless the response has the number of pages.
    if count == 0, pages.count == nil { return true }
    // `tellsMore` has already checked `more`.
    if pages.more != nil { return count == 0 }
    guard pages.count != nil || total != nil else { return false }
    let envelope = try page.envelope()
    if let path = pages.count?.value {
      if count == 0, path.values(in: envelope).isEmpty { return true }
      guard let all = path.values(in: envelope).first?.wholeNumber else {
        var error = ReactorError.parser("the response holds no number of pages at \(path.text)")
        error.key = "pages.count"
        throw error
      }
      if number == 1 { try refuseNoPages(all, at: path, count) }
      return Int64(number) >= all
    }
    if let total, let all = total.values(in: envelope).first?.wholeNumber { return Int64(records) >= all }
    return false
  }

  /// Refuses a page count below 1 on a first page with records.
  ///
  /// Such a number is not a page count, and it would end the pull.
  private func refuseNoPages(_ pages: Int64, at path: JSONPath, _ count: Int) throws(ReactorError) {
    guard pages < 1, count > 0 else { return }
    var error = ReactorError.parser(
      "the response says \(pages) pages at \(path.text), and its first page holds records")
    error.key = "pages.count"
    throw error
  }

  // MARK: - Tokens and URLs

  private mutating func cursor(
    _ source: Pages.Source, _ page: PageReading
  ) throws(ReactorError) -> PageStep? {
    guard let token = try token(source, page) else { return nil }
    try follow(token.plainText, "token")
    var step = PageStep(number: number + 1)
    if let size = pages.sizeChange { step.changes.append(size) }
    step.token = token
    step.offset = records
    if let location = pages.location { step.changes.append(.init(location: location, value: token)) }
    return step
  }

  private mutating func step(to link: String?, _ page: PageReading) throws(ReactorError) -> PageStep? {
    guard let link else { return nil }
    return try step(at: NextLink.resolving(link, from: page.url))
  }

  private mutating func step(at url: String?) throws(ReactorError) -> PageStep? {
    guard let url else { return nil }
    try follow(url, "link")
    return PageStep(number: number + 1, target: url)
  }

  /// The token of the next page; nil when the page says that it is the last one.
  private func token(_ source: Pages.Source, _ page: PageReading) throws(ReactorError) -> JSONValue? {
    let found: JSONValue?
    switch source {
    case .header(let name):
      if let token = page.headers[name], !token.isEmpty { return .string(token) }
      try refuseToldPage(page, "no header '\(name)'", key: "from_header")
      return nil
    case .lastRecord(let path):
      guard let record = try page.lastRecord() else { return nil }
      found = path.values(in: record).first
      guard let found else {
        throw .parser("the last record of page \(number) holds nothing at \(path.text) ('pages.from_last')")
      }
      return found.meansNothing ? nil : found
    case .expression(let expression):
      let value = try value(of: expression, page, mustBeThere: number == 1 && page.outcome.report.total > 0)
      found = value == .null ? nil : value.json
    case .response(let path):
      found = path.values(in: try page.envelope()).first
      if found == nil, number == 1, !pages.mayLackNext, page.outcome.envelope != nil {
        throw Self.noNextPage(at: path, key: "from", in: try page.envelope())
      }
    }
    guard let found, !found.meansNothing else { return nil }
    switch found {
    case .string, .number: return found
    // Some servers expect their own objects back as tokens.
    case .object where pages.takesObjects: return found
    default: throw .parser("expected a text or a number as the next page, found \(found.kindName)")
    }
  }

  // MARK: - Expressions

  /// Evaluates an expression on a page.
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
          "give what may be missing a default, as in 'coalesce(response.next, null)', or write 'missing: end'"
      }
      throw failure
    }
  }

  // MARK: - Guards

  private mutating func follow(_ token: String, _ noun: String) throws(ReactorError) {
    guard followed.insert(token.hashValue).inserted else {
      throw Self.cycle(
        "page \(number) gives a \(noun) to the next page that an earlier page gave: the pull would not end")
    }
  }

  /// Refuses a page without records that is a different kind of response.
  ///
  /// After the last page some servers omit the list of records. But a response with members that are not on the first
  /// page is something else, such as an error with status 200. To end the pull there would lose the remaining records
  /// without an error.
  private mutating func refuseOtherResponse(_ page: PageReading) throws(ReactorError) {
    guard pages.isCounted else { return }
    if number == 1 {
      firstMembers = try page.memberNames()
    } else if let missing = page.outcome.missing, !(try page.memberNames().isSubset(of: firstMembers)) {
      throw missing.onPage(number)
    }
  }

  private mutating func refuseRepetition(_ page: PageReading) throws(ReactorError) {
    if !seen.insert(page) { throw Self.repetition(number) }
  }

  /// The error for a page that appears twice.
  static func repetition(_ number: Int) -> ReactorError {
    cycle("page \(number) holds the same records as a page before it: the server does not take the page asked for")
  }

  private static func cycle(_ message: String) -> ReactorError {
    var error = ReactorError.server(message)
    error.key = "pages"
    error.help =
      "nothing was stored; compare the keys of 'pages' with the server's documentation and responses ('reactor explain FLOW')"
    return error
  }

  /// Refuses a first page whose body announces another page but whose headers do not.
  ///
  /// The last page usually omits the header, so a missing header normally means the end.
  private func refuseToldPage(_ page: PageReading, _ absence: String, key: String) throws(ReactorError) {
    guard number == 1, !pages.mayLackNext, let hint = NextPageHint(in: try page.envelope()) else { return }
    var error = ReactorError.parser("the first page has \(absence), but \(hint.words)")
    error.key = "pages.\(key)"
    error.help = "\(hint.remedy); or 'missing: end' if it means something else"
    throw error
  }

  /// Refuses a short first page that announces another page: the server gives smaller pages than the flow asks for.
  private func refuseSmallerPages(_ page: PageReading, _ count: Int, of size: Int) throws(ReactorError) {
    guard number == 1, count > 0, page.outcome.envelope != nil,
      let hint = NextPageHint(in: try page.envelope(), records: recordSteps, count: count)
    else { return }
    var error = ReactorError.parser(
      "the first page has \(count) of \(size) records, which would end the pull, but the response \(hint.words)")
    error.key = "pages.short"
    error.help = "the server gives smaller pages: write 'size: \(count)', or leave out 'short'"
    throw error
  }

  private static func noNextPage(at path: JSONPath, key: String, in envelope: JSONValue) -> ReactorError {
    var error = ReactorError.parser("the first page holds nothing at \(path.text) ('pages.\(key)')")
    error.key = "pages.\(key)"
    let leftOut = "write 'missing: end' if the server leaves it out on its last page"
    error.help = leftOut
    guard let steps = path.singularSteps else { return error }
    let missing = MissingPath(steps, in: envelope)
    error.message += "; \(missing.words)"
    if let suggestion = missing.suggestion { error.help = "did you mean '\(suggestion)'? Else \(leftOut)" }
    return error
  }
}

extension Pages {
  /// Whether a token may be an object: only in a JSON body or a template.
  fileprivate var takesObjects: Bool {
    switch location {
    case .body, nil: true
    case .query, .header: false
    }
  }
}

extension JSONValue {
  /// The value as an integer; also reads an integer in a string.
  fileprivate var wholeNumber: Int64? { int64 ?? string.flatMap { Int64($0) } }
}
