internal import ByteCodings
internal import Expressions
internal import JSONSyntax
internal import ReactorCore
internal import Records

/// Where the text of a template goes, which decides what values may bring along.
enum TemplateDestination {
  /// A header, a parameter or the like: values with line breaks or NUL are refused.
  case line
  /// A URL's path: as `line`, and a value becomes part of one segment, so that it cannot lead elsewhere. An empty value
  /// is refused.
  case path
  /// A body, where line breaks are data: only values with NUL are refused.
  case body

  private func refuses(_ byte: UInt8) -> Bool {
    switch self {
    case .line, .path: byte == 0x0A || byte == 0x0D || byte == 0
    case .body: byte == 0
    }
  }

  /// The text of an expression's value, fit for this destination.
  fileprivate func fitting(_ text: String, of expression: Expression) throws(ReactorError) -> String {
    let fitting = self == .path ? try Self.pathPart(text, of: expression) : text
    guard !fitting.utf8.contains(where: refuses) else {
      throw .parser("the value of '\(expression.text)' holds a line break or NUL, which may not stand here")
    }
    return fitting
  }

  /// A value as part of a path segment (RFC 3986, section 3.3): everything but unreserved characters is escaped.
  private static func pathPart(_ text: String, of expression: Expression) throws(ReactorError) -> String {
    guard !text.isEmpty else { throw .parser("'\(expression.text)' is empty, and the path would be another one") }
    return PercentCoding.encode(text)
  }
}

extension RecordTemplate {
  /// The text with all expressions evaluated.
  ///
  /// - Throws: `.parser` saying which expression has no value that fits.
  func text(in scope: RunScope, for destination: TemplateDestination = .line) throws(ReactorError) -> String {
    var text = ""
    for segment in segments {
      switch segment {
      case .text(let plain): text += plain
      case .expression(let expression): text += try destination.fitting(scope.text(expression), of: expression)
      }
    }
    return text
  }

  /// The texts of a parameter that may be repeated: the elements where the template is nothing but one list, none for an
  /// empty one, else the text alone.
  func texts(in scope: RunScope) throws(ReactorError) -> [String] {
    guard segments.count == 1, case .expression(let expression) = segments[0],
      case .list(let values) = try scope.value(expression)
    else { return [try text(in: scope)] }
    var texts: [String] = []
    for value in values {
      texts.append(try TemplateDestination.line.fitting(RunScope.text(value, of: expression), of: expression))
    }
    return texts
  }

  /// The value in a JSON document: a template that is nothing but one expression keeps the type of its value.
  fileprivate func json(in scope: RunScope) throws(ReactorError) -> JSONValue {
    if segments.count == 1, case .expression(let expression) = segments[0] { return try scope.value(expression).json }
    return .string(try text(in: scope, for: .body))
  }
}

extension RecordDocument {
  /// The document with all expressions evaluated.
  func json(in scope: RunScope) throws(ReactorError) -> JSONValue {
    switch self {
    case .constant(let value): return value
    case .template(let template): return try template.json(in: scope)
    case .array(let elements):
      var values: [JSONValue] = []
      for element in elements { values.append(try element.json(in: scope)) }
      return .array(values)
    case .object(let members):
      var values: [JSONObject.Member] = []
      for member in members {
        values.append(JSONObject.Member(name: member.name, value: try member.value.json(in: scope)))
      }
      return .object(JSONObject(values))
    }
  }
}
