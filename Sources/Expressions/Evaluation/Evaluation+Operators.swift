internal import JSONSyntax

extension Evaluation {
  mutating func unary(
    _ sign: UnaryOperator, _ value: ExpressionValue, _ range: Range<Int>
  ) throws(EvaluationError) -> ExpressionValue {
    switch (sign, value) {
    case (.not, .bool(let value)):
      return .bool(!value)
    case (.minus, .duration(let duration)):
      return try Self.length(-DurationValue.nanoseconds(duration))
    case (.minus, _):
      switch value.numeric {
      case .int(let number)?:
        let (result, overflow) = Int64(0).subtractingReportingOverflow(number)
        guard !overflow else { throw EvaluationError(.overflow, "the result is beyond 64 bits", at: range) }
        return .int(result)
      case .double(let number)?: return .double(-number)
      case nil: break
      }
    default: break
    }
    throw EvaluationError(.wrongType, "'\(sign.rawValue)' cannot be applied to a \(value.typeName)", at: range)
  }

  mutating func binary(
    _ sign: BinaryOperator, _ left: Step, _ right: Step, _ range: Range<Int>
  ) throws(EvaluationError) -> ExpressionValue {
    do throws(EvaluationError) {
      switch sign {
      case .equal, .unequal:
        // Compared with the literal `null`, a lookup without a value is null, so that `x == null` can test for a
        // missing value. In other comparisons a missing value is an error, because a misspelt name would make the
        // comparison false forever.
        let asks = left.isNull || right.isNull
        let one = asks ? try found(left) ?? .null : try value(left)
        let other = asks ? try found(right) ?? .null : try value(right)
        return .bool(try isEqual(one, other) == (sign == .equal))
      case .less, .lessOrEqual, .greater, .greaterOrEqual:
        let order = try compare(try value(left), try value(right))
        switch sign {
        case .less: return .bool(order < 0)
        case .lessOrEqual: return .bool(order <= 0)
        case .greater: return .bool(order > 0)
        default: return .bool(order >= 0)
        }
      case .isIn:
        return .bool(try contains(try value(right), try value(left)))
      default:
        return try arithmetic(sign, try value(left), try value(right))
      }
    } catch {
      throw error.at(range)
    }
  }

  // MARK: - Equality and order

  mutating func isEqual(_ left: ExpressionValue, _ right: ExpressionValue) throws(EvaluationError) -> Bool {
    try spend(steps: 1)
    switch (left, right) {
    case (.string(let one), .string(let other)):
      try spend(steps: min(one.utf8.count, other.utf8.count) / 64)
      return one.hasSameScalars(as: other)
    case (.bool(let one), .bool(let other)): return one == other
    case (.timestamp(let one), .timestamp(let other)): return one == other
    case (.duration(let one), .duration(let other)): return one == other
    default: break
    }
    if left.isNumber, right.isNumber { return try compare(left, right) == 0 }
    if left.isList, right.isList {
      guard left.count == right.count else { return false }
      for position in 0..<left.count {
        guard let one = left.element(position), let other = right.element(position), try isEqual(one, other) else {
          return false
        }
      }
      return true
    }
    if left.isMap, right.isMap {
      guard left.count == right.count, let members = left.members else { return false }
      for member in members {
        try spend(steps: left.count / 8)
        guard let other = right.member(member.name), try isEqual(member.value, other) else { return false }
      }
      return true
    }
    return left.isNull && right.isNull
  }

  /// -1, 0 or 1. Numbers are compared by exact value, texts by Unicode scalars, times chronologically.
  mutating func compare(_ left: ExpressionValue, _ right: ExpressionValue) throws(EvaluationError) -> Int {
    switch (left, right) {
    case (.int(let one), .int(let other)):
      return one < other ? -1 : one > other ? 1 : 0
    case (.string(let one), .string(let other)):
      try spend(steps: min(one.utf8.count, other.utf8.count) / 64)
      return one.hasSameScalars(as: other) ? 0 : one.precedesByScalars(other) ? -1 : 1
    case (.timestamp(let one), .timestamp(let other)):
      return one < other ? -1 : one > other ? 1 : 0
    case (.duration(let one), .duration(let other)):
      return one < other ? -1 : one > other ? 1 : 0
    default:
      guard let one = left.numberToken, let other = right.numberToken else {
        throw EvaluationError(.wrongType, "a \(left.typeName) cannot be compared with a \(right.typeName)")
      }
      try spend(steps: (one.text.utf8.count + other.text.utf8.count) / 64)
      return one.compare(other)
    }
  }

  mutating func contains(
    _ collection: ExpressionValue, _ value: ExpressionValue
  ) throws(EvaluationError) -> Bool {
    if collection.isList {
      for position in 0..<collection.count {
        if let element = collection.element(position), try isEqual(element, value) { return true }
      }
      return false
    }
    guard collection.isMap else {
      throw EvaluationError(.wrongType, "'in' looks into a list or a map, not a \(collection.typeName)")
    }
    guard case .string(let name) = value else {
      throw EvaluationError(.wrongType, "a key of a map is a string, not a \(value.typeName)")
    }
    try spend(steps: collection.count / 8)
    return collection.member(name) != nil
  }

