internal import JSONSyntax
internal import TimeSyntax

extension Meter {
  /// Times in UTC: seconds since 1970, or jq's "broken down time".
  ///
  /// A broken down time has the year, the month from 0, the day, hours, minutes, seconds, the day of the week from
  /// Sunday and the day of the year from 0.
  mutating func date(
    _ name: Native.Name, _ input: JSONValue, _ arguments: [JSONValue]
  ) throws(EvaluationError) -> JSONValue {
    switch name {
    case .gmtime:
      return try BrokenDownTime(seconds: seconds(input)).parts
    case .mktime:
      guard let time = BrokenDownTime(parts: input) else { throw .message("mktime requires array of 6 numbers") }
      return .number(JSONNumber(time.seconds))
    case .strftime:
      guard case .string(let format) = arguments[0] else { throw .message("strftime/1 requires a string format") }
      let time: BrokenDownTime
      if case .number = input {
        time = BrokenDownTime(seconds: try seconds(input))
      } else if let parts = BrokenDownTime(parts: input) {
        time = parts
      } else {
        throw .message("strftime/1 requires parsed datetime inputs")
      }
      return .string(try time.text(format, meter: &self))
    default:
      guard case .string(let text) = input, case .string(let format) = arguments[0] else {
        throw .message("strptime/1 requires string inputs and arguments")
      }
      try step((text.utf8.count + format.utf8.count) / 16)
      guard let pattern = StrptimePattern(writing: format) else {
        throw .message("strptime/1: '\(format.prefix(60))' has a conversion that is not supported")
      }
      guard let time = BrokenDownTime(text, pattern) else {
        throw .message("date \"\(text.prefix(60))\" does not match format \"\(format.prefix(60))\"")
      }
      return time.parts
    }
  }

  private func seconds(_ input: JSONValue) throws(EvaluationError) -> Double {
    guard case .number(let number) = input else { throw .message("gmtime() requires a number") }
    let value = number.value
    // The years -9999 to 9999.
    guard abs(value) < 2.5e11 else { throw .message("a time of \(number.text.prefix(40)) seconds is out of range") }
    return value
  }
}
