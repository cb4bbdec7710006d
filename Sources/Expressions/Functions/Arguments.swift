internal import JSONSyntax

/// The arguments of a call; their number has been checked.
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

  subscript(_ position: Int) -> ExpressionValue { values.indices.contains(position) ? values[position] : .null }

  func wrongType(_ position: Int, _ expected: String) -> EvaluationError {
    EvaluationError(.wrongType, "\(name) takes \(expected), not a \(self[position].typeName)")
  }

  func string(_ position: Int) throws(EvaluationError) -> String {
    guard case .string(let text) = self[position] else { throw wrongType(position, "a string") }
    return text
  }

  func int(_ position: Int) throws(EvaluationError) -> Int64 {
    guard case .int(let value)? = self[position].numeric else { throw wrongType(position, "an int") }
    return value
  }

  func number(_ position: Int) throws(EvaluationError) -> Numeric {
    guard self[position].isNumber else { throw wrongType(position, "a number") }
    guard let number = self[position].numeric else {
      throw EvaluationError(.overflow, "the number is beyond the range of a double")
    }
    return number
  }

  func timestamp(_ position: Int) throws(EvaluationError) -> ExpressionTimestamp {
    guard case .timestamp(let instant) = self[position] else { throw wrongType(position, "a timestamp") }
    return instant
  }

  func unit(_ position: Int) throws(EvaluationError) -> CalendarUnit {
    guard let unit = CalendarUnit(try string(position)) else {
      throw EvaluationError(.badArgument, "the unit must be \(CalendarUnit.expected)")
    }
    return unit
  }

  func list(_ position: Int) throws(EvaluationError) -> [ExpressionValue] {
    guard let elements = self[position].elements else { throw wrongType(position, "a list") }
    return elements
  }

  /// The compiled regular expression of an argument; a match also contains the range of its first group.
  func expression(_ position: Int) throws(EvaluationError) -> IRegexp {
    if case .expression(let expression)? = prepared { return expression }
    let text = try string(position)
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
