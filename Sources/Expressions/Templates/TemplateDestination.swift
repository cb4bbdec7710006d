internal import ByteCodings

/// Where the text of a template goes, which decides what its values may contain.
public enum TemplateDestination: Sendable {
  /// A field of a record: any text.
  case record
  /// A body, where line breaks are data: any text without NUL.
  case body
  /// A header, a parameter or the like: any text without line breaks and NUL.
  case line
  /// A URL's path: as `line`; a value becomes part of one segment, so that it cannot lead elsewhere, and is not empty.
  case path

  private func refuses(_ byte: UInt8) -> Bool {
    switch self {
    case .record: false
    case .body: byte == 0
    case .line, .path: byte == 0x0A || byte == 0x0D || byte == 0
    }
  }

  /// The text of an expression's value in the form that this destination takes.
  func fitting(_ text: String, of expression: Expression) throws(ExpressionTemplateError) -> String {
    if self == .path, text.isEmpty {
      throw .misplaced("'\(expression.text)' is empty, and the path would be another one")
    }
    // RFC 3986, section 3.3: everything but unreserved characters is escaped.
    let fitting = self == .path ? PercentCoding.encode(text) : text
    guard !fitting.utf8.contains(where: refuses) else {
      throw .misplaced("the value of '\(expression.text)' holds a line break or NUL, which may not stand here")
    }
    return fitting
  }
}
