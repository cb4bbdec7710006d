internal import JSONSyntax

/// The longer implementations of the conversions.
enum NumberWork {
  static func int(_ arguments: Arguments) throws(EvaluationError) -> ExpressionValue {
    switch arguments[0] {
    case .int: return arguments[0]
    case .number(let number):
      guard let value = number.int64 else {
        throw EvaluationError(
          .conversion, "the number is not a 64-bit integer", value: FunctionTable.excerpt(number.text))
      }
      return .int(value)
    case .double(let value):
      guard let whole = Int64(exactly: value) else {
        throw EvaluationError(.conversion, "the number is not a 64-bit integer", value: value.description)
      }
      return .int(whole)
    case .string(let text):
      // `Int64` also accepts a plus sign, but a number of this language has no plus sign.
      guard !text.utf8.starts(with: "+".utf8), let value = Int64(text) else {
        throw EvaluationError(.conversion, "the text is not a 64-bit integer", value: FunctionTable.excerpt(text))
      }
      return .int(value)
    case .timestamp(let instant):
      return .int(instant.secondsSince1970)
    case .duration(let duration):
      return .int(duration.components.seconds)
    default:
      throw arguments.wrongType(0, "a number, string, timestamp or duration")
    }
  }

  static func float(_ arguments: Arguments) throws(EvaluationError) -> ExpressionValue {
    switch arguments[0] {
    case .double: return arguments[0]
    case .int(let value): return .double(try Evaluation.exact(value))
    case .number(let number):
      guard let value = number.double else {
        throw EvaluationError(.overflow, "the number is beyond the range of a double")
      }
      return .double(value)
    case .string(let text):
      guard text.utf8.count <= 1000, case .number(let number)? = try? JSONValue(parsing: text),
        number.text.utf8.count == text.utf8.count, let value = number.double
      else {
        throw EvaluationError(.conversion, "the text is not a number", value: FunctionTable.excerpt(text))
      }
      return .double(value)
    case .duration(let duration):
      return .double(DurationValue.seconds(duration))
    default:
      throw arguments.wrongType(0, "a number, a string or a duration")
    }
  }
}
