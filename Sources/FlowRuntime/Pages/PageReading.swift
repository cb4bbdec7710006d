internal import JSONSyntax
internal import ReactorCore
internal import Records

/// One page that was read: everything except its records.
struct PageReading: Sendable {
  let status: Int
  let headers: Headers
  /// The URL of the response, after redirects.
  let url: String
  let outcome: RecordReader.Outcome
  let timings: FlowTimings
  /// The greatest value of the cursor's field.
  let greatest: GreatestValue?
  /// Identities of rejected records of earlier runs that are delivered now.
  ///
  /// Such a record arrived as a valid record, or was deleted.
  let delivered: Set<UInt64>
  /// The bytes of the response, when the pull holds them; else nil.
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
    greatest = records.greatest
    delivered = records.delivered
    self.responseBytes = responseBytes
    isEnd = false
    isCapped = false
    isTooLarge = false
  }

  /// Creates the reading of a response without records. Its body was not read.
  init(withoutRecords response: Response) {
    status = response.status
    headers = response.headers
    url = response.url
    outcome = RecordReader.Outcome(report: PruneReport(), envelope: nil, bytes: 0)
    timings = response.timings
    greatest = nil
    delivered = []
    responseBytes = nil
    isEnd = response.meaning == .noRecordsAndEnd
    isCapped = response.meaning == .noRecordsAndCap
    isTooLarge = response.meaning == .noRecordsAndShrink
  }

  /// The JSON around the records; null for a response without content.
  func envelope() throws(ReactorError) -> JSONValue {
    guard let text = outcome.envelope else { return .null }
    do throws(JSONError) {
      return try JSONValue(parsing: text)
    } catch {
      throw .parser("the text around the records cannot be read: \(error)")
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
      throw .parser("the last record cannot be read: \(error)")
    }
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
      "the response holds \(errors.count == 1 ? "an error" : "\(errors.count) errors"): \(message.prefix(300))",
      status: status)
  }
}
