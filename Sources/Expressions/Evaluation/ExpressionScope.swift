/// The values of the names that an expression may use.
public protocol ExpressionScope {
  /// The value of a name such as `vars` or `record`; nil when the name has no value; an expression without a default
  /// then fails.
  ///
  /// The value must have the type that the expression was checked with; `ExpressionValue(json, as: type)` converts it.
  /// For example, an int must be ``ExpressionValue/int(_:)``: a JSON number would be divided with a fraction.
  func value(of name: String) -> ExpressionValue?
}

extension Dictionary: ExpressionScope where Key == String, Value == ExpressionValue {
  /// The value of the name.
  public func value(of name: String) -> ExpressionValue? { self[name] }
}
