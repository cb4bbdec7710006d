internal import JSONSyntax

extension Meter {
  /// Sets `left` to the result of an operator; a list, text or object with only one owner grows in place.
  mutating func calculate(_ operation: Arithmetic, _ left: inout JSONValue, _ right: JSONValue) throws(EvaluationError)
  {
    if case .number(let one) = left, case .number(let other) = right {
      left = .number(JSONNumber(try number(operation, one, other)))
      return
    }
    switch operation {
    case .add: try add(&left, right)
    case .subtract: left = try subtracting(right, from: left)
    case .multiply: left = try multiplying(left, right)
    case .divide: left = try dividing(left, by: right)
    case .remainder:
      throw .message("\(left.shown) and \(right.shown) cannot be divided (remainder)")
    }
  }

  private func number(
    _ operation: Arithmetic, _ left: JSONNumber, _ right: JSONNumber
  ) throws(EvaluationError) -> Double {
    let (one, other) = (left.value, right.value)
    switch operation {
    case .add: return one + other
    case .subtract: return one - other
    case .multiply: return one * other
    case .divide:
      guard other != 0 else {
        throw .message(
          "\(JSONValue.number(left).shown) and \(JSONValue.number(right).shown) cannot be divided "
            + "because the divisor is zero")
      }
      return one / other
    case .remainder:
      guard !one.isNaN, !other.isNaN else { return .nan }
      let (dividend, divisor) = (Int64(clamping: one), Int64(clamping: other))
      guard divisor != 0 else {
        throw .message(
          "\(JSONValue.number(left).shown) and \(JSONValue.number(right).shown) cannot be divided (remainder) "
            + "because the divisor is zero")
      }
      return divisor == -1 ? 0 : Double(dividend % divisor)
    }
  }

  /// Adds the right value to the left value.
  ///
  /// The two operands are matched separately: a tuple of both would be a second owner of the value, so it could not
  /// grow in place.
  mutating func add(_ left: inout JSONValue, _ right: JSONValue) throws(EvaluationError) {
    if right.isNull { return }
    if left.isNull {
      left = right
    } else if case .string(let more) = right, case .string(var text) = left {
      left = .null
      try append(more, to: &text)
      left = .string(text)
    } else if case .array(let more) = right, case .array(var elements) = left {
      left = .null
      try append(more, to: &elements)
      left = .array(elements)
    } else if case .object(let more) = right, case .object(var object) = left {
      left = .null
      try append(more, to: &object)
      left = .object(object)
    } else if case .number(let other) = right, case .number(let one) = left {
      left = .number(JSONNumber(one.value + other.value))
    } else {
      throw .message("\(left.shown) and \(right.shown) cannot be added")
    }
  }

  private mutating func append(_ more: JSONObject, to object: inout JSONObject) throws(EvaluationError) {
    try build(32 * (object.members.count + more.members.count))
    try step((object.members.count + more.members.count) / 8 + more.members.count)
    if more.members.count <= 4 {
      try step(object.members.count * more.members.count / 4)
      for member in more.members { object[member.name] = member.value }
    } else {
      object = JSONObject(object.members + more.members)
    }
  }

  /// Appends to a text; counts the whole text if it was copied, otherwise only the new part.
  private mutating func append(_ more: String, to text: inout String) throws(EvaluationError) {
    try build(32 + more.utf8.count)
    try step(more.utf8.count / 256)
    let before = text.utf8.withContiguousStorageIfAvailable { $0.baseAddress }
    text += more
    let after = text.utf8.withContiguousStorageIfAvailable { $0.baseAddress }
    if before != after {
      try build(text.utf8.count)
      try step(text.utf8.count / 256)
    }
  }

  /// Appends to a list; counts the whole list if it was copied, otherwise only the new elements.
  mutating func append(_ more: [JSONValue], to elements: inout [JSONValue]) throws(EvaluationError) {
    try build(16 * more.count + 8)
    try step(more.count / 16)
    let before = elements.withUnsafeBufferPointer { $0.baseAddress }
    elements.append(contentsOf: more)
    let after = elements.withUnsafeBufferPointer { $0.baseAddress }
    if before != after {
      try build(16 * elements.count)
      try step(elements.count / 16)
    }
  }

  private mutating func subtracting(_ right: JSONValue, from left: JSONValue) throws(EvaluationError) -> JSONValue {
    guard case .array(let elements) = left, case .array(let unwanted) = right else {
      throw .message("\(left.shown) and \(right.shown) cannot be subtracted")
    }
    var kept: [JSONValue] = []
    for element in elements {
      try step()
      var isWanted = true
      for other in unwanted where order(element, other) == 0 {
        isWanted = false
        break
      }
      if isWanted { kept.append(element) }
    }
    try step()
    try build(16 * kept.count)
    return .array(kept)
  }

  private mutating func multiplying(_ left: JSONValue, _ right: JSONValue) throws(EvaluationError) -> JSONValue {
    switch (left, right) {
    case (.string(let text), .number(let count)), (.number(let count), .string(let text)):
      guard count.value > 0 else { return .null }
      let times = max(Int(clamping: count.value), 1)
      let (size, overflow) = times.multipliedReportingOverflow(by: text.utf8.count + 1)
      try build(overflow ? .max / 2 : size)
      try step(size / 64)
      return .string(String(repeating: text, count: times))
    case (.object(let one), .object(let other)):
      return .object(try merging(one, other))
    default:
      throw .message("\(left.shown) and \(right.shown) cannot be multiplied")
    }
  }

  /// Merges two objects, and also the objects under equal names; the depth limit of values bounds the recursion.
  private mutating func merging(_ left: JSONObject, _ right: JSONObject) throws(EvaluationError) -> JSONObject {
    try build(32 * (left.members.count + right.members.count))
    try step((left.members.count * right.members.count) / 4 + left.members.count + right.members.count)
    var result = left
    for member in right.members {
      if case .object(let one) = result[member.name], case .object(let other) = member.value {
        result[member.name] = .object(try merging(one, other))
      } else {
        result[member.name] = member.value
      }
    }
    return result
  }

  private mutating func dividing(_ left: JSONValue, by right: JSONValue) throws(EvaluationError) -> JSONValue {
    guard case .string(let text) = left, case .string(let separator) = right else {
      throw .message("\(left.shown) and \(right.shown) cannot be divided")
    }
    return try split(text, by: separator)
  }
}

extension FixedWidthInteger {
  /// The integer part; the nearest bound when it is out of range, 0 for NaN.
  init(clamping value: Double) {
    if let whole = Self(exactly: value.rounded(.towardZero)) {
      self = whole
    } else {
      self = value.isNaN ? 0 : value < 0 ? .min : .max
    }
  }
}