  // MARK: - Arithmetic

  mutating func arithmetic(
    _ sign: BinaryOperator, _ left: ExpressionValue, _ right: ExpressionValue
  ) throws(EvaluationError) -> ExpressionValue {
    if left.isNumber, right.isNumber {
      let isWritten = left.isWrittenNumber || right.isWrittenNumber
      return try number(sign, left.numeric, right.numeric, isWritten: isWritten)
    }
    switch (sign, left, right) {
    case (.plus, .string(let one), .string(let other)):
      try spend(steps: (one.utf8.count + other.utf8.count) / 64)
      try spend(bytes: one.utf8.count + other.utf8.count)
      return .string(one + other)
    case (.plus, .timestamp(let instant), .duration(let duration)),
      (.plus, .duration(let duration), .timestamp(let instant)):
      return try Self.instant(instant.moved(by: duration))
    case (.minus, .timestamp(let instant), .duration(let duration)):
      return try Self.instant(instant.moved(backBy: duration))
    case (.minus, .timestamp(let one), .timestamp(let other)):
      return .duration(one.since(other))
    case (.plus, .duration(let one), .duration(let other)):
      return try Self.length(DurationValue.nanoseconds(one) + DurationValue.nanoseconds(other))
    case (.minus, .duration(let one), .duration(let other)):
      return try Self.length(DurationValue.nanoseconds(one) - DurationValue.nanoseconds(other))
    case (.times, .duration(let duration), _), (.times, _, .duration(let duration)):
      guard case .int(let times)? = (left.numeric ?? right.numeric) else { break }
      let (result, overflow) = DurationValue.nanoseconds(duration).multipliedReportingOverflow(by: Int128(times))
      return try Self.length(overflow ? Int128.max : result)
    default:
      if sign == .plus, left.isList, right.isList, let one = left.elements, let other = right.elements {
        var sum: [ExpressionValue] = []
        for element in one + other { sum.append(try counted(element, 0..<0)) }
        return .list(sum)
      }
    }
    throw EvaluationError(
      .wrongType, "'\(sign.rawValue)' cannot be applied to a \(left.typeName) and a \(right.typeName)")
  }

  private func number(
    _ sign: BinaryOperator, _ left: Numeric?, _ right: Numeric?, isWritten: Bool
  ) throws(EvaluationError) -> ExpressionValue {
    guard let left, let right else { throw EvaluationError(.overflow, "a number is beyond the range of a double") }
    if case .int(let one) = left, case .int(let other) = right {
      if sign == .divide, isWritten, other != 0, other != -1, one % other != 0 {
        return .double(try Self.exact(one) / (try Self.exact(other)))
      }
      return try Self.integer(sign, one, other)
    }
    guard sign != .remainder else { throw EvaluationError(.wrongType, "'%' takes two ints") }
    let one = try Self.exact(left)
    let other = try Self.exact(right)
    if sign == .divide, other == 0 { throw EvaluationError(.divisionByZero, "the division is by zero") }
    let result =
      switch sign {
      case .plus: one + other
      case .minus: one - other
      case .times: one * other
      default: one / other
      }
    guard result.isFinite else { throw EvaluationError(.overflow, "the result is beyond the range of a double") }
    return .double(result)
  }

  private static func integer(
    _ sign: BinaryOperator, _ one: Int64, _ other: Int64
  ) throws(EvaluationError) -> ExpressionValue {
    if other == 0, sign == .divide || sign == .remainder {
      throw EvaluationError(.divisionByZero, "the division is by zero")
    }
    let (result, overflow) =
      switch sign {
      case .plus: one.addingReportingOverflow(other)
      case .minus: one.subtractingReportingOverflow(other)
      case .times: one.multipliedReportingOverflow(by: other)
      case .divide: one.dividedReportingOverflow(by: other)
      default: other == -1 ? (0, false) : one.remainderReportingOverflow(dividingBy: other)
      }
    guard !overflow else { throw EvaluationError(.overflow, "the result is beyond 64 bits") }
    return .int(result)
  }

  private static func exact(_ number: Numeric) throws(EvaluationError) -> Double {
    switch number {
    case .double(let value): return value
    case .int(let value): return try exact(value)
    }
  }

  /// Converts an integer to a double for an operation with a double; throws if the conversion would lose digits.
  static func exact(_ value: Int64) throws(EvaluationError) -> Double {
    guard let double = Double(exactly: value) else {
      throw EvaluationError(.conversion, "an int of more than 53 bits cannot be combined with a double")
    }
    return double
  }

  static func instant(_ instant: ExpressionTimestamp?) throws(EvaluationError) -> ExpressionValue {
    guard let instant else { throw EvaluationError(.overflow, "the result is outside the years 0 to 9999") }
    return .timestamp(instant)
  }

  static func length(_ nanoseconds: Int128) throws(EvaluationError) -> ExpressionValue {
    guard let duration = DurationValue.checked(nanoseconds: nanoseconds) else {
      throw EvaluationError(.overflow, "the result is longer than 10,000 years")
    }
    return .duration(duration)
  }
}

extension ExpressionValue {
  fileprivate var isWrittenNumber: Bool {
    if case .number = self { true } else { false }
  }
}
