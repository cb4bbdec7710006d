/// A parsed expression in the syntax of CEL.
///
/// It has no side effects and is bounded in time and memory.
///
/// ```swift
/// let expression = try Expression(parsing: "record.name.trim() + ' <' + record.email + '>'")
/// let (type, errors) = expression.check(scopeType)
/// let value = try expression.evaluate(in: ["record": ExpressionValue(json)], now: now)
/// ```
public struct Expression: Sendable {
  /// The text that was parsed.
  public let text: String
  /// The names that the expression takes from its scope, in source order.
  public let references: [Reference]
  /// Whether the value depends on the time: `now()` or `today()`.
  public let usesClock: Bool
  /// Whether the value may be computed from a secret. A secret that only decides which value is chosen does not count.
  public let isMadeOfSecrets: Bool
  let syntax: SyntaxNode
  private let step: Step

  /// Parses a text of at most 4 KiB and 64 levels; does not check names and types.
  public init(parsing text: String) throws(ExpressionError) {
    var parser = try Parser(text)
    let syntax = try parser.parse()
    var builder = StepBuilder()
    self.text = text
    self.syntax = syntax
    self.step = builder.build(syntax)
    self.references = builder.references
    self.usesClock = builder.usesClock
    self.isMadeOfSecrets = syntax.isMadeOfSecrets
  }

  /// Whether the expression is `optional(…)`.
  ///
  /// A parameter, header or member of a JSON body with such a value is left out when the value is null.
  public var isOptional: Bool { if case .call(let call) = syntax.ungrouped { call.name == "optional" } else { false } }

  /// Finds all errors of the expression in a scope.
  ///
  /// Without errors, an evaluation can fail only because of the actual values. An `optional` type is not an error: the
  /// caller decides whether the result may be missing.
  /// - Complexity: linear in the text.
  public func check(_ scope: ExpressionScopeType) -> (type: ExpressionType, errors: [ExpressionError]) {
    var checker = Checker(scope, of: self)
    let type = checker.type(of: syntax)
    return (type, checker.sortedErrors)
  }

  /// Evaluates the expression in a scope.
  ///
  /// - Parameters:
  ///   - scope: the values of the names.
  ///   - now: the current time for `now()` and `today()`.
  ///   - limits: the limits of the evaluation.
  /// - Throws: the error of a value, with its range in ``text``. A missing result is an error of the kind `missing`.
  public func evaluate(
    in scope: some ExpressionScope, now: ExpressionTimestamp, limits: EvaluationLimits = .standard
  ) throws(EvaluationError) -> ExpressionValue {
    var evaluation = Evaluation(scope: scope, now: now, limits: limits)
    return try evaluation.value(step)
  }
}

extension Expression: Hashable {
  /// Whether both expressions have the same text.
  public static func == (left: Expression, right: Expression) -> Bool { left.text == right.text }

  /// Hashes the text.
  public func hash(into hasher: inout Hasher) { hasher.combine(text) }
}
