/// The values of the names that an expression may use.
public protocol ExpressionScope {
  /// The value of a name such as `vars` or `record`; nil when it has none, which is an error unless a default is given.
  ///
  /// A name that was declared as an `int` should come as ``ExpressionValue/int(_:)``: a number as written in JSON
  /// (``ExpressionValue/number(_:)``) divides with a fraction.
  func value(of name: String) -> ExpressionValue?
}

extension Dictionary: ExpressionScope where Key == String, Value == ExpressionValue {
  /// The value under the name.
  public func value(of name: String) -> ExpressionValue? { self[name] }
}
