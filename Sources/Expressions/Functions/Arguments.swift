internal import JSONSyntax

/// The arguments of a call, whose number has been checked.
struct Arguments {
  let name: String
  let values: [ExpressionValue]
  let prepared: Step.Prepared?

  init(_ name: String, _ values: [ExpressionValue], prepared: Step.Prepared? = nil) {
    self.name = name
    self.values = values
    self.prepared = prepared
  }

  var count: Int { values.count }

  subscript(_ place: Int) -> ExpressionValue { values.indices.contains(place) ? values[place] : .null }

  func wrongType(_ place: Int, _ expected: String) -> EvaluationError {
    EvaluationError(.wrongType, "\(name) takes \(expected), not a \(self[place].typeName)")
  }

  func string(_ place: Int) throws(EvaluationError) -> String {
    guard case .string(let text) = self[place] else { throw wrongType(place, "a string") }
    return text
  }

  func int(_ place: Int) throws(EvaluationError) -> Int64 {
    guard case .int(let value)? = self[place].numeric else { throw wrongType(place, "an int") }
    return value
  }

  func number(_ place: Int) throws(EvaluationError) -> Numeric {
    guard self[place].isNumber else { throw wrongType(place, "a number") }
    guard let number = self[place].numeric else {
      throw EvaluationError(.overflow, "the number is beyond the range of a double")
    }
    return number
  }

  func timestamp(_ place: Int) throws(EvaluationError) -> ExpressionTimestamp {
    guard case .timestamp(let instant) = self[place] else { throw wrongType(place, "a timestamp") }
    return instant
  }

  func unit(_ place: Int) throws(EvaluationError) -> CalendarUnit {
    guard let unit = CalendarUnit(try string(place)) else {
      throw EvaluationError(.badArgument, "a unit is \(CalendarUnit.expected)")
    }
    return unit
  }

  func list(_ place: Int) throws(EvaluationError) -> [ExpressionValue] {
    guard let elements = self[place].elements else { throw wrongType(place, "a list") }
    return elements
  }

  /// The compiled regular expression, capturing its first group.
  func expression(_ place: Int) throws(EvaluationError) -> IRegexp {
    if case .expression(let expression)? = prepared { return expression }
    let text = try string(place)
    guard text.utf8.count <= Parser.maximumLength else {
      throw EvaluationError(.badArgument, "the pattern is longer than \(Parser.maximumLength) bytes")
    }
    do throws(IRegexpError) {
      return try IRegexp(parsing: text, capturing: true)
    } catch {
      throw EvaluationError(.badArgument, error.message)
    }
  }
}
