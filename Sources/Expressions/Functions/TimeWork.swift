/// The longer implementations of the time functions.
enum TimeWork {
  static func form(_ arguments: Arguments, isWriting: Bool = false) throws(EvaluationError) -> TimeForm {
    if case .pattern(let form)? = arguments.prepared { return form }
    let text = try arguments.string(1)
    guard text.utf8.count <= 1000, let form = isWriting ? TimeForm(writing: text) : TimeForm(text) else {
      throw EvaluationError(.badArgument, "the format must be \(TimeForm.expected)")
    }
    return form
  }

  static func instant(_ arguments: Arguments) throws(EvaluationError) -> ExpressionTimestamp {
    let text: String
    switch arguments[0] {
    case .timestamp(let instant): return instant
    case .string(let written): text = written
    case .int, .number, .double:
      guard arguments.count == 2 else {
        throw EvaluationError(.badArgument, "a number needs a format: epoch_s or epoch_ms")
      }
      text = try arguments[0].text()
    default: throw arguments.wrongType(0, "a string or a number")
    }
    let form = arguments.count == 2 ? try form(arguments) : TimeForm.iso8601
    guard text.utf8.count <= 1000, let instant = form.instant(text) else {
      throw EvaluationError(
        .conversion, "the text is not an instant in the expected format", value: FunctionTable.excerpt(text))
    }
    return instant
  }
}
