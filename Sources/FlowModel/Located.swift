public import SourceDiagnostics

/// A value with its source location.
public struct Located<Value: Sendable>: Sendable {
  /// The value.
  public var value: Value
  /// The source location of the value.
  public var range: SourceRange

  /// Combines a value with its source location.
  public init(_ value: Value, at range: SourceRange) {
    self.value = value
    self.range = range
  }
}

extension Located: Equatable where Value: Equatable {}
