package import FlowModel
package import JSONSyntax

/// The effect of a field that is absent or null.
package enum MissingDeclaration: Sendable {
  /// The record is bad.
  case required
  /// The field is null.
  case optional
  /// The field gets this value, which matches its type.
  case `default`(Located<JSONValue>)
}
