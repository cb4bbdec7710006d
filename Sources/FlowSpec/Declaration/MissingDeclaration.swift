package import FlowModel
package import JSONSyntax

/// What happens to a record if the value of a field is absent or null in the response.
package enum MissingDeclaration: Sendable {
  /// The record is bad: it is rejected, or it fails the flow with `prune: false`.
  case required
  /// The record gets null in this field.
  case optional
  /// The record gets this value, which matches the type of the field.
  case `default`(Located<JSONValue>)
}
