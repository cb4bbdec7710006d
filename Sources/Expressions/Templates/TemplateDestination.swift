internal import ByteCodings

/// The destination of a template's text, which determines the characters that values may contain.
public enum TemplateDestination: Sendable {
  /// A field of a record: any text.
  case record
  /// A body, where line breaks are data: any text without NUL characters.
  case body
  /// A header, a parameter or a similar text: any text without line breaks and NUL characters.
  case line
  /// The path of a URL: like `line`, but a value must not be empty.
  ///
  /// A value becomes part of one path segment, so it cannot change the rest of the path.
  case path

  private func refuses(_ byte: UInt8) -> Bool {
    switch self {
    case .record: false
    case .body: byte == 0
    case .line, .path: byte == 0x0A || byte == 0x0D || byte == 0
    }
  }

  /// The text of an expression's value, checked and encoded for this destination.
  func fitting(_ text: String, of expression: Expression) throws(ExpressionTemplateError) -> String {
    if self == .path, text.isEmpty {
      throw .misplaced("'\(expression.text)' is empty, so the URL would have a different path")
    }
    // RFC 3986, section 3.3: all characters except unreserved characters are escaped.
    let fitting = self == .path ? PercentCoding.encode(text) : text
    guard !fitting.utf8.contains(where: refuses) else {
      throw .misplaced("the value of '\(expression.text)' contains a line break or NUL, which is not allowed here")
    }
    return fitting
  }
}
