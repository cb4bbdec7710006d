public import Expressions
public import FlowTerms

/// Where and how a flow's result is kept.
public struct PersistenceDeclaration: Sendable {
  /// The output path, relative to the root; its extension names the format.
  public let path: Located<Template>
  /// How long a result may be used, in seconds; nil means for ever.
  public let expiresAfter: Located<Double>?
  /// What becomes of the records that are there already.
  public let mode: PersistenceMode
  /// What a record says, as it came, that is gone: its key is taken out of a merged result. Nil: nothing says so.
  public let deleteWhen: Located<Expression>?
  /// Whether a failed save fails the flow.
  public let failOnSaveError: Bool

  /// Joins the parts.
  public init(
    path: Located<Template>, expiresAfter: Located<Double>?, mode: PersistenceMode = .replace,
    deleteWhen: Located<Expression>? = nil, failOnSaveError: Bool
  ) {
    self.deleteWhen = deleteWhen
    self.path = path
    self.expiresAfter = expiresAfter
    self.failOnSaveError = failOnSaveError
    self.mode = mode
  }
}
