public import Expressions
public import JSONSyntax
internal import SourceDiagnostics

/// Several of the parents' records in one request.
public struct BatchDeclaration: Sendable {
  /// How a response tells which records of the batch were refused.
  public struct Results: Sendable {
    /// Where the results are, one for each record and in their order.
    public var path: Located<JSONPath>
    /// Whether a record was refused, given its `result`.
    public var failed: Located<Expression>
    /// Why, as text; nil is the result itself.
    public var reason: Located<Expression>?
  }

  /// The most records of one request, at least 1.
  public var size: Int
  /// How the response is looked at; nil: a batch passes or fails as a whole.
  public var results: Results?
}
