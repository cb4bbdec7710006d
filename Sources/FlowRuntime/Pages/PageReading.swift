internal import JSONSyntax
internal import ReactorCore
internal import Records

/// One page as it was read: what the response said besides its records.
struct PageReading: Sendable {
  let status: Int
  let headers: Headers
  /// The URL that answered.
  let url: String
  let outcome: RecordReader.Outcome
  let timings: FlowTimings
  /// The greatest value of the cursor's field.
  let greatest: GreatestValue?
  /// Rejected records of earlier runs that came and fit, or are gone.
  let delivered: Set<UInt64>
  /// The bytes of the response, where they are asked for.
  let responseBytes: [UInt8]?
  /// Whether a rule says that nothing more is asked for.
  let isEnd: Bool

  /// A response that was read.
  ///
  /// - Parameter parse: how long that took
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
  }

  /// A response that has no records, of which nothing was read.
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
  }

  /// The text around the records; null for a response without content.
  func envelope() throws(ReactorError) -> JSONValue {
    guard let text = outcome.envelope else { return .null }
    do throws(JSONError) {
      return try JSONValue(parsing: text)
    } catch {
      throw .parser("the text around the records cannot be read: \(error)")
    }
  }

  /// The names of the response's own members; none where it is no object.
  func memberNames() throws(ReactorError) -> Set<String> {
    guard case .object(let object) = try envelope() else { return [] }
    return Set(object.members.map(\.name))
  }

  /// The last record as it came.
  func lastRecord() throws(ReactorError) -> JSONValue? {
    guard let text = outcome.tail?.lastRecord else { return nil }
    do throws(JSONError) {
      return try JSONValue(parsing: text)
    } catch {
      throw .parser("the last record cannot be read: \(error)")
    }
  }

  /// A GraphQL response says what went wrong in its body, with any status.
  func refuseGraphQLErrors() throws(ReactorError) {
    guard let errors = try envelope()["errors"]?.array, let first = errors.first else { return }
    let message = first["message"]?.string ?? String(decoding: JSONWriter.bytes(first), as: UTF8.self)
    throw ReactorError(
      .server,
      "the response holds \(errors.count == 1 ? "an error" : "\(errors.count) errors"): \(message.prefix(300))",
      status: status)
  }
}
