/// What is wrong with a URI template, and where.
public struct URITemplateError: Error, Hashable, Sendable {
  /// The kinds of errors.
  public enum Reason: Hashable, Sendable {
    /// A brace is opened and not closed.
    case unclosedBrace
    /// A brace is closed and none is open.
    case strayBrace
    /// No name is between the braces, or between two commas.
    case missingName
    /// A character that no variable name holds.
    case nameCharacter
    /// The operator is one that RFC 6570 keeps for later (`= , ! @ |`).
    case reservedOperator
    /// A prefix is not a number from 1 to 9999.
    case prefix
    /// A character outside of braces is not allowed in a URI.
    case literalCharacter
    /// A prefix (`:3`) is asked of a list or a map.
    case prefixOfComposite
  }

  /// What is wrong.
  public let reason: Reason
  /// Where, in UTF-8 bytes from the start of the template, from 0 to its length.
  public let offset: Int
}

extension URITemplateError: CustomStringConvertible {
  /// A sentence part without a full stop.
  public var description: String {
    switch reason {
    case .unclosedBrace: "'{' is not closed"
    case .strayBrace: "'}' closes nothing"
    case .missingName: "a variable's name is missing"
    case .nameCharacter: "a variable's name holds letters, digits, '_', '.' and %XX only"
    case .reservedOperator: "this operator has no meaning yet; use one of + # . / ; ? &"
    case .prefix: "a prefix is a number from 1 to 9999"
    case .literalCharacter: "a character that no URI holds; write it as %XX"
    case .prefixOfComposite: "a prefix needs a text, not a list or a map"
    }
  }
}
