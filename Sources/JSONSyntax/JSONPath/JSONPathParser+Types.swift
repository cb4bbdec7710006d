extension JSONPathParser {
  /// Checks that an expression may be used as a test, by the rules of RFC 9535, section 2.4.3.
  func condition(_ expression: Expression, from start: Int) throws(JSONPathError) -> JSONPath.Condition {
    switch expression {
    case .query(let query): return .exists(query)
    case .test(let condition, _), .condition(let condition): return condition
    case .literal:
      throw error("a literal alone is not a test; compare it with something, such as @.name == …", at: start)
    case .value(_, let function):
      throw error("\(function)(…) returns a value; compare it with something, such as \(function)(…) == 1", at: start)
    }
  }

  /// Checks an expression at a position that requires a value.
  ///
  /// Such a position is a side of a comparison, or the argument of a function that takes a value.
  func operand(_ expression: Expression, from start: Int) throws(JSONPathError) -> JSONPath.Operand {
    switch expression {
    case .literal(let value): return .literal(value)
    case .value(let operand, _): return operand
    case .query(let query):
      guard let steps = query.query.singularSteps else {
        throw error(
          "this query may select several nodes; use only names and indices, or call value(…) or count(…)", at: start)
      }
      return .singular(startsAtRoot: query.startsAtRoot, steps: steps)
    case .test(_, let function):
      throw error("\(function)(…) returns true or false, which is not a value that can be compared", at: start)
    case .condition:
      throw error("a test is not a value that can be compared or passed to a function", at: start)
    }
  }

  // MARK: - Functions

  /// Parses a call; the position is on its opening parenthesis (RFC 9535, sections 2.4.4 to 2.4.8).
  mutating func call(_ name: String, at start: Int) throws(JSONPathError) -> Expression {
    let parameters: Int
    switch name {
    case "length", "count", "value": parameters = 1
    case "match", "search": parameters = 2
    default:
      throw error("there is no function '\(name)'; known are length, count, match, search and value", at: start)
    }
    try descend()
    let arguments = try arguments()
    depth -= 1
    guard arguments.count == parameters else {
      let expected = parameters == 1 ? "one argument" : "two arguments"
      throw error("\(name) takes \(expected), not \(arguments.count)", at: start)
    }
    switch name {
    case "length": return .value(.length(try operand(arguments[0].0, from: arguments[0].1)), function: name)
    case "count": return .value(.count(try nodes(arguments[0], function: name)), function: name)
    case "value": return .value(.value(try nodes(arguments[0], function: name)), function: name)
    default: return .test(.matches(try textTest(name, arguments)), function: name)
    }
  }

  private mutating func arguments() throws(JSONPathError) -> [(Expression, Int)] {
    let open = position
    position += 1
    skipSpace()
    var arguments: [(Expression, Int)] = []
    if current == UInt8(ascii: ")") {
      position += 1
      return arguments
    }
    while true {
      let start = position
      let argument = try logicalExpression()
      arguments.append((argument, start))
      skipSpace()
      switch current {
      case UInt8(ascii: ","):
        position += 1
        skipSpace()
      case UInt8(ascii: ")"):
        position += 1
        return arguments
      default:
        throw error("',' or ')' was expected, not \(found); the parenthesis was opened at offset \(open)")
      }
    }
  }

  private func nodes(_ argument: (Expression, Int), function: String) throws(JSONPathError) -> JSONPath.FilterQuery {
    guard case .query(let query) = argument.0 else {
      throw error("\(function) takes a query, such as \(function)(@.*)", at: argument.1)
    }
    return query
  }

  private mutating func textTest(
    _ name: String, _ arguments: [(Expression, Int)]
  ) throws(JSONPathError) -> JSONPath.TextTest {
    let subject = try operand(arguments[0].0, from: arguments[0].1)
    let pattern = try operand(arguments[1].0, from: arguments[1].1)
    var compiled: IRegexp?
    if case .literal(let literal) = pattern {
      do throws(IRegexpError) {
        guard case .string(let text) = literal else { throw IRegexpError("the pattern is not a text") }
        compiled = try IRegexp(parsing: text)
      } catch {
        // A pattern that is too large exceeds a limit of this implementation. With any other invalid pattern the test
        // is never true, as RFC 9535 requires.
        if error.isLimit { throw JSONPathError(error.message, at: arguments[1].1) }
        let warning = "\(name)(…) is never true: \(error.message)"
        warnings.append(JSONPathError(warning, at: arguments[1].1))
      }
    }
    return JSONPath.TextTest(
      coversWholeText: name == "match", subject: subject, pattern: pattern, compiled: compiled)
  }
}
