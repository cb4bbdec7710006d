internal import JSONSyntax
internal import ReactorCore
internal import Records

/// One page as it was read: what the answer said besides its records.
struct PageReading: Sendable {
  var status: Int
  var headers: Headers
  /// The URL that answered.
  var url: String
  var outcome: RecordReader.Outcome
  var timings: FlowTimings
  /// The greatest value of the cursor's field.
  var greatest: GreatestValue?
  /// The bytes of the answer, where they are asked for.
  var answer: [UInt8]?
  /// Whether a rule says that nothing more is asked for.
  var isEnd = false

  /// The text around the records; null for an answer without content.
  func envelope() throws(ReactorError) -> JSONValue {
    guard let text = outcome.envelope else { return .null }
    do throws(JSONError) {
      return try JSONValue(parsing: text)
    } catch {
      throw .parser("the text around the records cannot be read: \(error)")
    }
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

  /// A GraphQL answer says what went wrong in its body, with any status.
  func refuseGraphQLErrors() throws(ReactorError) {
    guard let errors = try envelope()["errors"]?.array, let first = errors.first else { return }
    let message = first["message"]?.string ?? String(decoding: JSONWriter.bytes(first), as: UTF8.self)
    throw ReactorError(
      .server, "the answer holds \(errors.count == 1 ? "an error" : "\(errors.count) errors"): \(message.prefix(300))",
      status: status)
  }
}
