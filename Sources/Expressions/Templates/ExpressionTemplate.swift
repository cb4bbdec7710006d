/// A text that contains expressions; a single expression without other text keeps the type of its value.
public struct ExpressionTemplate: Sendable, Hashable {
  /// A segment of a template.
  public enum Segment: Sendable, Hashable {
    /// Literal text.
    case text(String)
    /// An expression.
    case expression(Expression)
  }

  /// The segments, in order.
  public let segments: [Segment]

  /// Creates a template from segments.
  public init(_ segments: [Segment]) { self.segments = segments }

  /// The names that the expressions take from their scope.
  public var references: [Expression.Reference] {
    segments.flatMap { (segment) -> [Expression.Reference] in
      if case .expression(let expression) = segment { expression.references } else { [] }
    }
  }

  /// The template as it is written in a file.
  public var sourceText: String {
    segments.map {
      switch $0 {
      case .text(let text): text
      case .expression(let expression): "{{ \(expression.text) }}"
      }
    }.joined()
  }

  /// The template's value in a scope; text unless the template is a single expression.
  public func value(
    in scope: EvaluationScope, for destination: TemplateDestination
  ) throws(ExpressionTemplateError) -> ExpressionValue {
    if segments.count == 1, case .expression(let expression) = segments[0] {
      return try Self.value(of: expression, in: scope)
    }
    return .string(try filled(in: scope, for: destination))
  }

  /// The template's text in a scope.
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

  /// Whether the template is `{{ optional(…) }}`, which is left out of the request when the value is null.
  public var isOptional: Bool {
    if segments.count == 1, case .expression(let expression) = segments[0] { expression.isOptional } else { false }
  }

  /// The texts of a parameter that may be repeated.
  ///
  /// If the template is a single expression with a list as its value, the result has the texts of the list's elements.
  /// It is empty for `{{ optional(…) }}` without a value. Any other template gives one text.
  public func repeated(
    in scope: EvaluationScope, for destination: TemplateDestination
  ) throws(ExpressionTemplateError) -> [String] {
    guard segments.count == 1, case .expression(let expression) = segments[0] else {
      return [try filled(in: scope, for: destination)]
    }
    let value = try Self.value(of: expression, in: scope)
    if expression.isOptional, value.isNull { return [] }
    guard let values = value.elements else { return [try Self.text(of: value, expression, for: destination)] }
    var texts: [String] = []
    for value in values { texts.append(try Self.text(of: value, expression, for: destination)) }
    return texts
  }

  private static func value(
    of expression: Expression, in scope: EvaluationScope
  ) throws(ExpressionTemplateError) -> ExpressionValue {
    do throws(EvaluationError) {
      let value = try expression.evaluate(in: scope, now: scope.now)
      scope.derivedSecrets?.add(value, of: expression)
      return value
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

/// The reason why a template has no value.
public enum ExpressionTemplateError: Error {
  /// An expression has no value, or its value has no text.
  case evaluation(EvaluationError, Expression)
  /// A value is not allowed in the text's destination; the message names the expression and contains no value.
  case misplaced(String)

  /// A description of the error, in lower case, without a full stop. It contains no value.
  public var message: String {
    switch self {
    case .evaluation(let error, _): error.message
    case .misplaced(let message): message
    }
  }
}

extension EvaluationError {
  /// The message for an error of an expression, with a help text where one is needed.
  ///
  /// The message has no details if the expression uses a secret, because they could contain the secret.
  public func account(of expression: Expression) -> (message: String, help: String?) {
    guard expression.references.contains(where: { $0.root == "secrets" }) else {
      return ("'\(expression.text)': \(message)", nil)
    }
    return (
      "'\(expression.text)' cannot be computed from the values of its secrets",
      "check whether the text of the secret, which is not shown here, has the form that the expression needs"
    )
  }
}
