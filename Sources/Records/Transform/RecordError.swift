internal import ReactorCore

/// The reason why a record does not match, with the violated rule as one word.
struct RecordError: Error {
  var error: MappedError
  /// The violated rule, as in `RejectedRecord.rule`.
  var rule: String

  init(_ error: MappedError, rule: String) {
    self.error = error
    self.rule = rule
  }

  /// The error to throw where one invalid record ends the reading.
  func failure(at index: Int) -> ReactorError {
    var failure = ReactorError(.parser, error.message, recordIndex: index, pointer: error.pointer)
    failure.help = error.help
    failure.key = "schema"
    return failure
  }

  init(_ message: String, pointer: String = "", rule: String) {
    self.init(MappedError(message, pointer: pointer), rule: rule)
  }
}
