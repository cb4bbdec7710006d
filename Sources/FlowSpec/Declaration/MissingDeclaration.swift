public import JSONSyntax

/// What happens to a field that is absent or null.
public enum MissingDeclaration: Sendable {
  /// The record is bad.
  case required
  /// The field is null.
  case optional
  /// The field takes this value, which fits its type.
  case `default`(Located<JSONValue>)
}
