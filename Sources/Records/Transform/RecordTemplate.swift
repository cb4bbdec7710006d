public import Expressions
public import JSONSyntax

/// Text with expressions in it that is evaluated for each record; a single expression keeps its type.
public struct RecordTemplate: Sendable, Hashable {
  /// A piece of a template.
  public enum Segment: Sendable, Hashable {
    /// Text as it is.
    case text(String)
    /// An expression.
    case expression(Expression)
  }

  /// The pieces in order.
  public let segments: [Segment]

  /// A template of pieces.
  public init(_ segments: [Segment]) { self.segments = segments }

  /// The names that its expressions take from their scope.
  var references: [Expression.Reference] {
    segments.flatMap { (segment) -> [Expression.Reference] in
      if case .expression(let expression) = segment { expression.references } else { [] }
    }
  }

  /// The template as it would be written.
  public var sourceText: String {
    segments.map {
      switch $0 {
      case .text(let text): text
      case .expression(let expression): "{{ \(expression.text) }}"
      }
    }.joined()
  }

  /// The value in a scope; text unless it is one expression alone.
  func value(in scope: RecordScope, now: ExpressionTimestamp) throws(EvaluationError) -> ExpressionValue {
    if segments.count == 1, case .expression(let expression) = segments[0] {
      return try expression.evaluate(in: scope, now: now)
    }
    var text = ""
    for segment in segments {
      switch segment {
      case .text(let plain): text += plain
      case .expression(let expression): text += try expression.evaluate(in: scope, now: now).text()
      }
    }
    return .string(text)
  }
}

/// A JSON document with templates in it, evaluated for each record.
public indirect enum RecordDocument: Sendable, Hashable {
  /// A value without templates.
  case constant(JSONValue)
  /// A template.
  case template(RecordTemplate)
  /// A list.
  case array([RecordDocument])
  /// Members in order.
  case object([Member])

  /// A name and its document.
  public struct Member: Sendable, Hashable {
    /// The member's name.
    public var name: String
    /// Its value.
    public var value: RecordDocument

    /// Builds a member.
    public init(_ name: String, _ value: RecordDocument) {
      self.name = name
      self.value = value
    }
  }

  /// The names that its expressions take from their scope.
  var references: [Expression.Reference] {
    switch self {
    case .constant: []
    case .template(let template): template.references
    case .array(let elements): elements.flatMap(\.references)
    case .object(let members): members.flatMap(\.value.references)
    }
  }

  func value(in scope: RecordScope, now: ExpressionTimestamp) throws(EvaluationError) -> JSONValue {
    switch self {
    case .constant(let value): return value
    case .template(let template): return try template.value(in: scope, now: now).json
    case .array(let elements):
      var values: [JSONValue] = []
      for element in elements { values.append(try element.value(in: scope, now: now)) }
      return .array(values)
    case .object(let members):
      var values: [JSONObject.Member] = []
      for member in members {
        values.append(JSONObject.Member(name: member.name, value: try member.value.value(in: scope, now: now)))
      }
      return .object(JSONObject(values))
    }
  }
}
