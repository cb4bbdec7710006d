internal import Expressions

/// The names that expressions about one record may use.
struct RecordScope: ExpressionScope {
  /// What does not change from record to record.
  let base: [String: ExpressionValue]
  /// The record as far as it is made.
  var record: ExpressionValue
  /// The record as it came; nil where nothing asks for it.
  var source: ExpressionValue?

  func value(of name: String) -> ExpressionValue? {
    switch name {
    case "record": record
    case "source": source
    default: base[name]
    }
  }
}
