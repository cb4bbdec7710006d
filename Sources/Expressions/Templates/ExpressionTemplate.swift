/// Text with expressions in it; one expression alone keeps the type of its value.
public struct ExpressionTemplate: Sendable, Hashable {
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
  public var references: [Expression.Reference] {
    segments.flatMap { (segment) -> [Expression.Reference] in
      if case .expression(let expression) = segment { expression.references } else { [] }
    }
  }

  /// The template as a file writes it.
  public var sourceText: String {
    segments.map {
      switch $0 {
      case .text(let text): text
      case .expression(let expression): "{{ \(expression.text) }}"
      }
    }.joined()
  }

  /// The value in a scope; text unless the template is one expression alone.
  public func value(
    in scope: EvaluationScope, for destination: TemplateDestination
  ) throws(ExpressionTemplateError) -> ExpressionValue {
    if segments.count == 1, case .expression(let expression) = segments[0] {
      return try Self.value(of: expression, in: scope)
    }
    return .string(try filled(in: scope, for: destination))
  }

  /// The text in a scope.
  public func filled(
    in scope: EvaluationScope, for destination: TemplateDestination
  ) throws(ExpressionTemplateError) -> String {
    var text = ""
    for segment in segments {
      switch segment {
      case .text(let plain): text += plain
      case .expression(let expression):
        text += try Self.text(of: try Self.value(of: expression, in: scope), expression, for: destination)
      }
    }
    return text
  }

  /// The texts of a parameter that may be repeated.
  ///
  /// A template that is one list alone gives the texts of its elements; any other template gives its own text.
  public func repeated(
    in scope: EvaluationScope, for destination: TemplateDestination
  ) throws(ExpressionTemplateError) -> [String] {
    guard segments.count == 1, case .expression(let expression) = segments[0],
      case .list(let values) = try Self.value(of: expression, in: scope)
    else { return [try filled(in: scope, for: destination)] }
    var texts: [String] = []
    for value in values { texts.append(try Self.text(of: value, expression, for: destination)) }
    return texts
  }

  private static func value(
    of expression: Expression, in scope: EvaluationScope
  ) throws(ExpressionTemplateError) -> ExpressionValue {
    do throws(EvaluationError) {
      return try expression.evaluate(in: scope, now: scope.now)
    } catch {
      throw .evaluation(error, expression)
    }
  }

  private static func text(
    of value: ExpressionValue, _ expression: Expression, for destination: TemplateDestination
  ) throws(ExpressionTemplateError) -> String {
    let text: String
    do throws(EvaluationError) {
      text = try value.text()
    } catch {
      throw .evaluation(error, expression)
    }
    return try destination.fitting(text, of: expression)
  }
}

/// Why a template has no value.
public enum ExpressionTemplateError: Error {
  /// An expression has no value, or one without text.
  case evaluation(EvaluationError, Expression)
  /// A value may not stand where the text goes; the message names the expression and holds no value.
  case misplaced(String)

  /// What is wrong, lower case, no full stop. Holds no value.
  public var message: String {
    switch self {
    case .evaluation(let error, _): error.message
    case .misplaced(let message): message
    }
  }
}
