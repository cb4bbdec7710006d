/// The values of the names that an expression may use.
public protocol ExpressionScope {
  /// The value of a name such as `vars` or `record`; nil when it has none, which is an error unless a default is given.
  ///
  /// The value must be of the type that the expression was checked with; `ExpressionValue(json, as: type)` makes it so.
  /// An int, for one, comes as ``ExpressionValue/int(_:)``: a number as JSON writes it divides with a fraction.
  func value(of name: String) -> ExpressionValue?
}

extension Dictionary: ExpressionScope where Key == String, Value == ExpressionValue {
  /// The value under the name.
  public func value(of name: String) -> ExpressionValue? { self[name] }
}
