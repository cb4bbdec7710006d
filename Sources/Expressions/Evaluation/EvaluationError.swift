/// Why an expression has no value.
public struct EvaluationError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What kind of error it is; the raw values are stable.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// A name, member, element or match that is not there.
    case missing
    /// A value of a type that cannot be used here.
    case wrongType = "wrong-type"
    /// A value that cannot be converted without loss.
    case conversion
    /// An argument that makes no sense, such as a unit or a pattern.
    case badArgument = "bad-argument"
    /// A result beyond 64 bits, a double's range, the calendar or 10,000 years.
    case overflow
    /// A division by zero.
    case divisionByZero = "division-by-zero"
    /// A function that does not exist.
    case unknownFunction = "unknown-function"
    /// More steps than allowed.
    case tooManySteps = "too-many-steps"
    /// More memory than allowed.
    case tooMuchMemory = "too-much-memory"
    /// A value that cannot be put into a text.
    case noText = "no-text"
  }

  /// What kind of error it is.
  public var kind: Kind
  /// What is wrong, lower case, no full stop. Never holds a value, because that may be secret: see ``value``.
  public var message: String
  /// UTF-8 bytes of the expression's text that it is about; empty at 0 where there is no text.
  public var range: Range<Int>
  /// The beginning of the offending value, where that helps; leave it out where a secret takes part.
  public var value: String?

  init(_ kind: Kind, _ message: String, at range: Range<Int> = 0..<0, value: String? = nil) {
    self.kind = kind
    self.message = message
    self.range = range
    self.value = value
  }

  /// The message.
  public var description: String { message }

  /// The same error at a range, unless it has one.
  func at(_ range: Range<Int>) -> EvaluationError {
    var error = self
    if error.range.isEmpty { error.range = range }
    return error
  }
}
