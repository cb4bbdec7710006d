public import SourceDiagnostics

/// A value and its source location.
public struct Located<Value: Sendable>: Sendable {
  /// The value.
  public var value: Value
  /// Where it was written.
  public var range: SourceRange

  /// Builds a located value.
  public init(_ value: Value, at range: SourceRange) {
    self.value = value
    self.range = range
  }
}

extension Located: Equatable where Value: Equatable {}
