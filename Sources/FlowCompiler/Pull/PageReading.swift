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
}
