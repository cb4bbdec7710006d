internal import ReactorCore

/// Why a record does not fit, with what was expected as one word.
struct RecordError: Error {
  var error: MappedError
  /// As `RejectedRecord.rule`.
  var rule: String

  init(_ error: MappedError, rule: String) {
    self.error = error
    self.rule = rule
  }

  /// What is thrown where one bad record is enough.
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
