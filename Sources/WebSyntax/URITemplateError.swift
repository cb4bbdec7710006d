/// An error in a URI template, with its position.
public struct URITemplateError: Error, Hashable, Sendable {
  /// The kinds of errors.
  public enum Reason: Hashable, Sendable {
    /// A brace is opened but not closed.
    case unclosedBrace
    /// A brace is closed, but none is open.
    case strayBrace
    /// A name is missing between the braces or between two commas.
    case missingName
    /// A character that is not allowed in variable names.
    case nameCharacter
    /// An operator that RFC 6570 reserves for later use (`= , ! @ |`).
    case reservedOperator
    /// The length after `:`, as in `{name:3}`, is not a number from 1 to 9999.
    case prefix
    /// A character outside of braces is not allowed in a URI.
    case literalCharacter
    /// A prefix (`:3`) is used with a list or a map.
    case prefixOfComposite
  }

  /// The kind of the error.
  public let reason: Reason
  /// The offset of the error in UTF-8 bytes from the start of the template, from 0 to its length.
  public let offset: Int
}

extension URITemplateError: CustomStringConvertible {
  /// The error as a part of a sentence, without a full stop.
  public var description: String {
    switch reason {
    case .unclosedBrace: "'{' is not closed"
    case .strayBrace: "'}' has no matching '{'"
    case .missingName: "a variable's name is missing"
    case .nameCharacter: "a variable's name can contain only letters, digits, '_', '.' and %XX"
    case .reservedOperator: "RFC 6570 reserves this operator without a meaning; use one of + # . / ; ? &"
    case .prefix: "the length after ':' must be a number from 1 to 9999"
    case .literalCharacter: "this character is not allowed in a URI; write it as %XX"
    case .prefixOfComposite: "a length after ':' needs a text as the value, not a list or a map"
    }
  }
}
