/// An error in the text of an expression.
public struct ExpressionError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The kind of an error; the raw values are stable.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// The text is empty.
    case empty
    /// The text is longer than 4 KiB.
    case tooLong = "too-long"
    /// Nesting is deeper than 64 levels.
    case tooDeep = "too-deep"
    /// An unexpected character.
    case unexpectedCharacter = "unexpected-character"
    /// A quoted text without its closing quote.
    case unclosedText = "unclosed-text"
    /// An unknown escape in a text.
    case badEscape = "bad-escape"
    /// Digits that are not a valid number.
    case badNumber = "bad-number"
    /// A word or symbol at a position where another token is expected.
    case unexpectedToken = "unexpected-token"
    /// A name that the scope does not have.
    case unknownName = "unknown-name"
    /// A member that an object does not have.
    case unknownMember = "unknown-member"
    /// A function that does not exist.
    case unknownFunction = "unknown-function"
    /// Too few or too many arguments.
    case argumentCount = "argument-count"
    /// A value of a type that cannot be used at this position.
    case wrongType = "wrong-type"
    /// A value that may be absent or null and has no default.
    case mayBeMissing = "may-be-missing"
    /// An invalid pattern, format or unit.
    case badArgument = "bad-argument"
    /// A key that occurs twice in a map.
    case repeatedKey = "repeated-key"
    /// A variable of `map`, `filter` or another macro that hides an existing name.
    case hiddenName = "hidden-name"
  }

  /// The kind of the error.
  public var kind: Kind
  /// A description of the error, in lower case, without a full stop.
  public var message: String
  /// The error's range in UTF-8 bytes of the expression's text.
  public var range: Range<Int>
  /// The replacement for this range, if a similar name exists.
  public var suggestion: String?
  /// A possible fix.
  public var help: String?

  init(_ kind: Kind, _ message: String, at range: Range<Int>, suggestion: String? = nil, help: String? = nil) {
    self.kind = kind
    self.message = message
    self.range = range
    self.suggestion = suggestion
    self.help = help
  }

  /// `message at byte offset`
  public var description: String { "\(message) at byte \(range.lowerBound)" }
}
