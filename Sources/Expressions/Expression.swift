/// A parsed expression: CEL's syntax, without side effects, bounded in time and memory.
///
/// ```swift
/// let expression = try Expression(parsing: "record.name.trim() + ' <' + record.email + '>'")
/// let (type, faults) = expression.check(scopeType)
/// let value = try expression.evaluate(in: ["record": ExpressionValue(json)], now: now)
/// ```
public struct Expression: Sendable {
  /// The text that was parsed.
  public let text: String
  /// The names it takes from its scope, in the order in which they stand.
  public let references: [Reference]
  let syntax: SyntaxNode
  private let step: Step

  /// Parses a text of at most 4 KiB and 64 levels; names and types are not looked at yet.
  public init(parsing text: String) throws(ExpressionError) {
    var parser = try Parser(text)
    let syntax = try parser.parse()
    var builder = StepBuilder()
    self.text = text
    self.syntax = syntax
    self.step = builder.build(syntax)
    self.references = builder.references
  }

  /// Finds everything that is wrong with it in a scope; without faults its evaluation fails on values only.
  ///
  /// An `optional` type is no fault by itself: whether a result may be missing is for the caller to say.
  /// - Complexity: linear in the text.
  public func check(_ scope: ExpressionScopeType) -> (type: ExpressionType, faults: [ExpressionError]) {
    var checker = Checker(scope)
    let type = checker.type(of: syntax)
    return (type, checker.faults.sorted { $0.range.lowerBound < $1.range.lowerBound })
  }

  /// The value in a scope.
  ///
  /// - Parameters:
  ///   - scope: the values of the names.
  ///   - now: what `now()` and `today()` take for the present.
  ///   - limits: what the evaluation may cost.
  /// - Throws: what is wrong with a value, with the place in ``text``. A result that is not there is an error of the
  ///   kind `missing`.
  public func evaluate(
    in scope: some ExpressionScope, now: ExpressionTimestamp, limits: EvaluationLimits = .standard
  ) throws(EvaluationError) -> ExpressionValue {
    // The usual case by far: nothing but a look-up.
    switch step {
    case .path(let root, let members, let ranges):
      return try Evaluation.lookUp(root, members, ranges, in: scope)
    case .constant(let value):
      return value
    default:
      var evaluation = Evaluation(scope: scope, now: now, limits: limits)
      return try evaluation.value(step)
    }
  }
}

extension Expression: Hashable {
  /// Equal when their texts are.
  public static func == (left: Expression, right: Expression) -> Bool { left.text == right.text }

  /// Hashes the text.
  public func hash(into hasher: inout Hasher) { hasher.combine(text) }
}
