package import JSONSyntax

/// The value of a variable: a text that is valid for the variable's type.
package struct VariableValue: Sendable, Hashable {
  /// The type against which the text was checked.
  package let type: VariableType
  /// The text as written, for templates.
  package let text: String

  /// Checks a text against a type.
  ///
  /// - Throws: `ValueError` if the text is not valid for the type.
  package init(reading text: String, as type: VariableType) throws(ValueError) {
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

  /// The elements of a list: the trimmed texts between commas. An empty text has no elements.
  package var elements: [String] {
    guard text.utf8.contains(where: { !ASCII.isSpace($0) }) else { return [] }
    return text.split(separator: ",", omittingEmptySubsequences: false).map { part in
      let bytes = Array(part.utf8)
      let start = bytes.firstIndex { !ASCII.isSpace($0) } ?? bytes.endIndex
      let end = bytes.lastIndex { !ASCII.isSpace($0) }.map { $0 + 1 } ?? start
      return String(decoding: bytes[start..<max(start, end)], as: UTF8.self)
    }
  }

  /// The value in a JSON body, for a string that consists of exactly this variable.
  ///
  /// It is a number, a boolean, a string or an array.
  package var json: JSONValue {
    switch type {
    case .integer, .number: .number(JSONNumber(validated: text))
    case .boolean: .bool(text == "true")
    case .string, .date, .timestamp, .duration: .string(text)
    case .list: .array(elements.map { .string($0) })
    }
  }
}

/// The types that a variable can have.
package enum VariableType: String, Sendable, Hashable, CaseIterable {
  case string, integer, number, boolean, date, timestamp, duration, list
}
