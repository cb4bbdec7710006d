internal import Boxes
internal import Expressions
internal import FlowModel
internal import JSONSyntax
internal import ReactorCore
internal import Records

/// Collects what the pages of a pull say about further pages.
///
/// Signs are declared (`more`, `count`, `expect.total`) or recognised by their usual names, as in a flow without
/// `pages`. If the flow declares a sign of one kind, recognised signs of the same kind do not count. If the flow
/// declares `stop`, only that condition decides, and no sign is recognised. A pull ends only at a page for which no
/// sign says that there is more.
struct PageSigns {
  @Boxed private var pages: Pages
  /// The path of the total number of records in the response; nil without one.
  private let total: JSONPath?
  /// The path of the records in the response; nil when it is unknown, or when the records are not elements of the
  /// received response.
  private let recordSteps: [JSONPath.Step]?
  /// The number of records so far, including rejected ones and those that `where` leaves out.
  private(set) var records = 0
  /// The number of consecutive pages without records, up to the present page.
  private(set) var emptyInRow = 0
  /// Counts the records with a key that an earlier record has.
  private var repeated = RepeatedKeys()
  /// The first and the latest total that the pages contain, and the location of the totals in them.
  private var totals: (location: String, first: Int64, last: Int64)?

  /// The maximum number of consecutive pages without records, if only recognised signs say that there is more.
  static let maximumEmpty = 10

  init(_ pages: Pages, total: JSONPath?, recordSteps: [JSONPath.Step]?) {
    self.pages = pages
    self.total = total
    self.recordSteps = recordSteps
  }

  /// Whether undeclared signs count too: members with usual names, from which the program recognises further pages.
  private var recognises: Bool { pages.stop == nil && !pages.mayLackNext }

  /// Counts a page and its total.
  mutating func note(_ page: PageReading, isFirst: Bool) throws(ReactorError) {
    let count = page.outcome.report.total
    records += count
    if let keys = page.keys { repeated.add(keys) }
    emptyInRow = count == 0 ? emptyInRow + 1 : 0
    // On a page after the final one, a total may be 0. A total is searched for only if the first page has one.
    guard count > 0, isFirst || totals != nil || total != nil else { return }
    try take(total(of: page))
  }

  private mutating func take(_ found: (location: String, number: Int64)?) {
    guard let found else { return }
    totals = (found.location, totals?.first ?? found.number, found.number)
  }

  /// The total number of records that a page contains, at a declared or a recognised location.
  private func total(of page: PageReading) throws(ReactorError) -> (location: String, number: Int64)? {
    if let total {
      return try total.found(in: try page.envelope()).first?.wholeNumber.map { (total.text, $0) }
    }
    guard recognises, recordSteps != nil else { return nil }
    return NextPageHint.total(in: try page.envelope(), page.headers, records: recordSteps)
  }

  // MARK: - Declared signs

  /// Whether a declared sign says that there is more, or that there is not; nil if none says either.
  func declared(_ page: PageReading, number: Int) throws(ReactorError) -> Bool? {
    var isDeclared = false
    if pages.more != nil {
      if try more(page, number: number) { return true }
      isDeclared = true
    }
    if let pages = try count(page, number: number) {
      if Int64(number) < pages { return true }
      isDeclared = true
    }
    if let total, let all = try total.found(in: try page.envelope()).first?.wholeNumber, page.outcome.report.total > 0 {
      if Int64(records) < all { return true }
      isDeclared = true
    }
    return isDeclared ? false : nil
  }

  /// Whether `more` says that there is a further page.
  ///
  /// If the first page has records but no value at the path of `more`, the path is probably misspelt: an error.
  func more(_ page: PageReading, number: Int) throws(ReactorError) -> Bool {
    guard let path = pages.more?.value else { return false }
    let envelope = try page.envelope()
    if let found = try path.found(in: envelope).first { return !found.meansNothing }
    guard number == 1, !pages.mayLackNext, page.outcome.report.total > 0 else { return false }
    throw Self.noNextPage(at: path, key: "more", in: envelope)
  }

  /// The number of pages at the path of `count`; nil without one.
  private func count(_ page: PageReading, number: Int) throws(ReactorError) -> Int64? {
    guard let path = pages.count?.value else { return nil }
    let found = try path.found(in: try page.envelope()).first
    if found == nil, page.outcome.report.total == 0 { return nil }
    guard let all = found?.wholeNumber else {
      var error = ReactorError.parser("the response has no number of pages at \(path.text)")
      error.key = "pages.count"
      throw error
    }
    if number == 1 { try refuseNoPages(all, at: path, page.outcome.report.total) }
    return all
  }

