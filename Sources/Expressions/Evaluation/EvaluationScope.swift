/// The values and the time that the expressions of a flow use.
public struct EvaluationScope: ExpressionScope, Sendable {
  /// Values that stay the same, such as `vars`, `secrets` and `env`.
  public let fixed: [String: ExpressionValue]
  /// What `now()` means.
  public let now: ExpressionTimestamp
  /// Values of one request or record; they hide fixed values of the same name.
  public var values: [String: ExpressionValue] = [:]

  /// A scope of fixed values.
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
