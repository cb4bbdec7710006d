/// The values and the current time for the expressions of a flow.
public struct EvaluationScope: ExpressionScope, Sendable {
  /// Values that do not change, such as `vars`, `secrets` and `env`.
  public let fixed: [String: ExpressionValue]
  /// The value of `now()`.
  public let now: ExpressionTimestamp
  /// Values of one request or record; they hide fixed values of the same name.
  public var values: [String: ExpressionValue] = [:]
  /// Collects texts that templates compute from secrets; nil if they are not needed.
  public var derivedSecrets: DerivedSecrets?

  /// Creates a scope of fixed values.
  public init(_ fixed: [String: ExpressionValue], now: ExpressionTimestamp) {
    self.fixed = fixed
    self.now = now
  }

  /// The value of a name.
  public func value(of name: String) -> ExpressionValue? { values[name] ?? fixed[name] }

  /// The same scope with the values of one request.
  public func with(_ values: [String: ExpressionValue]) -> EvaluationScope {
    var scope = self
    scope.values = values
    return scope
  }
}
