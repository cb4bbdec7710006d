/// The reason why an expression has no value.
public struct EvaluationError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kind of an error; the raw values are stable.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// A name, member, element or match that does not exist.
    case missing
    /// A value of a type that cannot be used at this position.
    case wrongType = "wrong-type"
    /// A value that cannot be converted without loss.
    case conversion
    /// An invalid argument, such as an unknown unit or a broken pattern.
    case badArgument = "bad-argument"
    /// A result outside of 64 bits, the range of a double, the calendar or 10,000 years.
    case overflow
    /// A division by zero.
    case divisionByZero = "division-by-zero"
    /// A function that does not exist.
    case unknownFunction = "unknown-function"
    /// More steps than allowed.
    case tooManySteps = "too-many-steps"
    /// More memory than allowed.
    case tooMuchMemory = "too-much-memory"
    /// A value that cannot be converted to text.
    case noText = "no-text"
  }

  /// The kind of the error.
  public var kind: Kind
  /// A description of the error, in lower case, without a full stop.
  ///
  /// It never contains a value, because the value may be secret: see ``value``.
  public var message: String
  /// The error's range in UTF-8 bytes of the expression's text; empty at 0 if the error has no range.
  public var range: Range<Int>
  /// The beginning of the value that caused the error, if it helps to find the error; otherwise nil. Do not show it if
  /// the expression uses a secret.
  public var value: String?

  init(_ kind: Kind, _ message: String, at range: Range<Int> = 0..<0, value: String? = nil) {
    self.kind = kind
    self.message = message
    self.range = range
    self.value = value
  }

  /// The message.
  public var description: String { message }

  /// The same error with a range, unless the error already has a range.
  func at(_ range: Range<Int>) -> EvaluationError {
    var error = self
    if error.range.isEmpty { error.range = range }
    return error
  }
}
