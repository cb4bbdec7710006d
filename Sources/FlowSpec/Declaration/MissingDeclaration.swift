public import FlowModel
public import JSONSyntax

/// The effect of a field that is absent or null.
public enum MissingDeclaration: Sendable {
  /// The record is bad.
  case required
  /// The field is null.
  case optional
  /// The field gets this value, which matches its type.
  case `default`(Located<JSONValue>)
}
