/// A parsed expression: CEL's syntax, without side effects, bounded in time and memory.
///
/// ```swift
/// let expression = try Expression(parsing: "record.name.trim() + ' <' + record.email + '>'")
/// let (type, errors) = expression.check(scopeType)
/// let value = try expression.evaluate(in: ["record": ExpressionValue(json)], now: now)
/// ```
public struct Expression: Sendable {
  /// The text that was parsed.
  public let text: String
  /// The names it takes from its scope, in the order in which they stand.
  public let references: [Reference]
  let syntax: SyntaxNode
  private let step: Step

  /// Parses a text of at most 4 KiB and 64 levels; names and types are not checked yet.
  public init(parsing text: String) throws(ExpressionError) {
    var parser = try Parser(text)
    let syntax = try parser.parse()
    var builder = StepBuilder()
    self.text = text
    self.syntax = syntax
    self.step = builder.build(syntax)
    self.references = builder.references
  }

  /// Finds everything that is wrong with it in a scope; without errors its evaluation fails on values only.
  ///
  /// An `optional` type is no error by itself: whether a result may be missing is for the caller to say.
  /// - Complexity: linear in the text.
  public func check(_ scope: ExpressionScopeType) -> (type: ExpressionType, errors: [ExpressionError]) {
    var checker = Checker(scope)
    let type = checker.type(of: syntax)
    return (type, checker.errors.sorted { $0.range.lowerBound < $1.range.lowerBound })
  }

  /// The value in a scope.
  ///
  /// - Parameters:
  ///   - scope: the values of the names.
  ///   - now: what `now()` and `today()` take for the present.
  ///   - limits: what the evaluation may cost.
  /// - Throws: what is wrong with a value, with its range in ``text``. A result that is not there is an error of the
  ///   kind `missing`.
  public func evaluate(
    in scope: some ExpressionScope, now: ExpressionTimestamp, limits: EvaluationLimits = .standard
  ) throws(EvaluationError) -> ExpressionValue {
    var evaluation = Evaluation(scope: scope, now: now, limits: limits)
    return try evaluation.value(step)
  }
}

extension Expression: Hashable {
  /// Equal when their texts are.
  public static func == (left: Expression, right: Expression) -> Bool { left.text == right.text }

  /// Hashes the text.
  public func hash(into hasher: inout Hasher) { hasher.combine(text) }
}
