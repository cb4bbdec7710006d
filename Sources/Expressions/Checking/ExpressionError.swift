/// What is wrong in the text of an expression.
public struct ExpressionError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What kind of error it is; the raw values are stable.
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// Nothing is written.
    case empty
    /// The text is longer than 4 KiB.
    case tooLong = "too-long"
    /// Nesting is deeper than 64 levels.
    case tooDeep = "too-deep"
    /// An unexpected character.
    case unexpectedCharacter = "unexpected-character"
    /// A text in quotes that does not end.
    case unclosedText = "unclosed-text"
    /// An unknown escape in a text.
    case badEscape = "bad-escape"
    /// Digits that are no number.
    case badNumber = "bad-number"
    /// A word or sign where something else must stand.
    case unexpectedToken = "unexpected-token"
    /// A name that the scope does not have.
    case unknownName = "unknown-name"
    /// A member that an object does not have.
    case unknownMember = "unknown-member"
    /// A function that does not exist.
    case unknownFunction = "unknown-function"
    /// Too few or too many arguments.
    case argumentCount = "argument-count"
    /// A value of a type that cannot be used there.
    case wrongType = "wrong-type"
    /// A value that may be absent or null and has no default.
    case mayBeMissing = "may-be-missing"
    /// A pattern, format or unit that is not one.
    case badArgument = "bad-argument"
    /// A key that stands twice in a map.
    case repeatedKey = "repeated-key"
    /// A name of `map`, `filter` and the like that hides another one.
    case hiddenName = "hidden-name"
  }

  /// What kind of error it is.
  public var kind: Kind
  /// What is wrong, lower case, no full stop.
  public var message: String
  /// UTF-8 bytes of the expression's text.
  public var range: Range<Int>
  /// What to write in place of these bytes, where something is near.
  public var suggestion: String?
  /// What could be done.
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
