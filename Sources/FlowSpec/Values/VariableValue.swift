public import JSONSyntax

/// A variable's value: text that fits the variable's type.
public struct VariableValue: Sendable, Hashable {
  /// The type it was checked against.
  public let type: VariableType
  /// The text as written, for templates.
  public let text: String

  /// Checks a text against a type.
  /// - Throws: what the type expects, when the text is something else.
  public init(reading text: String, as type: VariableType) throws(ValueError) {
    switch type {
    case .string: break
    case .integer: _ = try IntegerText.value(of: text)
    case .number: try NumberText.check(text)
    case .boolean: _ = try BooleanText.value(of: text)
    case .date: try CalendarText.checkDate(text)
    case .timestamp: try CalendarText.checkTimestamp(text)
    case .duration: _ = try DurationText.seconds(in: text)
    case .list: break
    }
    self.type = type
    self.text = text
  }

  /// The elements of a list: the texts between commas, trimmed; none for an empty text.
  public var elements: [String] {
    guard text.utf8.contains(where: { !ASCII.isSpace($0) }) else { return [] }
    return text.split(separator: ",", omittingEmptySubsequences: false).map { part in
      let bytes = Array(part.utf8)
      let start = bytes.firstIndex { !ASCII.isSpace($0) } ?? bytes.endIndex
      let end = bytes.lastIndex { !ASCII.isSpace($0) }.map { $0 + 1 } ?? start
      return String(decoding: bytes[start..<max(start, end)], as: UTF8.self)
    }
  }

  /// The value in a JSON body if a string is exactly this variable: a number, a boolean, a string or an array.
  public var json: JSONValue {
    switch type {
    case .integer, .number: .number(JSONNumber(validated: text))
    case .boolean: .bool(text == "true")
    case .string, .date, .timestamp, .duration: .string(text)
    case .list: .array(elements.map { .string($0) })
    }
  }
}

/// The types a variable may have.
public enum VariableType: String, Sendable, Hashable, CaseIterable {
  case string, integer, number, boolean, date, timestamp, duration, list
}