  /// Refuses a page count below 1 on a first page with records.
  ///
  /// Such a number is not a page count, and it would end the pull.
  func refuseNoPages(_ pages: Int64, at path: JSONPath, _ count: Int) throws(ReactorError) {
    guard pages < 1, count > 0 else { return }
    var error = ReactorError.parser(
      "the response says \(pages) pages at \(path.text), but its first page contains records")
    error.key = "pages.count"
    throw error
  }

  // MARK: - Recognised signs

  /// What members with usual names say about a further page; nil when the page has no such member, or when a
  /// declaration of the flow decides.
  func recognised(_ page: PageReading) throws(ReactorError) -> NextPageHint? {
    guard recognises, pages.more == nil else { return nil }
    // A total of all records does not announce a page, because the final page has it too. It is compared separately.
    let hint =
      NextPageHint(in: try page.envelope(), records: recordSteps, count: records)
      ?? NextPageHint(in: page.headers, count: records)
    switch hint?.kind {
    case .total, nil: return nil
    case .pages where pages.count != nil: return nil
    default: return hint
    }
  }

  /// Throws if the pull ends at a page although a sign says that there is more, and no further request is possible.
  ///
  /// - Parameters:
  ///   - reason: what ends the pull, as the end of "page 3 …"
  ///   - key: the key of `pages` by which it ends
  mutating func checkEnd(at page: PageReading, number: Int, _ reason: String, key: String) throws(ReactorError) {
    if try more(page, number: number) {
      throw Self.contradiction(
        "page \(number) \(reason), but says at \(pages.more?.value.text ?? "") that there is another page", key: key)
    }
    if let hint = try recognised(page) {
      throw Self.contradiction("page \(number) \(reason), but \(hint.words)", key: key)
    }
    try checkTotal(at: page)
  }

  /// Throws if the pull ends before the recognised total number of records. A declared total is checked by
  /// `expect.total`.
  mutating func checkTotal(at page: PageReading) throws(ReactorError) {
    guard total == nil, recognises, recordSteps != nil else { return }
    if page.outcome.report.total > 0 { take(try total(of: page)) }
    guard let totals, totals.last > Int64(records) else { return }
    throw Self.contradiction(
      "the pages say \(totals.last) records \(totals.location.hasPrefix("header") ? "in" : "at") \(totals.location), but contain \(records)",
      key: "by",
      help: "compare 'pages' with the server's documentation; if the number counts something else, declare 'stop'")
  }

  private static func contradiction(
    _ message: String, key: String,
    help: String =
      "the result would be incomplete; declare what ends the pull with 'more' or 'stop' if the page is the last one"
  ) -> ReactorError {
    var error = ReactorError.parser(message)
    error.key = "pages.\(key)"
    error.help = help
    return error
  }

  // MARK: - Lists that move

  /// The number of records with a key that an earlier record of the pull has.
  var repeatedRecords: Int { repeated.count }

  /// The warning about a list that changed while numbered pages were read; nil otherwise.
  var movement: ReactorError? {
    guard pages.isCounted else { return nil }
    var signs: [String] = []
    if let totals, totals.first != totals.last {
      signs.append("the total at \(totals.location) changed from \(totals.first) to \(totals.last)")
    }
    if repeated.count > 0 {
      signs.append(repeated.count == 1 ? "1 key came twice" : "\(repeated.count) keys came twice")
    }
    guard !signs.isEmpty else { return nil }
    var error = ReactorError.parser(
      "\(signs.joined(separator: ", and ")) while the pages were read: records may be missing")
    error.key = "pages.by"
    error.help = Self.remedyOfMovement
    return error
  }

  /// What to do about a list that changes while it is read by numbers or offsets.
  static let remedyOfMovement =
    "request ranges that do not change, with 'cursor' and its 'cap', or pages by a token ('by: cursor'); the next run reads the whole list again"

  static func noNextPage(at path: JSONPath, key: String, in envelope: JSONValue) -> ReactorError {
    var error = ReactorError.parser("the first page contains nothing at \(path.text) ('pages.\(key)')")
    error.key = "pages.\(key)"
    // If the response announces another page, records would be lost if the pull ended at this page.
    let hint = NextPageHint(in: envelope)
    let leftOut = hint == nil ? "write 'missing: end' if the server leaves it out on its last page" : nil
    let missing = path.singularSteps.map { MissingPath($0, in: envelope) }
    if let missing { error.message += "; \(missing.words)" }
    if let suggestion = missing?.suggestion {
      error.help = "did you mean '\(suggestion)'?" + (leftOut.map { " Otherwise \($0)" } ?? "")
    } else if let hint {
      error.message += "; the response \(hint.words)"
      error.help = hint.remedy
    } else {
      error.help = leftOut
    }
    return error
  }
}

extension JSONValue {
  /// The value as an integer; also reads an integer in a string.
  var wholeNumber: Int64? { int64 ?? string.flatMap { Int64($0) } }
}
