internal import Boxes
internal import JSONSyntax
internal import ReactorCore
internal import Records

/// What is known about one page that was read, except its records.
struct PageReading: Sendable {
  let status: Int
  let headers: Headers
  /// The URL of the response, after redirects.
  let url: String
  let outcome: RecordReader.Outcome
  let timings: FlowTimings
  /// The greatest value of the cursor's field among the records of the page.
  @BoxedIfPresent private(set) var greatest: GreatestValue?
  /// The keys of a parent's records; nil without parents or a key.
  let parentKeys: ParentKeys?
  /// The token that the next run sends first; nil on a page that has none.
  var token: String?
  /// The keys of the records if repeated keys are counted; else nil.
  let keys: PageKeys?
  /// Identities of the records that earlier runs rejected and that this page delivers.
  ///
  /// This page contains such a record as a valid record, or says that the record was deleted.
  let delivered: Set<UInt64>
  /// The bytes of the response, if the pull keeps them in memory; else nil.
  let responseBytes: [UInt8]?
  /// Whether an error rule ends all further requests.
  let isEnd: Bool
  /// Whether an error rule says that the server gives no more records of the requested range.
  let isCapped: Bool
  /// Whether an error rule says that the page is too large.
  let isTooLarge: Bool

  /// Creates the reading of a response with records.
  ///
  /// - Parameter parse: how long the parsing took
  init(
    _ response: Response, _ outcome: RecordReader.Outcome, _ records: ResponseRecords, responseBytes: [UInt8]?,
    parse: Duration
  ) {
    status = response.status
    headers = response.headers
    url = response.url
    self.outcome = outcome
    var timings = response.timings
    timings.parse = parse
    self.timings = timings
    _greatest = BoxedIfPresent(wrappedValue: records.greatest)
    keys = records.keys?.keys
    parentKeys = records.parentKeys?.read
    delivered = records.delivered
    self.responseBytes = responseBytes
    isEnd = false
    isCapped = false
    isTooLarge = false
  }

  /// Creates the reading of a response without records, whose body was not read.
  init(withoutRecords response: Response) {
    status = response.status
    headers = response.headers
    url = response.url
    outcome = RecordReader.Outcome(report: PruneReport(), envelope: nil, bytes: 0)
    timings = response.timings
    _greatest = BoxedIfPresent(wrappedValue: nil)
    keys = nil
    parentKeys = nil
    delivered = []
    responseBytes = nil
    isEnd = response.meaning == .noRecordsAndEnd
    isCapped = response.meaning == .noRecordsAndCap
    isTooLarge = response.meaning == .noRecordsAndShrink
  }

  /// The token of the page; nil if it has none.
  ///
  /// - Throws: `.parser` for a value that is neither a text nor an integer.
  func token(at path: JSONPath) throws(ReactorError) -> String? {
    switch try path.found(in: try envelope()).first {
    case nil, .null?, .string("")?: return nil
    case .string(let text)?: return text
    case .number(let number)? where number.int64 != nil: return number.text
    case let found?:
      var error = ReactorError.parser("expected a text as the token at \(path.text), found \(found.kindName)")
      error.key = "cursor.token"
      throw error
    }
  }

  /// The response as JSON without its records; null for a response without content.
  func envelope() throws(ReactorError) -> JSONValue {
    guard let text = outcome.envelope else { return .null }
    do throws(JSONError) {
      return try JSONValue(parsing: text)
    } catch {
      throw .parser("the part of the response around its records cannot be parsed: \(error)")
    }
  }

  /// The member names of the response's top-level object; empty when the response is not an object.
  func memberNames() throws(ReactorError) -> Set<String> {
    guard case .object(let object) = try envelope() else { return [] }
    return Set(object.members.map(\.name))
  }

  /// The last record as received, before mapping; nil without records.
  func lastRecord() throws(ReactorError) -> JSONValue? {
    guard let text = outcome.tail?.lastRecord else { return nil }
    do throws(JSONError) {
      return try JSONValue(parsing: text)
    } catch {
      throw .parser("the last record of the page cannot be parsed: \(error)")
    }
  }

  /// Throws when a response without records reports an error besides its empty list or instead of it.
  ///
  /// Many servers answer a failure with status 200. Without this check, its empty list would count as the last page, or
  /// as a result without records.
  func refuseReportedError() throws(ReactorError) {
    guard outcome.report.total == 0 else { return }
    let content = if let outline = outcome.outline { outline } else { try envelope() }
    guard let reported = ReportedError(in: content) else { return }
    let text = reported.text.map { ": \($0)" } ?? ""
    var error = ReactorError(
      .server, "the response has no records and reports an error at \(reported.location)\(text)", status: status)
    error.key = "errors"
    error.help =
      "if such responses are to be expected, declare what they mean: 'errors: [{ when: …, do: retry }]', or 'do: skip' for no records"
    throw error
  }

  /// Throws when a GraphQL response contains errors. GraphQL reports errors in the body, with any status.
  func refuseGraphQLErrors() throws(ReactorError) {
    try envelope().refuseGraphQLErrors(status: status)
  }
}

extension JSONValue {
  /// Throws when the value is a GraphQL response with errors.
  func refuseGraphQLErrors(status: Int) throws(ReactorError) {
    guard let errors = self["errors"]?.array, let first = errors.first else { return }
    let message = first["message"]?.string ?? String(decoding: JSONWriter.bytes(first), as: UTF8.self)
    throw ReactorError(
      .server,
      "the response contains \(errors.count == 1 ? "an error" : "\(errors.count) errors"): \(message.prefix(300))",
      status: status)
  }
}
